import { describe, expect, it } from "vitest";
import type { Contract, Json } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";

const sent: Json = {
  requestBody: { content: { "application/json": { schema: { type: "object" } } } },
  responses: { "204": { description: "Read." } },
};

/** Webhooks by their names, and callbacks by their names and addresses, each with its methods. */
function withRequests(
  webhooks: Readonly<Record<string, readonly string[]>>,
  callbacks: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {},
  schemas: Json = {},
): Contract {
  const items = (named: Readonly<Record<string, readonly string[]>>): Json =>
    Object.fromEntries(
      Object.entries(named).map(([name, methods]) => [name, Object.fromEntries(methods.map((one) => [one, sent]))]),
    );
  const put = {
    callbacks: Object.fromEntries(Object.entries(callbacks).map(([name, addresses]) => [name, items(addresses)])),
    responses: { "204": { description: "Put." } },
  };
  return contractOf({
    ...{ openapi: "3.1.0", info: { title: "T", version: "1" }, components: { schemas } },
    ...{ paths: { "/things": { put } }, webhooks: items(webhooks) },
  });
}

const edits = (base: Contract, head: Contract) =>
  diff(base, head, { includes, extent: "document" }).map(({ id, edit: { at, before, after } }) =>
    [id, at, "-", ...before, "+", ...after].join(" "),
  );
const none = withRequests({});

describe("requests of the server that come or go with others are one edit", () => {
  it("with all webhooks of a document", () => {
    const some = withRequests({ sold: ["post"], paid: ["post"] });
    expect(new Set(edits(some, none))).toEqual(new Set(["webhook-removed /webhooks - paid sold +"]));
    expect(new Set(edits(none, some))).toEqual(new Set(["webhook-added /webhooks - + paid sold"]));
  });

  it("with all methods of a webhook", () => {
    const [one, two] = [withRequests({ paid: ["post"] }), withRequests({ paid: ["post"], sold: ["post", "put"] })];
    expect(edits(two, one)).toEqual([
      "webhook-removed /webhooks/sold - sold +",
      "webhook-removed /webhooks/sold - sold +",
    ]);
  });

  it("with all addresses of a callback", () => {
    const paid = { "{$url}": ["post"] };
    const some = withRequests({}, { paid, sold: { "{$url}": ["post"], "{$other}": ["post"] } });
    const sold = "webhook-removed /paths/~1things/put/callbacks/sold - sold +";
    expect(edits(some, withRequests({}, { paid }))).toEqual([sold, sold]);
    expect(new Set(edits(some, none))).toEqual(
      new Set(["webhook-removed /paths/~1things/put/callbacks - paid sold +"]),
    );
  });

  it("but not a method alone", () => {
    const [one, two] = [withRequests({ sold: ["post"] }), withRequests({ sold: ["post", "put"] })];
    expect(edits(two, one)).toEqual(["webhook-removed /webhooks/sold/put - put +"]);
  });
});

it("of several addresses of a callback one that is gone, or another, is told", () => {
  const with_ = (...addresses: readonly string[]): Contract =>
    withRequests({}, { sold: Object.fromEntries(addresses.map((one) => [one, ["post"]])) });
  const at = "/paths/~1things/put/callbacks/sold";
  expect(edits(with_("{$a}", "{$b}"), with_("{$b}"))).toEqual([`webhook-removed ${at}/{$a}/post - post +`]);
  expect(edits(with_("{$a}"), with_("{$b}"))).toEqual([`callback-changed ${at}/{$b}/post - +`]);
});

describe("a webhook by the name of a value that an enum gets", () => {
  const enumOf = (...values: readonly string[]): Json => ({
    Event: { type: "string", enum: values },
    Thing: { type: "object", properties: { event: { $ref: "#/components/schemas/Event" } } },
  });
  const answering = (contract: Contract): Contract => {
    const copy: Contract = JSON.parse(JSON.stringify(contract));
    const responses = { "200": { description: "It.", content: { "application/json": { schema: thing } } } };
    Object.assign(copy.services[0]?.document.paths ?? {}, { "/event": { get: { responses } } });
    return copy;
  };
  const thing = { $ref: "#/components/schemas/Thing" };

  it("is one edit with it, where the enum lists all webhooks", () => {
    const base = answering(withRequests({ paid: ["post"] }, {}, enumOf("paid")));
    const head = answering(withRequests({ paid: ["post"], sold: ["post"] }, {}, enumOf("paid", "sold")));
    expect(edits(base, head).toSorted()).toEqual([
      "response-body-widened /components/schemas/Event - + sold",
      "webhook-added /components/schemas/Event - + sold",
    ]);
  });

  it("is its own where the enum does not", () => {
    const base = answering(withRequests({ paid: ["post"] }, {}, enumOf("new")));
    const head = answering(withRequests({ paid: ["post"], sold: ["post"] }, {}, enumOf("new", "sold")));
    expect(edits(base, head).toSorted()).toEqual([
      "response-body-widened /components/schemas/Event - + sold",
      "webhook-added /webhooks/sold - + sold",
    ]);
  });
});
