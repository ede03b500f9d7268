// The page's own script. Everything works without it but dropping files, live sliders and the moving progress bar.
"use strict";

// The files below what was dropped, each with its path: folders with all that is in them but hidden files.
const below = async (entry) => {
  if (entry.isFile) return [[await new Promise((done, fail) => entry.file(done, fail)), entry.fullPath]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!part.length) break;
    found.push(...part.filter((one) => !one.name.startsWith(".")));
  }
  return (await Promise.all(found.map(below))).flat();
};
const dropped = async (transfer) => {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return { files: transfer.files, paths: [] };
  const all = new DataTransfer();
  const paths = [];
  for (const [file, path] of (await Promise.all(entries.map(below))).flat()) {
    if (!/\.(jsonl?|eval|xml|csv|tsv|parquet|txt|score|docs|gz)$/i.test(file.name)) continue;
    all.items.add(file);
    paths.push(path);
  }
  return { files: all.files, paths };
};

// A dropped file goes into the form's file field, as if it had been chosen; on the first page it may be dropped anywhere.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const field = zone.querySelector("input[type=file]");
  const say = zone.querySelector("[data-chosen]");
  const area = "dropPage" in zone.dataset ? document.body : zone;
  const names = () => [...field.files].map((file) => file.name);
  const taken = () => {
    const several = field.files.length > 5 ? `${field.files.length} files` : names().join(", ");
    if (zone.dataset.drop !== "submit" || !field.files.length) { if (say) say.textContent = several; return; }
    zone.setAttribute("aria-busy", "true");
    if (say) say.textContent = `Reading ${several} …`;
    field.form.requestSubmit();
  };
  // What a harness says by its folders is sent beside the files, whose names have none.
  const tell = (paths) => {
    field.form.querySelector("input[name=paths]")?.remove();
    if (!paths.length) return;
    field.form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "paths", value: JSON.stringify(paths) }));
  };
  area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", (event) => { if (!area.contains(event.relatedTarget)) area.classList.remove("over"); });
  area.addEventListener("drop", async (event) => {
    event.preventDefault();
    area.classList.remove("over");
    const { files, paths } = await dropped(event.dataTransfer);
    field.files = files;
    tell(paths);
    taken();
  });
  field.addEventListener("change", () => { tell([]); taken(); });
  // A file that is dropped or chosen needs no button; what is typed does.
  if (zone.dataset.drop === "submit") {
    const button = field.form.querySelector(".actions button");
    const folds = [...field.form.querySelectorAll("details")];
    const show = () => { button.hidden = !folds.some((one) => one.open) && !field.form.querySelector("[name^=kept_]"); };
    for (const one of folds) one.addEventListener("toggle", show);
    show();
  }
  // A table pasted anywhere on the first page is a drop as well.
  if ("dropPage" in zone.dataset) document.addEventListener("paste", (event) => {
    if (event.target.closest("input, textarea, select")) return;
    const text = event.clipboardData.getData("text/plain");
    const box = field.form.querySelector("textarea[name=text]");
    if (event.clipboardData.files.length) { field.files = event.clipboardData.files; taken(); }
    else if (text.includes("\n") && box) { box.value = text; field.form.requestSubmit(); }
  });
}

// On a phone the heads of pages stand in one line: the present one is moved into sight.
document.querySelector("header.top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// What was sent shows that it is being worked on.
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  for (const one of [event.submitter, event.target.closest(".panel")]) one?.setAttribute("aria-busy", "true");
});

// A page that is left for the answer and come back to waits for nothing.
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const one of document.querySelectorAll("[aria-busy]")) one.removeAttribute("aria-busy");
});

// A job under way: ask how far it is, and load the page again when it has ended.
const job = document.querySelector("[data-job]");
if (job) {
  const bar = job.querySelector("progress");
  const text = job.querySelector("[data-progress]");
  const ask = async () => {
    try {
      const answer = await fetch(`/api/jobs/${job.dataset.job}`, { headers: { Accept: "application/json" } });
      const found = (await answer.json()).job;
      if (!found || !["queued", "running"].includes(found.state)) { location.reload(); return; }
      if (found.total) {
        bar.max = found.total;
        bar.value = found.done;
        text.textContent = `${Math.floor((100 * found.done) / found.total)} %`;
      }
    } catch { text.textContent = "the server does not answer; trying again"; }
    setTimeout(ask, 400);
  };
  setTimeout(ask, 300);
}

