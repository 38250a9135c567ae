import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compile, NodeHost } from "@typespec/compiler";
import { afterAll, expect, it } from "vitest";

const home = resolve(import.meta.dirname, "../..");
const root = mkdtempSync(join(tmpdir(), "bylaw-rules-"));
symlinkSync(join(home, "node_modules"), join(root, "node_modules"), "junction");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Facts of a rule after its sentence, and what is said of them. */
const planted: readonly (readonly [facts: string, code: string | null, says: string])[] = [
  ['#{ draft: #{ owner: "ann", expires: "2028-02-29" } }', null, ""],
  ['#{ assumed: "Kites do.", draft: #{ owner: "ann", expires: "2027-01-31" } }', null, ""],
  ['#{ draft: #{ owner: " ", expires: "2027-01-31" } }', "bylaw/rule-draft", "names its owner"],
  ['#{ draft: #{ owner: "ann", expires: "2027-02-30" } }', "bylaw/rule-draft", "such as 2027-01-31"],
  ['#{ draft: #{ owner: "ann", expires: "31.1.2027" } }', "bylaw/rule-draft", "such as 2027-01-31"],
  [
    '#{ unobservable: "It is dark.", draft: #{ owner: "ann", expires: "2027-01-31" } }',
    "bylaw/rule-draft",
    "take its draft away",
  ],
  ['#{ assumed: "Kites do.", observed: "Kites may." }', "bylaw/basis-conflict", "keep one of"],
];

it("says at the place of a rule's facts what is wrong with them", async () => {
  const spec = `import "${home}/spec/vocabulary/main.tsp";
using Bylaw;
model Kite {}
${planted.map(([facts], at) => `@@rule(Kite, "KIT-0${at + 1}", "It flies.", ${facts});`).join("\n")}
`;
  const entry = join(root, "main.tsp");
  writeFileSync(entry, spec);
  const { diagnostics } = await compile(NodeHost, entry, { noEmit: true });
  const said = diagnostics.map(({ code, message, target }) => {
    const at = typeof target === "object" && "pos" in target ? target.pos : -1;
    return { code, message, line: spec.slice(0, at).split("\n").length };
  });
  const wanted = planted.flatMap(([, code, says], at) =>
    code === null ? [] : [{ code, message: expect.stringContaining(says), line: at + 4 }],
  );
  expect(said).toEqual(wanted);
});
