// Pictures tell their values: under the pointer, and to the keyboard, for which each picture is one stop whose marks
// are walked by arrows. They come as SVG whose marks say what they stand for, and are put into the page as they are.
"use strict";

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true"); // the tables beside the pictures hold the same figures
// Whoever listens hears the values of a mark that is reached by a key.
const heard = document.createElement("p");
heard.className = "unseen";
heard.setAttribute("aria-live", "polite");
document.body.append(tip, heard);

const MARKS = "[data-says], figure.live svg [aria-roledescription][aria-label]";
const SILENT = /title|axis|legend/i;
const saying = (target) => {
  const mark = target.closest?.(MARKS);
  if (!mark || SILENT.test(mark.getAttribute("aria-roledescription") || "")) return "";
  return mark.dataset.says || mark.getAttribute("aria-label").replaceAll("; ", "\n");
};
// A point on its interval, or a number in its cell, leaves the telling to what was drawn just before it.
const justBefore = (target, x, y) => {
  const far = (mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
  };
  const marks = [...(target.closest(".role-mark")?.previousElementSibling?.children || [])].filter(saying);
  const nearest = marks.reduce((best, mark) => (best && far(best) <= far(mark) ? best : mark), null);
  return nearest && far(nearest) < 10 ? saying(nearest) : "";
};
// Thin lines are hard to meet: what lies near a pointer on nothing is told.
const AROUND = [4, 8].flatMap((far) => [[0, far], [0, -far], [far, 0], [-far, 0]]);
const toldAt = ({ target, clientX, clientY }) => {
  const own = saying(target), drawing = target.closest?.("figure.live svg");
  if (own || !drawing) return own;
  const around = AROUND.map(([x, y]) => document.elementFromPoint(clientX + x, clientY + y));
  return justBefore(target, clientX, clientY) || around.filter((one) => drawing.contains(one)).map(saying).find(Boolean) || "";
};
const showTip = (text, x, y) => {
  tip.hidden = !text;
  if (!text) return;
  if (tip.textContent !== text) tip.textContent = text;
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(x + 14, innerWidth - width - 8);
  const top = y + 18 + height > innerHeight ? y - height - 10 : y + 18;
  tip.animate([{ transform: `translate(${left}px, ${top}px)` }], { fill: "forwards", duration: 0 });
};
document.addEventListener("pointermove", (event) => showTip(toldAt(event), event.clientX, event.clientY));
document.addEventListener("pointerleave", () => { tip.hidden = true; });

// Of every picture that is walked: its marks, where they stand, and which of them is told.
const walks = new WeakMap();
const marksOf = (drawing) => [...drawing.querySelectorAll(MARKS)].filter(saying);
const walkOf = (drawing) => {
  const walk = walks.get(drawing);
  if (!walk || walk.marks) return walk;
  walk.marks = marksOf(drawing);
  walk.places = walk.marks.map((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect();
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  });
  const [columns, rows] = ["x", "y"].map((way) => new Set(walk.places.map((place) => place[way])).size);
  walk.grid = columns > 2 && rows > 2 && 2 * walk.marks.length > columns * rows;
  return walk;
};
const WAYS = { ArrowRight: ["x", 1], ArrowLeft: ["x", -1], ArrowDown: ["y", 1], ArrowUp: ["y", -1] };
// In a grid the next mark stands in the same row or column, beyond a gap too; elsewhere it is the next one drawn.
const next = ({ places, at, grid }, key) => {
  if (key === "Home") return 0;
  if (key === "End") return places.length - 1;
  const [way, step] = WAYS[key];
  if (!grid) return Math.max(0, Math.min(places.length - 1, at + step));
  const across = way === "x" ? "y" : "x";
  const far = (to) => step * (places[to][way] - places[at][way]);
  const ahead = [...places.keys()].filter((to) => far(to) > 1 && Math.abs(places[to][across] - places[at][across]) < 2);
  return ahead.reduce((best, to) => (best === at || far(to) < far(best) ? to : best), at);
};

