"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  // Where browsers keep no clipboard (no secure connection, a page cut off from others) a selection may be copied.
  const copied = async (from) => {
    try { await navigator.clipboard.writeText(from.textContent); return true; } catch { /* the other way */ }
    const range = document.createRange();
    range.selectNodeContents(from);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  };
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copied(document.getElementById(button.dataset.copy));
      button.textContent = done ? "Copied" : "Selected: press Ctrl+C";
    });
  }
  if (!window.vegaEmbed) return;
  const specifications = read("nofluke-charts"), darker = read("nofluke-dark"), drawn = new Set();
  const coloured = (name, scheme) => {
    const text = JSON.stringify(specifications[name]);
    if (scheme === "light") return JSON.parse(text);
    return JSON.parse(text.replace(/"(#[0-9a-f]{6})"/g, (whole, colour) => JSON.stringify(darker[colour] ?? colour)));
  };
  const draw = (scheme) => {
    if (drawn.has(scheme)) return;
    drawn.add(scheme);
    for (const place of document.querySelectorAll("." + scheme + " > .chart")) {
      const name = place.dataset.chart;
      window.vegaEmbed(place, coloured(name, scheme), {
        renderer: "svg",
        ast: true, // expressions are interpreted: making functions of text would need a policy that allows it
        downloadFileName: name,
        actions: { export: true, source: false, compiled: false, editor: false },
      }).then(() => {
        place.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
        // Vega announces groups of marks as graphics though they have no name: their marks speak for themselves.
        for (const empty of place.querySelectorAll("[role^=graphics]:not([aria-label])")) empty.removeAttribute("role");
        // Vega makes the file when a mouse is pressed on its link; who comes by Tab presses none.
        for (const link of place.querySelectorAll(".vega-actions a")) {
          link.addEventListener("focus", () => link.dispatchEvent(new MouseEvent("mousedown")));
        }
      }).catch((problem) => { place.textContent = "This chart could not be drawn: " + problem; });
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  draw("light");
  if (dark.matches) draw("dark");
  dark.addEventListener("change", () => draw("dark"));
})();
