/** Shares of a bar in percent, as classes, so that no inline style is needed. */
const widths = Array.from({ length: 100 }, (_, i) => `.w${i + 1} { flex: ${i + 1} 0 0; }`).join("\n");

/** Style sheet of the HTML report. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --ink: #1d1f21; --soft: #5c6166; --line: #dfe0dc; --well: #f2f2ef;
  --pass: #1a7f45; --fail: #c4242b; --warn: #8f5b00; --blocked: #52607a; --observed: #1f66b0;
  --kit_error: #8239a8; --not_applicable: #6a6e72; --focus: #1f66b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151719; --card: #1d2023; --ink: #e7e8e9; --soft: #a3a9af; --line: #33383d; --well: #16181a;
    --pass: #5ac685; --fail: #ff7b7b; --warn: #e5b45a; --blocked: #9fb0cd; --observed: #79b4f2;
    --kit_error: #cf95ee; --not_applicable: #a0a5aa; --focus: #79b4f2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
main, header.top > div { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header.top { background: var(--card); border-bottom: 1px solid var(--line); padding: 1.75rem 0 1.25rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .35rem; letter-spacing: -.01em; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .75rem; }
h3 { font-size: .95rem; margin: 1.5rem 0 .4rem; color: var(--soft); font-weight: 600; }
p { margin: .35rem 0; }
a { color: var(--observed); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.facts { color: var(--soft); display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: 0; padding: 0; list-style: none; }
.scope { margin: .4rem 0 0; }
.bar { display: flex; height: 10px; border-radius: 5px; overflow: hidden; gap: 2px; margin: 1.1rem 0 .9rem; }
.bar i { min-width: 4px; background: currentColor; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.chip {
  font: inherit; font-size: .9rem; padding: .2rem .7rem; border-radius: 1rem; border: 1px solid var(--line);
  background: transparent; color: var(--ink); cursor: pointer;
}
.chip b { font-variant-numeric: tabular-nums; margin-left: .25rem; }
.chip::before { content: ""; display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; background: var(--tint); margin-right: .4rem; }
.chip[aria-pressed="true"] { border-color: var(--tint); background: color-mix(in srgb, var(--tint) 16%, transparent); }
.filters input, .filters select {
  font: inherit; font-size: .9rem; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--card); color: var(--ink);
}
.filters input { flex: 1 1 12rem; min-width: 9rem; }
.shown { color: var(--soft); font-size: .9rem; margin: .5rem 0 0; }
.pass { --tint: var(--pass); } .fail { --tint: var(--fail); } .warn { --tint: var(--warn); }
.blocked { --tint: var(--blocked); } .observed { --tint: var(--observed); }
.kit_error { --tint: var(--kit_error); } .not_applicable { --tint: var(--not_applicable); }
.bar i, .badge { color: var(--tint); }
.badge {
  font-size: .72rem; font-weight: 650; letter-spacing: .03em; text-transform: uppercase; white-space: nowrap;
  border: 1px solid currentColor; border-radius: 4px; padding: 0 .35rem; line-height: 1.35rem; height: 1.45rem;
}
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
details.cause { border-left: 4px solid var(--tint); }
details.warnings { border-left: 4px solid var(--tint); margin-top: 1.5rem; }
summary { cursor: pointer; padding: .6rem .9rem; display: flex; gap: .75rem; align-items: flex-start; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after { content: "›"; margin-left: auto; color: var(--soft); font-size: 1.2rem; line-height: 1.3rem; transition: transform .12s; }
details[open] > summary::after { transform: rotate(90deg); }
@media (prefers-reduced-motion: reduce) { summary::after { transition: none; } }
.sentences { display: block; min-width: 0; }
.sentence { display: block; min-width: 0; }
.id { font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; margin-right: .5rem; }
.body { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
.contents ol { margin: .3rem 0 1rem; padding-left: 1.6rem; }
.contents li { margin: .2rem 0; }
.rules { border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow: hidden; }
.rules details { margin: 0; border: 0; border-radius: 0; border-top: 1px solid var(--line); }
.rules > details:first-child { border-top: 0; }
.rules summary { padding: .4rem .9rem; }
.rules .badge { min-width: 8rem; text-align: center; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .75rem 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
code, pre { font: .86rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
pre {
  background: var(--well); border: 1px solid var(--line); border-radius: 6px; padding: .65rem .8rem; margin: .4rem 0;
  overflow: auto; max-height: 36rem; white-space: pre-wrap;
}
.label { color: var(--soft); font-size: .88rem; margin: .8rem 0 0; }
.wire summary { padding: .35rem .8rem; font-size: .92rem; }
.wire .when { font-size: .85rem; opacity: .75; margin-right: .5rem; white-space: nowrap; }
.wire .body { padding: 0 .8rem .8rem; }
.story summary { padding: .35rem .8rem; font-size: .92rem; }
.story ol { margin: 0 0 .6rem; padding: 0 .8rem 0 2.8rem; }
.story li { margin: .15rem 0; }
.story li.evidence { font-weight: 650; }
.story .label { padding: 0 .8rem .5rem; margin: 0; }
.follows summary { padding: .35rem .8rem; font-size: .92rem; }
.follows ul { margin: 0 0 .6rem; padding: 0 .8rem; list-style: none; }
.follows li { overflow-wrap: anywhere; margin: .3rem 0; }
mark { background: color-mix(in srgb, var(--fail) 18%, transparent); color: inherit; border-radius: 3px; padding: 0 .2em; font-weight: 650; }
.likely { border-left: 4px solid var(--warn); padding-left: .7rem; overflow-wrap: anywhere; }
.note { color: var(--fail); } .minor { color: var(--soft); }
.differs { margin: .3rem 0; padding: 0; list-style: none; }
.differs li { display: grid; margin: .35rem 0; }
.differs del, .differs ins { text-decoration: none; padding-left: 1rem; font: .86rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
.alike { margin: .3rem 0; padding: 0; list-style: none; }
.alike .failed { color: var(--fail); } .alike .held { color: var(--pass); }
.differs del { color: var(--pass); } .differs del::before { content: "− "; }
.differs ins { color: var(--fail); } .differs ins::before { content: "+ "; }
.copy { position: relative; }
.copy button {
  position: absolute; top: .35rem; right: .35rem; font: inherit; font-size: .8rem; padding: .05rem .5rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: 5px; background: var(--card); color: var(--soft);
}
.copy pre { padding-right: 4.5rem; }
table { border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem; text-align: right; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; }
ul.plain { margin: .3rem 0; padding-left: 1.1rem; }
footer { color: var(--soft); font-size: .85rem; margin: 2.5rem auto 2rem; }
[hidden] { display: none !important; }
${widths}
@media (max-width: 40rem) {
  main, header.top > div { padding: 0 .75rem; }
  summary { flex-wrap: wrap; gap: .3rem .6rem; }
  .sentences, .sentence { flex: 1 1 12rem; }
  .rules .badge { min-width: 0; }
  dl { grid-template-columns: 1fr; gap: 0; } dt { margin-top: .4rem; }
}
@media print { .filters, .copy button { display: none; } pre { max-height: none; } }
`;
