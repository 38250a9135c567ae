import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadDocument, UnreadableDocument } from "./load-document.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-yaml-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function loaded(text: string) {
  const path = join(folder, "document.yaml");
  writeFileSync(path, text);
  return (await loadDocument(path, 1_000_000)).document;
}

const fault = (text: string): Promise<unknown> =>
  loaded(text).then(
    () => null,
    (problem: unknown) => problem,
  );

it("quoted texts and brackets are read that are indented too little, and what follows stays in its line", async () => {
  const text = [
    "info:",
    '  description: "Hello,',
    "  world: \\",
    '  \\ it\'s \\"me\\"."',
    "  title: 'One",
    "",
    "two'",
    "  example: [",
    "    {",
    '  "a": "}"',
    "}",
    "  ]",
    "  last: 1",
  ].join("\n");
  const { json, locate } = await loaded(text);
  expect(json).toEqual({
    info: { description: 'Hello, world:  it\'s "me".', title: "One\ntwo", example: [{ a: "}" }], last: 1 },
  });
  expect(locate(["info", "last"])).toEqual({ line: 13, column: 9 });
});

it("a quote that never ends is told", async () => {
  const problem = await fault('info:\n  title: "One\n  version: 1\n');
  expect(problem).toBeInstanceOf(UnreadableDocument);
  expect(problem).toMatchObject({ message: expect.stringContaining("Missing closing") });
});

it("brackets that never end are none", async () => {
  expect(await fault("info:\n  tags: [\n  a, b\nother: 1\n")).toBeInstanceOf(UnreadableDocument);
});
