// The page's own script. Everything works without it but dropping files, live sliders and the moving progress bar.
"use strict";

// A dropped file goes into the form's file field, as if it had been chosen.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const field = zone.querySelector("input[type=file]");
  const say = zone.querySelector("[data-chosen]");
  const show = () => { if (say) say.textContent = [...field.files].map((file) => file.name).join(", "); };
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    field.files = event.dataTransfer.files;
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

// Forms that answer while one moves their sliders.
for (const form of document.querySelectorAll("form[data-live]")) {
  const target = document.querySelector(form.dataset.live);
  let waiting = 0;
  let running = null;
  const update = async () => {
    if (running) running.abort();
    running = new AbortController();
    const query = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(`${form.action}?${query}`, { headers: { "X-Fragment": "1" }, signal: running.signal });
      target.innerHTML = await answer.text();
      history.replaceState(null, "", `${form.action}?${query}`);
    } catch (error) { if (error.name !== "AbortError") target.textContent = "the server does not answer"; }
  };
  form.addEventListener("input", (event) => {
    const shown = event.target.id && form.querySelector(`output[for="${event.target.id}"]`);
    if (shown) shown.textContent = event.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(update, 250);
  });
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
