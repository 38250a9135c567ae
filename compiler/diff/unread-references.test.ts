import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../contract.ts";
import { readOpenApi } from "../read-openapi.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { among, object, of, ref, text } from "./fixtures/document-builders.ts";
import type { JsonObject } from "./json-at.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-unread-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(document: JsonObject) {
  const path = join(folder, "document.json");
  writeFileSync(path, JSON.stringify(document));
  const { contract, problems } = await readOpenApi(path, folder);
  if (contract === null) throw new Error("A document is read whose references lead nowhere.");
  return { contract, codes: problems.map(({ code }) => code) };
}

/** What is told both ways round, as `verdict id`, each edit once. */
async function told(base: JsonObject, head: JsonObject): Promise<readonly (readonly string[])[]> {
  const [one, other] = [await read(base), await read(head)];
  return [[one.contract, other.contract] as const, [other.contract, one.contract] as const].map(([before, after]) => {
    const changes = diff(before, after, { includes: (a, b) => includes(a, b, "names"), extent: "document" });
    return [
      ...new Map(changes.map(({ id, verdict, edit }) => [JSON.stringify([id, edit]), `${verdict} ${id}`])).values(),
    ].sort();
  });
}

const body = (schema: Json): JsonObject => ({ content: { "application/json": { schema } } });
const answer = (schema: Json): JsonObject => ({ description: "Done.", ...body(schema) });
const thing = object({ a: text, b: text }, "a");
const known = {
  components: { schemas: { Thing: thing }, parameters: { Page: { name: "page", in: "query", schema: text } } },
};

describe("a reference that leads nowhere", () => {
  it("is told with its place, and the rest is read", async () => {
    expect((await read(of({ responses: { "200": answer(ref("Gone")) } }, among({ Thing: thing })))).codes).toEqual([
      "broken-reference",
    ]);
  });

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      "of an answer's schema is not decided",
      of({ responses: { "200": answer(ref("Thing")) } }, known),
      of({ responses: { "200": answer(ref("Gone")) } }, known),
      ["risky malformed-keyword-changed"],
    ],
    [
      "of a body's schema is not decided",
      of({ requestBody: body(ref("Thing")) }, known),
      of({ requestBody: body(ref("Gone")) }, known),
      ["risky malformed-keyword-changed"],
    ],
    [
      "of a member's schema is not decided",
      of({ requestBody: body(object({ c: ref("Thing") })) }, known),
      of({ requestBody: body(object({ c: ref("Gone") })) }, known),
      ["risky malformed-keyword-changed"],
    ],
    [
      "in place of an answer is not decided",
      of({ responses: { "200": answer(text), "404": answer(text) } }, known),
      of({ responses: { "200": answer(text), "404": ref("Gone", "responses") } }, known),
      ["risky part-unread"],
    ],
    [
      "in place of a body is not decided",
      of({ requestBody: body(text) }, known),
      of({ requestBody: ref("Gone", "requestBodies") }, known),
      ["risky part-unread"],
    ],
    [
      "in place of a parameter is not decided",
      of({ parameters: [ref("Page", "parameters")] }, known),
      of({ parameters: [ref("Pag", "parameters")] }, known),
      ["risky part-unread"],
    ],
    [
      "in place of a path is not decided",
      of({}, known),
      { ...of({}, known), paths: { "/things": { $ref: "#/components/pathItems/Gone" } } },
      ["risky part-unread"],
    ],
    [
      "on both sides is no change",
      of({ parameters: [ref("Pag", "parameters")], requestBody: body(ref("Gone")) }, known),
      of({ parameters: [ref("Pag", "parameters")], requestBody: body(ref("Gone")) }, known),
      [],
    ],
  ])("%s", async (_, base, head, expected) => {
    const [forth, back] = await told(base, head);
    const isGrave = (one: string): boolean => !one.startsWith("safe");
    expect({ forth: forth?.filter(isGrave), back: back?.filter(isGrave) }).toEqual({ forth: expected, back: expected });
  });

  it.each([
    ["one side", ref("Thing"), "whether anything new is admitted was not decided"],
    ["both sides", ref("Lost"), "it leads nowhere on both sides, so what differs there was not decided"],
  ])("is told with its reason, on %s", async (_, before, says) => {
    const [base, head] = [
      await read(of({ responses: { "200": answer(before) } }, known)),
      await read(of({ responses: { "200": answer(ref("Gone")) } }, known)),
    ];
    const [change] = diff(base.contract, head.contract, {
      includes: (a, b) => includes(a, b, "names"),
      extent: "document",
    });
    expect(change).toMatchObject({
      message: expect.stringContaining(says),
      evidence: { kind: "unproven", why: "the reference leads nowhere" },
    });
  });

  it("is not told as a reference to another, where both sides have the same", async () => {
    const named = of({ responses: { "200": answer(ref("Later")) } }, among({ Later: thing }));
    const [base, head] = [await read(named), await read(of({ responses: { "200": answer(ref("Later")) } }, known))];
    const [change] = diff(base.contract, head.contract, {
      includes: (a, b) => includes(a, b, "names"),
      extent: "document",
    });
    expect(change?.message).toMatch(/^\$ref "#\/components\/schemas\/Later" in the 200 answer: /);
  });

  it("hides nothing beside it", async () => {
    const sized = (maximum: number): JsonObject => ({
      name: "size",
      in: "query",
      schema: { type: "integer", maximum },
    });
    const [forth] = await told(
      of({ parameters: [ref("Page", "parameters"), sized(9)], responses: { "200": answer(thing) } }, known),
      of(
        { parameters: [ref("Pag", "parameters"), sized(5)], responses: { "200": answer(object({ a: text })) } },
        known,
      ),
    );
    expect(forth?.filter((one) => one.startsWith("breaking"))).toEqual([
      "breaking parameter-narrowed",
      "breaking response-body-widened",
    ]);
  });
});
