import { describe, expect, test } from "vitest";
import { bodyLines } from "./body-lines.ts";

const at = (pointer: string, missing = false) => ({ pointer, missing, note: "n" });
const textOf = (lines: ReturnType<typeof bodyLines>): readonly string[] =>
  lines.map(({ text, mark }) => (mark === null ? `  ${text}` : `> ${text}`));

describe("lines of a body", () => {
  test("show what is marked on a line of its own, and every token as it was written", () => {
    expect(textOf(bodyLines('{"a":{"b":1.0,"c/d":[1e2,2]},"e":"x"}', 1000, [at("/a/c~1d/1")]))).toEqual([
      "  {",
      '    "a": {',
      '      "b": 1.0,',
      '      "c/d": [',
      "        1e2,",
      ">       2",
      "      ]",
      "    },",
      '    "e": "x"',
      "  }",
    ]);
  });

  test("show where something is missing", () => {
    expect(textOf(bodyLines('{"data":{"id":1}}', 1000, [at("/data/label", true)]))).toEqual([
      "  {",
      '    "data": {',
      '      "id": 1',
      '>     "label": (missing)',
      "    }",
      "  }",
    ]);
    expect(textOf(bodyLines('{"data":[]}', 1000, [at("/data/0", true)]))).toContain(">     (missing)");
  });

  test("mark all of what is no JSON, or has no member of that name", () => {
    expect(textOf(bodyLines("<h1>\noh", 1000, [at("/success", true)]))).toEqual(["> <h1>", "  oh"]);
    expect(textOf(bodyLines('{"a":1}', 1000, [at("")]))).toEqual(['> {"a": 1}']);
  });

  test("show the record whole of which a member is marked", () => {
    const record = (id: number) => ({ id, ...Object.fromEntries([..."abcdefgh"].map((name) => [name, `of ${id}`])) });
    const body = JSON.stringify({ data: Array.from({ length: 50 }, (_, id) => record(id)) });
    const lines = textOf(bodyLines(body, 200, [at("/data/30/id")]));
    expect(lines).toContain('>       "id": 30,');
    expect(lines).toContain('        "h": "of 30"');
    // Of others nothing, however much room there is.
    expect(lines.filter((line) => /"of \d+"/.test(line) && !line.includes("of 30"))).toEqual([]);
    expect(lines.filter((line) => line.includes("more)"))).toHaveLength(2);
  });

  test("never cut off what is marked", () => {
    const body = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `number ${id}` })));
    const lines = textOf(bodyLines(body, 200, [at("/150/name")]));
    expect(lines).toContain('>     "name": "number 150"');
    expect(lines.join("\n").length).toBeLessThan(600);
    expect(lines.filter((line) => line.includes("more)"))).toHaveLength(2);
    const long = "x".repeat(5000);
    expect(textOf(bodyLines(JSON.stringify({ long }), 200, [at("/long")])).join()).toContain(long);
  });

  test("cut long texts that are not marked where not all has room", () => {
    const body = JSON.stringify({
      long: "x".repeat(500),
      id: "the-id",
      more: Array.from({ length: 50 }, (_, at) => `n${at}`),
    });
    for (const marks of [[], [at("/id")]]) {
      const lines = textOf(bodyLines(body, 400, marks));
      expect(lines[1]).toMatch(/^ {4}"long": "x+… \(\d+ characters more\)$/);
      expect(lines.join("\n")).toContain('"id": "the-id"');
    }
    // As much as there is room for.
    expect(textOf(bodyLines(body, 2000, [at("/id")])).join("\n")).toContain("x".repeat(500));
  });
});
