"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy).textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(document.getElementById(button.dataset.copy));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = "Selected: press Ctrl+C";
      }
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
        downloadFileName: name,
        actions: { export: true, source: false, compiled: false, editor: false },
      }).then(() => {
        place.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
      }).catch((problem) => { place.textContent = "This chart could not be drawn: " + problem; });
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  draw("light");
  if (dark.matches) draw("dark");
  dark.addEventListener("change", () => draw("dark"));
})();
