import { describe, expect, it } from "vitest";
import type { Contract, Json, JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";

/** A webhook with this payload, answered with that; and a callback of an operation that is the same. */
function withWebhook(payload: JsonSchema, answer: JsonSchema): Contract {
  const sold: Json = {
    post: {
      requestBody: { required: true, content: { "application/json": { schema: payload } } },
      responses: { "200": { description: "Read.", content: { "application/json": { schema: answer } } } },
    },
  };
  const put = { callbacks: { sold: { "{$request.body#/url}": sold } }, responses: { "204": { description: "Put." } } };
  return contractOf({
    ...{ openapi: "3.1.0", info: { title: "T", version: "1" }, components: { schemas: {} } },
    ...{ paths: { "/things": { put } }, webhooks: { sold } },
  });
}

const object = (properties: JsonSchema): JsonSchema => ({ type: "object", properties });
const text: JsonSchema = { type: "string" };
const none = object({});

const found = (base: readonly [JsonSchema, JsonSchema], head: readonly [JsonSchema, JsonSchema]) =>
  diff(withWebhook(...base), withWebhook(...head), { includes, extent: "document" }).map(
    ({ id, verdict, pointer, operation }) => [id, verdict, pointer.split("/")[operation === null ? 1 : 4]].join(" "),
  );

/** What is told of the webhook, in a sentence. */
const told = (base: readonly [JsonSchema, JsonSchema], head: readonly [JsonSchema, JsonSchema]) =>
  diff(withWebhook(...base), withWebhook(...head), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  })
    .filter(({ operation }) => operation === null)
    .map(({ message }) => message);

describe("what webhooks and callbacks carry is read by clients", () => {
  it("an optional member that is new promises more", () => {
    expect(found([none, none], [object({ note: text }), none])).toEqual([
      "webhook-payload-narrowed safe callbacks",
      "webhook-payload-narrowed safe webhooks",
    ]);
  });

  it("a value that could not be sent before is breaking", () => {
    expect(
      found([object({ a: { type: "integer", maximum: 5 } }), none], [object({ a: { type: "integer" } }), none]),
    ).toEqual(["webhook-payload-widened breaking callbacks", "webhook-payload-widened breaking webhooks"]);
  });
});

describe("what answers them is written by clients", () => {
  it("a demand that is new is breaking", () => {
    expect(found([none, none], [none, { ...none, required: ["ok"] }])).toEqual([
      "webhook-answer-narrowed breaking callbacks",
      "webhook-answer-narrowed breaking webhooks",
    ]);
  });

  it("a demand that is gone is safe", () => {
    expect(found([none, { ...none, required: ["ok"] }], [none, none])).toEqual([
      "webhook-answer-widened safe callbacks",
      "webhook-answer-widened safe webhooks",
    ]);
  });
});

describe("a parameter of a webhook", () => {
  const withParameter = (schema: JsonSchema, explode = true): Contract => {
    const parameter: Json = { name: "k", in: "query", required: true, explode, schema };
    const sold: Json = { post: { parameters: [parameter], responses: { "204": { description: "Read." } } } };
    return contractOf({
      ...{ openapi: "3.1.0", info: { title: "T", version: "1" }, components: { schemas: {} } },
      ...{ paths: {}, webhooks: { sold } },
    });
  };
  const told = (base: Contract, head: Contract) =>
    diff(base, head, { includes, extent: "document" }).map(({ id, pointer }) => `${id} ${pointer}`);
  const list: JsonSchema = { type: "array", items: text };

  it("that has another shape is told with its schema alone", () => {
    expect(told(withParameter(text), withParameter(list))).toEqual([
      "webhook-parameters-widened /webhooks/sold/post/parameters/query k",
      "webhook-parameters-narrowed /webhooks/sold/post/parameters/query k",
    ]);
  });

  it("that is written otherwise is told at its place", () => {
    expect(told(withParameter(list), withParameter(list, false))).toEqual([
      "callback-changed /webhooks/sold/post/parameters/query:k",
    ]);
  });
});

describe("sentences name who receives and answers", () => {
  const kind = (...values: readonly string[]) => object({ kind: { enum: [...values] }, id: text });

  it.each<[what: string, base: JsonSchema, head: JsonSchema, payload: readonly string[], answer: readonly string[]]>([
    [
      "a value that comes",
      kind("a"),
      kind("a", "b"),
      [
        "`b` may now be sent in the payload of the webhook sold (POST) at /kind: a receiver that relies on what was promised meets a value that it never had to handle.",
      ],
      [
        "`b` is understood now in the answer to the webhook sold (POST) at /kind: no answer that was understood is misunderstood.",
      ],
    ],
    [
      "a value that goes",
      kind("a", "b"),
      kind("a"),
      [
        "`b` is sent no longer in the payload of the webhook sold (POST) at /kind: a receiver gains certainty and loses nothing.",
      ],
      [
        "`b` is understood no longer in the answer to the webhook sold (POST) at /kind: a receiver that answers with such a value is misunderstood.",
      ],
    ],
    [
      "a member that goes",
      object({ note: text, id: text }),
      object({ id: text }),
      [
        "optional property `note` removed in the payload of the webhook sold (POST): a receiver that used it, when it was there, never can.",
      ],
      [
        "optional property `note` removed in the answer to the webhook sold (POST): what a receiver answers in it has no effect, or is refused.",
      ],
    ],
  ])("of %s", (_, base, head, payload, answer) => {
    expect(told([base, none], [head, none])).toEqual(payload);
    expect(told([none, base], [none, head])).toEqual(answer);
  });
});
