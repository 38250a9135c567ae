/** Script of a page that lets the keyboard scroll what is long, as soon as it is shown. */
export const scrollingScript = `function scrollable() {
  for (const pre of document.querySelectorAll("pre")) pre.tabIndex = pre.scrollHeight > pre.clientHeight ? 0 : -1;
}
document.addEventListener("toggle", scrollable, true);
addEventListener("resize", scrollable);
`;

/**
 * Script of the HTML report: filters, copying, opening what an address points at, and letting the keyboard scroll what
 * is long. Without it all is shown.
 */
export const htmlScript = `
"use strict";
const chips = [...document.querySelectorAll(".chip")];
const search = document.querySelector("#search");
const area = document.querySelector("#area");
const shown = document.querySelector("#shown");
const items = [...document.querySelectorAll(".cause, .rule")].map((node) => ({
  node,
  verdict: node.classList[1],
  areas: (node.dataset.areas ?? node.id.split("-")[0]).split(" "),
  text: node.textContent.toLowerCase(),
}));
function filter() {
  const verdicts = new Set(chips.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.verdict));
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const { node, verdict, areas, text } of items) {
    node.hidden = !(
      (verdicts.size === 0 || verdicts.has(verdict)) &&
      (area.value === "" || areas.includes(area.value)) &&
      words.every((word) => text.includes(word))
    );
  }
  for (const list of document.querySelectorAll("[data-list]")) {
    list.hidden = !list.querySelector(".cause:not([hidden]), .rule:not([hidden])");
  }
  const warnings = document.querySelector("#warnings");
  if (warnings && (verdicts.has("warn") || words.length > 0)) warnings.open = true;
  const rules = document.querySelectorAll(".rule");
  const visible = document.querySelectorAll(".rule:not([hidden])");
  shown.textContent = visible.length === rules.length ? "" : visible.length + " of " + rules.length + " rules shown";
}
for (const chip of chips) {
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  });
}
search.addEventListener("input", filter);
area.addEventListener("change", filter);
for (const button of document.querySelectorAll(".copy button")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.nextElementSibling.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.nextElementSibling);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}
${scrollingScript}function reveal() {
  const node = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (!(node instanceof HTMLDetailsElement)) return;
  if (node.hidden) {
    for (const chip of chips) chip.setAttribute("aria-pressed", "false");
    search.value = "";
    area.value = "";
    filter();
  }
  for (let at = node; at; at = at.parentElement?.closest("details")) at.open = true;
  node.scrollIntoView();
}
addEventListener("hashchange", reveal);
filter();
scrollable();
reveal();
`;
