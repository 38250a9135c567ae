import { describe, expect, it } from "vitest";
import { findNodes, NoSuchNode } from "./find-nodes.ts";

const source = `import { a } from "./a.ts";
class Courier {
  #pace = 1;
  start(): void {
    if (this.#pace > 1) return; // at once
    send({ kind: "first", at: now() });
  }
  stop(): void {
    send({ kind: "last", at: now(), });
  }
}
const twice = (x: number) => x * 2;`;

const found = (code: string, symbol: string | null = null): string => {
  const { start, end } = findNodes(source, code, symbol);
  return source.slice(start, end);
};

describe("nodes of a source", () => {
  it.each([
    ["an expression", "x*2", "x * 2"],
    ["a member of an object", 'kind: "last"', 'kind: "last"'],
    ["a member with the comma behind it", "kind: 'last',", 'kind: "last",'],
    ["a statement", "if (this.#pace>1) { return; }".replace(/[{}]/g, ""), "if (this.#pace > 1) return;"],
    ["a member of a class", "#pace=1", "#pace = 1;"],
    ["an import", "import {a} from './a.ts'", 'import { a } from "./a.ts";'],
    ["a parameter", "x: number", "x: number"],
    ["two statements, over a comment", 'if (this.#pace > 1) return; send({ kind: "first", at: now() });', null],
  ])("are found when they are %s", (_, code, expected) => {
    if (expected !== null) expect(found(code)).toBe(expected);
    else expect(found(code)).toContain("// at once");
  });

  it("are found in the declaration that is named", () => {
    expect(findNodes(source, "now()", "Courier.stop").start).toBeGreaterThan(source.indexOf("stop()"));
  });

  it.each([
    ["stands there twice", "now()", null, "2 times in the file (lines 6, 9)"],
    ["is gone", 'send({ kind: "second" })', null, 'near it, line 6: send({ kind: "first"'],
    ["is no code", "if (", null, "cannot be parsed"],
    ["is in a declaration that is gone", "now()", "Courier.pause", "no Courier.pause"],
  ])("are refused when one %s", (_, code, symbol, says) => {
    expect(() => findNodes(source, code, symbol)).toThrow(NoSuchNode);
    expect(() => findNodes(source, code, symbol)).toThrow(says);
  });
});
