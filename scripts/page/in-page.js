// Runs within a page in a browser, behind axe-core, and tells the page around it what is wrong.
const wrong = [];
const must = (holds, what) => {
  if (!holds) wrong.push(what);
};
const all = (selector) => [...document.querySelectorAll(selector)];
const visible = (selector) => all(selector).filter((node) => !node.hidden && node.closest("[hidden]") === null);
const press = (node) => node.click();

function tryFilters() {
  const [chip] = all(".chip");
  if (chip === undefined) return;
  const verdict = chip.dataset.verdict;
  press(chip);
  must(chip.getAttribute("aria-pressed") === "true", "a filter that is pressed says so");
  must(
    visible(".rule, .cause").every((node) => node.classList.contains(verdict)),
    `the filter ${verdict} leaves others`,
  );
  must(visible(".rule").length === Number(chip.querySelector("b").textContent), `the filter ${verdict} miscounts`);
  const hidden = all(".rule").find((node) => node.hidden);
  if (hidden !== undefined) {
    location.hash = `#${hidden.id}`;
    dispatchEvent(new HashChangeEvent("hashchange"));
    must(!hidden.hidden && hidden.open, "an address opens what filters hid");
  } else press(chip);
  const [rule] = all(".rule");
  const search = document.querySelector("#search");
  search.value = rule.id;
  search.dispatchEvent(new Event("input"));
  const isNarrowed = visible(".rule").length < all(".rule").length || all(".rule").length === 1;
  must(!rule.hidden && isNarrowed, "a search does not narrow the rules");
  search.value = "";
  search.dispatchEvent(new Event("input"));
  const area = document.querySelector("#area");
  area.value = rule.id.split("-")[0];
  area.dispatchEvent(new Event("change"));
  must(
    visible(".rule").every((node) => node.id.startsWith(`${area.value}-`)),
    "an area leaves others",
  );
  area.value = "";
  area.dispatchEvent(new Event("change"));
  must(visible(".rule").length === all(".rule").length, "filters that are given up leave rules hidden");
}

/** The same of a page of changes. */
function tryChangeFilters() {
  const changes = all(".change");
  const [chip] = all(".chip");
  if (chip === undefined) return;
  const { kind, value } = chip.dataset;
  press(chip);
  must(chip.getAttribute("aria-pressed") === "true", "a filter that is pressed says so");
  must(visible(".change").length === Number(chip.querySelector("b").textContent), `the filter ${value} miscounts`);
  must(
    visible(".change").every((node) => node.dataset[kind] === value),
    `the filter ${value} leaves others`,
  );
  press(chip);
  const search = document.querySelector("#search");
  search.value = "no change says this";
  search.dispatchEvent(new Event("input"));
  must(visible(".change").length === 0, "a search for what is nowhere leaves changes");
  search.value = changes[0].querySelector(".sentence").textContent;
  search.dispatchEvent(new Event("input"));
  must(!changes[0].hidden, "a search does not find what a change says");
  search.value = "";
  search.dispatchEvent(new Event("input"));
  const area = document.querySelector("#area");
  area.value = changes[0].dataset.area;
  area.dispatchEvent(new Event("change"));
  must(
    visible(".change").every((node) => node.dataset.area === area.value),
    "an area leaves others",
  );
  area.value = "";
  area.dispatchEvent(new Event("change"));
  must(visible(".change").length === changes.length, "filters that are given up leave changes hidden");
}

async function tryCopying() {
  const [button] = visible(".copy button");
  if (button === undefined) return;
  // The clipboard itself takes its own time, which no clock of the page tells.
  const copied = [];
  const clipboard = { writeText: async (text) => void copied.push(text) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  press(button);
  await new Promise((done) => setTimeout(done, 50));
  must(copied.join() === button.nextElementSibling.textContent, "a button copies something else");
  must(button.textContent !== "Copy", "a button to copy does not say that it did");
}

function tryLinks() {
  for (const link of all('a[href^="#"]')) {
    const id = decodeURIComponent(link.getAttribute("href").slice(1));
    must(document.getElementById(id) !== null, `a link leads nowhere: #${id}`);
  }
}

function tryFocus() {
  for (const node of visible("a, button, input, select, summary").slice(0, 200)) {
    node.focus();
    const isSound = document.activeElement === node && getComputedStyle(node).outlineStyle !== "none";
    must(isSound, `no keyboard reaches, or no focus shows at ${node.outerHTML.slice(0, 80)}`);
    if (!isSound) return;
  }
}

function tryWidth() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return;
  const wide = all("main *, header *").find((node) => node.getBoundingClientRect().right > width + 1);
  wrong.push(`wider than ${width} px: ${wide?.outerHTML.slice(0, 120)}`);
}

async function tryPage() {
  if (all(".change").length > 0) tryChangeFilters();
  else tryFilters();
  for (const details of all("details")) details.open = true;
  // The page hears of that in a task of its own.
  await new Promise((done) => setTimeout(done, 50));
  tryLinks();
  await tryCopying();
  tryFocus();
  tryWidth();
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  for (const { id, help, nodes } of violations)
    wrong.push(`${id}: ${help} (${nodes.length}), such as ${nodes[0].html.slice(0, 160)}`);
}

tryPage()
  .catch((problem) => wrong.push(`the trial itself failed: ${problem.stack}`))
  .finally(() => parent.postMessage(wrong, "*"));