// Forms that answer while one moves their sliders: the last position is asked for, and only its answer is shown.
for (const form of document.querySelectorAll("form[data-live]")) {
  const target = document.querySelector(form.dataset.live);
  let waiting = 0;
  let running = null;
  const update = async () => {
    running = new AbortController();
    const { signal } = running;
    const query = new URLSearchParams(new FormData(form));
    target.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${form.action}?${query}`, { headers: { "X-Fragment": "1" }, signal });
      if (answer.ok) { target.innerHTML = await answer.text(); showCopyButtons(target); showSliders(target); }
      else target.textContent = "this did not work; load the page again";
      history.replaceState(null, "", `${form.action}?${query}`);
    } catch (error) { if (!signal.aborted) target.textContent = "the server does not answer"; }
    if (!signal.aborted) target.removeAttribute("aria-busy");
  };
  form.addEventListener("input", () => {
    // What was asked before is of no use any more: the server stops working on it when the call is given up.
    if (running) running.abort();
    clearTimeout(waiting);
    waiting = setTimeout(update, 250);
  });
}

// A slider walks along a power curve: the point under it is marked and told.
const walk = (slider) => {
  const box = slider.closest(".along");
  const { says, x, y } = box.querySelectorAll("rect.hit")[Number(slider.value)].dataset;
  const point = box.querySelector("circle.at");
  point.setAttribute("cx", x);
  point.setAttribute("cy", y);
  point.setAttribute("visibility", "visible");
  box.querySelector("[data-told]").textContent = says;
  slider.setAttribute("aria-valuetext", says);
};
function showSliders(within) {
  for (const slider of within.querySelectorAll("input[data-along]")) {
    const sizes = [...slider.closest(".along").querySelectorAll("rect.hit")].map((one) => Number(one.dataset.n));
    const reached = sizes.findIndex((size) => size >= Number(slider.dataset.along));
    slider.value = reached < 0 ? sizes.length - 1 : reached;
    slider.closest("label").hidden = false;
    walk(slider);
  }
}
showSliders(document);
document.addEventListener("input", (event) => { if (event.target.matches("input[data-along]")) walk(event.target); });

// A slider moves the field above it; a number beyond its ends makes the slider longer.
for (const slider of document.querySelectorAll("input[data-moves]")) {
  const field = document.getElementById(slider.dataset.moves);
  const follow = () => {
    const value = Number(field.value.replace(",", "."));
    if (!(value > 0)) return;
    if (value > Number(slider.max) && value > 1) { slider.step = slider.min = value / 100; slider.max = 2 * value; }
    slider.value = value;
  };
  slider.hidden = false;
  slider.addEventListener("input", () => { field.value = slider.value; });
  field.addEventListener("input", follow);
  follow();
}

// Of the options of all methods, those of the chosen one.
for (const box of document.querySelectorAll("[data-options-for]")) {
  const chooser = document.getElementById(box.dataset.optionsFor);
  if (!chooser) continue;
  const groups = [...box.querySelectorAll("[data-options-of]")];
  const show = () => {
    for (const group of groups) group.hidden = group.dataset.optionsOf !== chooser.value;
    box.hidden = groups.every((group) => group.hidden);
    box.open = true;
  };
  chooser.addEventListener("change", show);
  show();
}

// Of the fields for each kind of scores, those of the chosen kind.
for (const form of document.querySelectorAll("form:has([data-kind])")) {
  const show = () => {
    const chosen = form.querySelector("input[name=kind]:checked")?.value;
    for (const part of form.querySelectorAll("[data-kind]")) {
      part.hidden = part.dataset.kind !== chosen;
      part.disabled = part.hidden; // what does not apply is not sent
    }
  };
  form.addEventListener("change", show);
  show();
}

// Copy buttons; also where a page has no secure connection, for which browsers keep no clipboard.
const copied = async (text) => {
  if (navigator.clipboard) { try { await navigator.clipboard.writeText(text); return true; } catch { /* the other way */ } }
  const box = document.createElement("textarea");
  const before = document.activeElement;
  box.value = text;
  box.className = "unseen";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  before?.focus({ preventScroll: true }); // the next Tab goes on from the button
  return done;
};
const COPY = "button[data-copy], button[data-copy-from]";
const showCopyButtons = (within) => { for (const one of within.querySelectorAll(COPY)) one.hidden = false; };
showCopyButtons(document);
const toCopy = async ({ copy, copyFrom }) => {
  if (copy) return document.querySelector(copy).textContent.trim();
  const answer = await fetch(copyFrom);
  return answer.ok ? answer.text() : "";
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest(COPY);
  if (!button) return;
  const before = button.dataset.label ??= button.textContent;
  const text = await toCopy(button.dataset).catch(() => "");
  const done = text && (await copied(text));
  button.textContent = done ? "Copied" : "Not copied";
  setTimeout(() => { button.textContent = before; }, 2000);
});

// Ask before something is deleted.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => { if (!window.confirm(form.dataset.confirm)) event.preventDefault(); });
}

// Tables of results can be sorted by any column, and long ones searched.
// A figure is what begins with one: "team 4" is a name.
const figureIn = (text) => Number((text.replace(/,/g, "").match(/^[<>]? ?([+-]?\d+(\.\d+)?(e-?\d+)?)/i) || [0, NaN])[1]);
for (const table of document.querySelectorAll("main .verdict table, main details.fold table, main section.card table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 4 || !table.tHead || table.matches(".first-rows, .history")) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort || "none"];
      for (const one of heads) one.removeAttribute("aria-sort");
      if (next !== "none") head.setAttribute("aria-sort", next);
      const cell = (row) => row.cells[place]?.textContent.trim() || "";
      const numbers = rows.every((row) => !cell(row) || !Number.isNaN(figureIn(cell(row))));
      const order = (x, y) => (numbers ? figureIn(cell(x)) - figureIn(cell(y)) : cell(x).localeCompare(cell(y)));
      const sorted = next === "none" ? rows : [...rows].sort(next === "ascending" ? order : (x, y) => order(y, x));
      table.tBodies[0].append(...sorted);
    });
  });
  if (rows.length < 12) continue;
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = `search ${rows.length} rows`;
  search.setAttribute("aria-label", "Search this table");
  search.className = "search";
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) row.hidden = Boolean(wanted) && !row.textContent.toLowerCase().includes(wanted);
  });
  (table.closest(".scroll") || table).before(search);
}

// One box chooses all entries of a list.
for (const all of document.querySelectorAll("input[data-all]")) {
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const one of document.getElementsByName(all.dataset.all)) one.checked = all.checked;
  });
}
