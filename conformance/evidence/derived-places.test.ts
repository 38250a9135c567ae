import { describe, expect, test } from "vitest";
import { respond } from "../exchange/answer.ts";
import type { Delivery } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { derivedPlaces } from "./derived-places.ts";

function answered(
  number: number,
  json: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Exchange {
  return {
    ...{ number, operation: null, sentAt: 0, answeredAt: 1 },
    request: { method: "GET", url: "http://127.0.0.1/", headers: {}, body: null },
    outcome: { kind: "response", status, headers, text: JSON.stringify(json), json, truncated: false },
  };
}

const delivered = (number: number, headers: Delivery["headers"], json: unknown): Delivery => ({
  ...{ number, url: "http://127.0.0.1/hook", path: "/hook", method: "POST", headers },
  ...{ body: Buffer.from(JSON.stringify(json)), size: 1, truncated: false, broken: false, receivedAt: 2 },
  ...{ answer: respond(200), ending: { how: "given", at: 3 } },
});

const key = answered(7, { success: true, data: { id: "id-12345678", label: "kit", scopes: ["a", "b"] } });
const list = answered(8, { success: true, data: [{ id: "id-1" }, { id: "id-2" }], meta: { total: 2 } });
const refusal = answered(9, { success: false, error: { code: "NOT_FOUND", message: "no", hint: "ask" } }, 404);

const said = (expected: string, actual: string, ...evidence: (Exchange | Delivery)[]) =>
  derivedPlaces({ expected, actual }, null, evidence);
const compared = (what: string, actual: unknown, expected: unknown, ...evidence: Exchange[]) =>
  derivedPlaces({ expected: "", actual: "" }, { what, actual, expected }, evidence);
const inAnswer = (number: number) => ({ kind: "exchange", number });

describe("places of values that were compared", () => {
  test("are where the value stands under its name, and differs", () => {
    expect(compared("data.scopes", ["a", "b"], ["a"], key)).toEqual([
      { in: inAnswer(7), part: { kind: "member", pointer: "/data/scopes/1" }, admitted: null, seen: '"b"' },
    ]);
    expect(compared("meta.total", 2, 3, key, list)).toEqual([
      { in: inAnswer(8), part: { kind: "member", pointer: "/meta/total" }, admitted: "3", seen: "2" },
    ]);
  });

  test("are none for what a list was asked by", () => {
    const request = { method: "GET", url: "http://127.0.0.1/?http_status_min=499", headers: {}, body: null };
    const filtered = { ...answered(8, { success: true, data: [], meta: { total: 0 } }), request };
    expect(said("the attempts that match http_status_min 499", "one less", filtered)).toEqual([]);
    expect(said("the attempts with a next_page", "none", filtered)).not.toEqual([]);
  });

  test("are where a missing member would stand", () => {
    expect(compared("created_by", undefined, "me", key)).toEqual([
      { in: inAnswer(7), part: { kind: "member", pointer: "/data/created_by" }, admitted: '"me"', seen: null },
    ]);
  });

  test("are in the value itself where the evidence does not have it, or has it twice", () => {
    expect(compared("ids", ["id-12345678"], [], key)).toMatchObject([
      { in: inAnswer(7), part: { pointer: "/data/id" } },
    ]);
    expect(compared("how many", 2, 3, key)).toEqual([
      { in: null, part: { kind: "member", pointer: "" }, admitted: "3", seen: "2" },
    ]);
  });
});

describe("places of words", () => {
  test("are the status that they tell", () => {
    expect(said("a refusal", "200 success", key)).toEqual([
      { in: inAnswer(7), part: { kind: "status" }, admitted: "a refusal", seen: "200" },
    ]);
    expect(said("a success", "404 NOT_FOUND", refusal, key)).toMatchObject([{ in: inAnswer(9) }]);
  });

  test("are a header that they name, also one that is missing", () => {
    expect(said("Retry-After, whole seconds", "429 LIMITED, without", answered(1, {}, 429))).toMatchObject([
      { part: { kind: "header", name: "retry-after" }, seen: null },
    ]);
    const delivery = delivered(3, [["X-Svc-Event-ID", "evt_1"]], {});
    expect(said("X-Svc-Event-ID, evt_ and a UUID", '"evt_1"', key, delivery)).toEqual([
      {
        ...{ in: { kind: "delivery", number: 3 }, part: { kind: "header", name: "x-svc-event-id" } },
        ...{ admitted: "X-Svc-Event-ID, evt_ and a UUID", seen: "evt_1" },
      },
    ]);
  });

  test("are the header of a delivery whose value they quote, or the signature that is to verify", () => {
    const first = delivered(3, [["X-Svc-Event-ID", "evt_one-1"]], { id: "evt_one-1" });
    const second = delivered(4, [["X-Svc-Event-ID", "evt_two-2"]], { id: "evt_one-1" });
    expect(said("attempts of the one event evt_one-1", "evt_one-1 and evt_two-2", first, second)).toMatchObject([
      { in: { kind: "delivery", number: 4 }, part: { kind: "header", name: "x-svc-event-id" } },
    ]);
    const signed = delivered(5, [["X-Svc-Signature", "t=1,v1=a"]], {});
    expect(said("a delivery that verifies with the last secret", "it does not verify", key, signed)).toMatchObject([
      { in: { kind: "delivery", number: 5 }, part: { kind: "header", name: "x-svc-signature" }, seen: "t=1,v1=a" },
    ]);
  });

  test("are members that they call by their way, or by a name that stands once", () => {
    expect(said("the same answer", 'error.hint "ask" in place of (none)', refusal)).toMatchObject([
      { part: { pointer: "/error/hint" }, seen: '"ask"' },
    ]);
    expect(said("label, as it was sent", "another", key)).toMatchObject([{ part: { pointer: "/data/label" } }]);
  });

  test("are what they quote, where it stands under one name", () => {
    expect(
      said("attempts of brand.vetted", "one of campaign.shared", answered(4, { data: [{ type: "campaign.shared" }] })),
    ).toMatchObject([{ part: { pointer: "/data/0/type" } }]);
  });

  test("are nowhere rather than in one of several places", () => {
    expect(said("id, another one", "something", list)).toEqual([]);
    expect(said("less than before", "12 more", key)).toEqual([]);
  });
});

test("a body that is nested deeper than anybody can walk leaves a breach without a place", () => {
  const nested = (): unknown => {
    let value: unknown = "id-12345678";
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    return value;
  };
  const { outcome, ...exchange } = key;
  const deep: Exchange = { ...exchange, outcome: { ...outcome, json: { data: nested() } } as typeof outcome };
  expect(compared("data", nested(), "x", deep)).toEqual([]);
});
