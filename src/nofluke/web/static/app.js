// The page's own script. Everything works without it but dropping files, live sliders and the moving progress bar.
"use strict";

// The files below what was dropped: files as they are, folders with all that is in them but hidden files.
const below = async (entry) => {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
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
  if (!entries.some((entry) => entry.isDirectory)) return transfer.files;
  const all = new DataTransfer();
  for (const file of (await Promise.all(entries.map(below))).flat()) {
    if (/\.(jsonl?|eval|xml|csv|tsv|parquet)$/i.test(file.name)) all.items.add(file);
  }
  return all.files;
};

// A dropped file goes into the form's file field, as if it had been chosen.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const field = zone.querySelector("input[type=file]");
  const say = zone.querySelector("[data-chosen]");
  const names = () => [...field.files].map((file) => file.name);
  const show = () => { if (say) say.textContent = field.files.length > 5 ? `${field.files.length} files` : names().join(", "); };
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    field.files = await dropped(event.dataTransfer);
    show();
    if (zone.dataset.drop === "submit") field.form.requestSubmit();
  });
  field.addEventListener("change", () => { show(); if (zone.dataset.drop === "submit") field.form.requestSubmit(); });
}

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
      if (answer.ok) target.innerHTML = await answer.text();
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

// Copy buttons beside code.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).textContent);
    button.textContent = "copied";
  });
}

// Ask before something is deleted.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => { if (!window.confirm(form.dataset.confirm)) event.preventDefault(); });
}