// A ring around the mark that is told; its halo keeps it in sight on any colour.
const unspot = (drawing) => drawing.querySelector(":scope > .spot")?.remove();
const spot = (drawing, mark) => {
  unspot(drawing);
  const { left, right, top, bottom } = mark.getBoundingClientRect();
  const back = drawing.getScreenCTM().inverse();
  const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((one) => one.matrixTransform(back));
  const group = document.createElementNS(drawing.namespaceURI, "g");
  group.setAttribute("class", "spot");
  for (const kind of ["halo", "ring"]) {
    const ring = document.createElementNS(drawing.namespaceURI, "rect");
    const place = { class: kind, x: from.x - 2, y: from.y - 2, width: to.x - from.x + 4, height: to.y - from.y + 4, rx: 2 };
    for (const [name, value] of Object.entries(place)) ring.setAttribute(name, value);
    group.append(ring);
  }
  drawing.append(group);
};
const tell = (drawing) => {
  const { marks, at } = walkOf(drawing);
  marks[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  spot(drawing, marks[at]);
  const text = saying(marks[at]);
  const { left, width, bottom } = marks[at].getBoundingClientRect();
  showTip(text, left + width / 2, bottom - 8);
  heard.textContent = text.replaceAll("\n", "; ");
};
let pictures = 0;
const letWalk = (drawing) => {
  if (![...drawing.querySelectorAll(MARKS)].some(saying)) return;
  walks.set(drawing, { at: 0 });
  drawing.tabIndex = 0;
  // An application gets the arrow keys, which else belong to whoever reads the page aloud; its marks are told one by one.
  drawing.setAttribute("role", "application");
  drawing.setAttribute("aria-roledescription", "picture");
  for (const part of drawing.children) part.setAttribute("aria-hidden", "true");
  const keys = drawing.closest("figure")?.querySelector(".keys");
  if (!keys) return;
  keys.id ||= `keys-${(pictures += 1)}`;
  drawing.setAttribute("aria-describedby", keys.id);
};
document.addEventListener("keydown", (event) => {
  const drawing = event.target;
  if (event.key === "Escape") { tip.hidden = true; if (walks.has(drawing)) unspot(drawing); return; }
  if (!walks.has(drawing) || event.altKey || event.ctrlKey || event.metaKey) return;
  const walk = walkOf(drawing);
  if (event.key === "Enter" || event.key === " ") {
    walk.marks[walk.at].dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else if (event.key in WAYS || event.key === "Home" || event.key === "End") {
    walk.at = next(walk, event.key);
    tell(drawing);
  } else return;
  event.preventDefault();
});
// Where the focus comes the value is told; a bar that is a link tells its own.
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(":focus-visible")) { tip.hidden = true; return; }
  if (walks.has(target)) { tell(target); return; }
  const { left, top } = target.getBoundingClientRect();
  showTip(target.querySelector(":scope > [data-says]")?.dataset.says, left, top);
});
document.addEventListener("focusout", ({ target }) => { if (walks.has(target)) unspot(target); });

const enliven = async (image) => {
  const figure = image.closest("figure");
  if (!figure || !image.currentSrc || figure.classList.contains("live")) return;
  figure.classList.add("live");
  const answer = await fetch(image.currentSrc);
  if (!answer.ok || !(answer.headers.get("content-type") || "").startsWith("image/svg")) return;
  const own = `p${(pictures += 1)}-`; // names within pictures are the same in all of them
  const text = (await answer.text()).replace(/(\sid="|url\(#|href="#)/g, `$1${own}`);
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (drawing.nodeName !== "svg" || drawing.querySelector("script, foreignObject")) return;
  for (const empty of drawing.querySelectorAll("[role^=graphics]:not([aria-label])")) empty.removeAttribute("role");
  const shown = document.importNode(drawing, true);
  shown.setAttribute("role", "img");
  shown.setAttribute("aria-label", image.alt);
  const focused = image === document.activeElement;
  image.closest("picture").after(shown);
  letWalk(shown);
  if (focused) shown.focus(); // before the image goes: the focus is nowhere in between
  image.closest("picture").remove();
};
for (const image of document.querySelectorAll("figure img")) {
  image.tabIndex = 0; // a picture is a stop before it has come, too
  if (image.complete && image.naturalWidth) enliven(image);
  else image.addEventListener("load", () => enliven(image));
}
// What the page has drawn itself; bars that are links, and a curve with its slider, have their own way.
for (const drawing of document.querySelectorAll("svg.zero, svg.bars:not([data-items])")) letWalk(drawing);

// Dragging over bars shows the items of all of them; a click on one is a link.
for (const bars of document.querySelectorAll("svg.bars[data-items]")) {
  const hits = [...bars.querySelectorAll("rect.hit")];
  const under = (event) => {
    const { left, width } = bars.getBoundingClientRect();
    const share = (100 * (event.clientX - left)) / width;
    return hits.findLastIndex((one) => parseFloat(one.getAttribute("x")) <= share);
  };
  let from = -1;
  const mark = (to) => hits.forEach((one, at) => one.classList.toggle("brushed", from >= 0 && to !== from && at >= Math.min(from, to) && at <= Math.max(from, to)));
  bars.addEventListener("dragstart", (event) => event.preventDefault());
  bars.addEventListener("pointerdown", (event) => { if (event.button === 0) from = Math.max(0, under(event)); });
  bars.addEventListener("pointermove", (event) => { if (from >= 0) mark(Math.max(0, under(event))); });
  addEventListener("pointerup", (event) => {
    if (from < 0) return;
    const to = Math.max(0, under(event));
    const [first, last] = [hits[Math.min(from, to)], hits[Math.max(from, to)]];
    mark(from);
    const several = to !== from;
    from = -1;
    if (several) location.assign(`${bars.dataset.items}?${new URLSearchParams({ low: first.dataset.low, high: last.dataset.high })}`);
  });
  addEventListener("pointercancel", () => { mark(from); from = -1; });
}

// A cell of the heat map leads to the comparison of its two systems. Cells come row by row, without those of a system and
// itself, so a cell's place says which two they are, whatever names look like.
const pair = document.querySelector("form.ask:has([value=compare])");
const order = JSON.parse(pair?.dataset.order || "[]");
for (const figure of document.querySelectorAll("figure.heat_map")) {
  if (!pair?.elements.a) { figure.querySelector(".opens")?.remove(); continue; }
  figure.classList.add("picks");
  figure.addEventListener("click", (event) => {
    const cells = walkOf(figure.querySelector("svg"))?.marks || [], others = order.length - 1;
    const at = cells.indexOf(event.target.closest(MARKS));
    if (at < 0 || cells.length !== order.length * others) return;
    const row = Math.floor(at / others), column = at % others;
    pair.elements.a.value = order[row];
    pair.elements.b.value = order[column + (column >= row)];
    pair.requestSubmit();
  });
}
