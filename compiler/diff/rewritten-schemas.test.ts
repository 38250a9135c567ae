import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text: JsonSchema = { type: "string" };
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

interface Rewritten {
  /** What each breaking change is called, and where in the document it was made. */
  readonly told: readonly (readonly [headline: string, at: string])[];
  readonly direction: "request" | "response";
  readonly base: JsonSchema;
  readonly head: JsonSchema;
  readonly before?: Components;
  readonly after?: Components;
}

function breakingIn({ direction, base, head, before = {}, after = before }: Rewritten) {
  const changes = diff(documentOf(direction, base, before), documentOf(direction, head, after), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  });
  return changes
    .filter(({ verdict }) => verdict === "breaking")
    .map(({ message, edit }) => [message.slice(0, message.indexOf(": ")), edit.at]);
}

const answered = "/paths/~1things/post/responses/200/content/application~1json/schema";
const sent = "/paths/~1things/post/requestBody/content/application~1json/schema";

const person = object({ id: text, name: text, age: text, city: text }, "id", "name", "age");

describe("what a schema says that is written otherwise besides", () => {
  it.each<[string, Rewritten]>([
    [
      "a component stands in place of another one that still is there: all that follows is of that edit",
      {
        told: [
          [
            "schema `Summary` in place of `Person` in the 200 answer at /people/*",
            `${answered}/properties/people/items`,
          ],
          [
            "schema `Summary` in place of `Person` in the 200 answer at /people/*",
            `${answered}/properties/people/items`,
          ],
        ],
        ...{ direction: "response", before: { Person: person, Summary: object({ id: text }, "id") } },
        ...{ base: object({ people: list(ref("Person")) }), head: object({ people: list(ref("Summary")) }) },
      },
    ],
    [
      "the other one is put together of parts",
      {
        told: [["schema `Summary` in place of `Person` in the 200 answer", answered]],
        ...{ direction: "response", base: ref("Person"), head: ref("Summary") },
        before: {
          Person: { allOf: [ref("Named"), object({ id: text }, "id")] },
          Named: object({ name: text }, "name"),
        },
        after: { Person: person, Named: text, Summary: object({ id: text }, "id") },
      },
    ],
    [
      "a component that has another name now: what differs in it is told of it",
      {
        told: [["property `age` made optional in the 200 answer at /age", "/components/schemas/Human/properties/age"]],
        ...{ direction: "response", base: ref("Person"), head: ref("Human") },
        ...{ before: { Person: person }, after: { Human: { ...person, required: ["id", "name"] } } },
      },
    ],
    [
      "a schema becomes a component, and one member narrower",
      {
        told: [["maxLength 9 → 5 in the request body at /name", `${sent}/properties/name`]],
        ...{ direction: "request", base: object({ id: text, name: { ...text, maxLength: 9 } }), head: ref("Person") },
        after: { Person: object({ id: text, name: { ...text, maxLength: 5 } }) },
      },
    ],
    [
      "a member moves into a part, and gets a list of values",
      {
        told: [['enum ["a"] added in the request body at /kind', "/components/schemas/Rule/properties/kind"]],
        ...{ direction: "request", base: ref("Rule"), head: ref("Rule") },
        before: { Rule: object({ kind: text, id: text }, "kind") },
        after: {
          Rule: { allOf: [ref("Kind"), object({ id: text })] },
          Kind: object({ kind: { ...text, enum: ["a"] } }, "kind"),
        },
      },
    ],
    [
      "a type becomes alternatives",
      {
        told: [["type string → string or null in the 200 answer at /a", `${answered}/properties/a`]],
        direction: "response",
        ...{ base: object({ a: text }), head: object({ a: { anyOf: [text, { type: "null" }] } }) },
      },
    ],
    [
      "a type becomes a component",
      {
        told: [["type array → object in the 200 answer at /a", `${answered}/properties/a`]],
        direction: "response",
        ...{
          base: object({ a: list(text) }),
          head: object({ a: ref("Pages") }),
          after: { Pages: object({ b: text }) },
        },
      },
    ],
    [
      "a schema becomes alternatives, and a member narrower",
      {
        told: [
          [
            "type string or null → string in the request body at /content",
            "/components/schemas/Message/properties/content",
          ],
        ],
        ...{ direction: "request", base: ref("Message"), head: ref("Message") },
        before: {
          Message: object({ role: { enum: ["a", "b"] }, content: { type: ["string", "null"] } }, "role", "content"),
        },
        after: {
          Message: { oneOf: [ref("OfA"), ref("OfB")] },
          OfA: object({ role: { enum: ["a"] }, content: text }, "role", "content"),
          OfB: object({ role: { enum: ["b"] }, content: text }, "role", "content"),
        },
      },
    ],
    [
      "an alternative gets a member that others have",
      {
        told: [["required property `b` added in the request body", "/components/schemas/Two/properties/b"]],
        ...{
          direction: "request",
          base: { oneOf: [ref("One"), ref("Two")] },
          head: { oneOf: [ref("One"), ref("Two")] },
        },
        before: { One: object({ k: { const: 1 }, b: text }, "k"), Two: object({ k: { const: 2 } }, "k") },
        after: { One: object({ k: { const: 1 }, b: text }, "k"), Two: object({ k: { const: 2 }, b: text }, "k", "b") },
      },
    ],
    [
      "an object becomes one of several alternatives",
      {
        told: ["code", "id"].map(() => ["alternative `{error}` added in the 200 answer", answered]),
        ...{ direction: "response", base: object({ code: text, id: text }, "code", "id") },
        head: {
          oneOf: [object({ code: text, id: { ...text, title: "Id" } }, "code", "id"), object({ error: text }, "error")],
        },
      },
    ],
    [
      "a part comes along of which one alternative alone may hold",
      {
        told: [['alternatives `{"required":["a"]}`, `{"required":["b"]}` added in the request body', sent]],
        ...{ direction: "request", base: object({ a: text, b: text }) },
        head: { allOf: [object({ a: text, b: text }), { oneOf: [{ required: ["a"] }, { required: ["b"] }] }] },
      },
    ],
    [
      "a part comes along that takes members with it",
      {
        told: [["alternatives `{b}`, `{c}` added in the request body", sent]],
        ...{ direction: "request", base: object({ a: text, b: text, c: text }) },
        head: { allOf: [object({ a: text }), { oneOf: [object({ b: text }, "b"), object({ c: text }, "c")] }] },
      },
    ],
    [
      "a type becomes one of several, and the default is another",
      {
        told: [['default 3 → "max" in the request body at /n', `${sent}/properties/n`]],
        ...{ direction: "request", base: object({ n: { type: "integer", default: 3 } }) },
        head: object({ n: { oneOf: [{ type: "integer" }, { type: "string", enum: ["max"] }], default: "max" } }),
      },
    ],
    [
      "an extension comes along that refuses nothing",
      {
        told: [["maxLength 5 added in the request body at /a", `${sent}/properties/a/oneOf/0`]],
        direction: "request",
        base: object({ a: { oneOf: [text, list(text)] } }),
        head: object({ a: { oneOf: [{ ...text, maxLength: 5 }, list(text)], "x-expandable": true, default: "" } }),
      },
    ],
  ])("%s", (_, pair) => {
    expect(breakingIn(pair)).toEqual(pair.told);
  });
});

