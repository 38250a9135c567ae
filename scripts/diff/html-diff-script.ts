import { scrollingScript } from "../../conformance/reports/html-script.ts";

/** Script of the page of a comparison: filters, search, and letting the keyboard scroll what is long. Without it all is shown. */
export const diffScript = `
"use strict";
const chips = [...document.querySelectorAll(".chip")];
const search = document.querySelector("#search");
const area = document.querySelector("#area");
const shown = document.querySelector("#shown");
const items = [...document.querySelectorAll(".change")].map((node) => ({
  node,
  text: (node.closest("section").querySelector("h2").textContent + " " + node.textContent).toLowerCase(),
}));
const pressed = (kind) =>
  new Set(chips.filter((c) => c.dataset.kind === kind && c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.value));
function filter() {
  const verdicts = pressed("verdict");
  const states = pressed("state");
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let visible = 0;
  for (const { node, text } of items) {
    node.hidden = !(
      (verdicts.size === 0 || verdicts.has(node.dataset.verdict)) &&
      (states.size === 0 || states.has(node.dataset.state)) &&
      (area.value === "" || area.value === node.dataset.area) &&
      words.every((word) => text.includes(word))
    );
    if (!node.hidden) visible += 1;
  }
  for (const list of document.querySelectorAll("[data-list]")) {
    list.hidden = !list.querySelector(".change:not([hidden])");
  }
  shown.textContent = visible === items.length ? "" : visible + " of " + items.length + " changes shown";
}
for (const chip of chips) {
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  });
}
search.addEventListener("input", filter);
area.addEventListener("change", filter);
filter();
${scrollingScript}scrollable();
`;
