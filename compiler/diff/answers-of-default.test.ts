import { expect, it } from "vitest";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { among, answers, json, object, ref, text } from "./fixtures/document-builders.ts";
import { contractOf } from "./fixtures/document-of.ts";
import type { JsonObject } from "./json-at.ts";

const code = (...codes: readonly string[]): JsonObject => ({ type: "string", enum: [...codes] });
const components = among({
  Problem: object({ code: code("a", "b"), message: text }, "code", "message"),
  Denied: object({ code: code("a"), reason: text }, "code"),
});
const problem = json(ref("Problem"));
const denied = json(ref("Denied"));

/** The edits that are told, each once, with what is told of them. */
function told(base: JsonObject, head: JsonObject): readonly string[] {
  const [one, other] = [base, head].map((responses) => contractOf({ ...answers(responses), ...components }));
  const changes = one === undefined || other === undefined ? [] : diff(one, other, { includes, extent: "document" });
  const byEdit = Map.groupBy(changes, ({ edit }) => JSON.stringify(edit));
  return [...byEdit.values()].map(([first]) => first?.message.split(/ in the|: /)[0] ?? "");
}

const own = { "200": {}, "401": denied, default: problem };
const common = { "200": {}, default: problem };

it("tells of an answer that falls under the default as one edit", () => {
  expect(told(own, common)).toEqual(["the default in place of an answer for 401"]);
});

it("tells of an answer that comes out of the default as one edit", () => {
  expect(told(common, own)).toEqual(["an answer for 401 in place of the default"]);
});

it("tells nothing where both say the same", () => {
  const same = { ...own, "401": problem };
  expect([...told(same, common), ...told(common, same)]).toEqual([]);
});

it("tells of what was edited in the default itself", () => {
  const stricter = { "200": {}, default: json(object({ code: code("a", "b") })) };
  expect(told(common, stricter)).toEqual(["property `code` made optional", "required property `message` removed"]);
});