describe("what differs in an alternative that nothing tells apart", () => {
  const closed = (properties: JsonSchema): JsonSchema => ({ ...object(properties), additionalProperties: false });
  it.each<[string, Rewritten]>([
    [
      "is told where it was edited, not of a neighbour",
      {
        told: [["optional property `c` added in the 200 answer at /a", "/components/schemas/Inner/properties/c"]],
        ...{
          direction: "response",
          base: { oneOf: [{ type: "null" }, ref("Outer")] },
          head: { oneOf: [{ type: "null" }, ref("Outer")] },
        },
        before: { Outer: object({ z: text, a: ref("Inner") }), Inner: closed({ b: text }) },
        after: { Outer: object({ z: { ...text, title: "Z" }, a: ref("Inner") }), Inner: closed({ b: text, c: text }) },
      },
    ],
    [
      "is told where one side has the alternative alone",
      {
        told: [["property `id` made optional in the 200 answer at /id", "/components/schemas/Thing/properties/id"]],
        ...{ direction: "response", base: { oneOf: [{ type: "null" }, ref("Thing")] }, head: ref("Thing") },
        ...{ before: { Thing: object({ id: text }, "id") }, after: { Thing: object({ id: text }) } },
      },
    ],
    [
      "has no name, and is its counterpart's by its place",
      {
        told: [
          ["`b` may now be answered in the 200 answer at /code", "/components/schemas/Problem/anyOf/0/properties/code"],
        ],
        ...{ direction: "response", base: ref("Problem"), head: ref("Problem") },
        before: { Problem: { anyOf: [object({ code: { enum: ["a"] } }, "code"), { type: "null" }] } },
        after: { Problem: { anyOf: [object({ code: { enum: ["a", "b"] } }, "code"), { type: "null" }] } },
      },
    ],
  ])("%s", (_, pair) => {
    expect(breakingIn(pair)).toEqual(pair.told);
  });

  it.each<[string, Rewritten]>([
    [
      "of a request",
      {
        told: [
          [
            "property `type` made required in the request body at /choice/type",
            "/components/schemas/Choice/properties/type",
          ],
          [
            "property `function` made required in the request body at /choice/function",
            "/components/schemas/Choice/properties/function",
          ],
        ],
        ...{ direction: "request", base: object({ choice: { oneOf: [{ enum: ["none"] }, ref("Choice")] } }) },
        head: object({ choice: { oneOf: [{ enum: ["none"] }, ref("Choice")] } }),
        before: { Choice: object({ type: { enum: ["function"] }, function: object({ name: text }, "name") }) },
        after: {
          Choice: object(
            { type: { enum: ["function"] }, function: object({ name: text }, "name") },
            "type",
            "function",
          ),
        },
      },
    ],
    [
      "of an answer, in two alternatives",
      {
        told: [
          ["property `a` made optional in the 200 answer at /a", "/components/schemas/One/properties/a"],
          ["type integer → number in the 200 answer at /c", "/components/schemas/Many/properties/c"],
        ],
        ...{
          direction: "response",
          base: { anyOf: [ref("One"), ref("Many")] },
          head: { anyOf: [ref("One"), ref("Many")] },
        },
        before: { One: object({ a: text }, "a"), Many: object({ b: text, c: { type: "integer" } }, "b", "c") },
        after: { One: object({ a: text }), Many: object({ b: text, c: { type: "number" } }, "b", "c") },
      },
    ],
  ])("is told beside what else differs there: %s", (_, pair) => {
    expect(breakingIn(pair).toSorted()).toEqual(pair.told.toSorted());
  });

  it("is told as alternatives that came where one did", () => {
    const told = breakingIn({
      ...{ told: [], direction: "response", base: { oneOf: [ref("One")] }, head: { oneOf: [ref("One"), ref("Many")] } },
      before: { One: closed({ q: text }), Many: closed({ all: text }) },
    });
    expect(told).toEqual([["`Many` may now be answered in the 200 answer", answered]]);
  });
});
