import { expect, test } from "vitest";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { ToldStep } from "../story/step.ts";
import { contrastElsewhere, contrastSteps, contrastText } from "./contrast-text.ts";

test("refusals that left alone what one of them changed are told by their answers, with how many there were", () => {
  const spared = ["422 VALIDATION_FAILED", "401 UNAUTHORIZED", "422 VALIDATION_FAILED"];
  expect(contrastText({ told: null, at: [], spared })).toBe(
    "nothing changed after 401 UNAUTHORIZED, 422 VALIDATION_FAILED ×2",
  );
  expect(contrastText({ told: null, at: [] })).toBeNull();
});

const sent = (exchange: number, status: number, body: object): ToldStep => ({
  ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
  request: { method: "POST", url: "http://127.0.0.1:1/v1/messages", headers: {}, body: JSON.stringify(body) },
  outcome: { kind: "response", status, json: undefined, ...(status < 400 ? {} : { code: "QUIET" }) },
});
const stop: ToldStep = { ...sent(0, 200, {}), through: "sandbox", what: "receive a text", exchange: null };
const statusAt = (number: number): ToldFinding["at"] => [
  { in: { kind: "exchange", number }, part: { kind: "status" }, admitted: null, seen: null },
];

test("a call is told that was answered as now before something changed", () => {
  const told = { steps: [sent(1, 202, { to: "a" }), stop, sent(3, 202, { to: "a" })], omitted: 0 };
  const came = { status: 202, code: null, isSuccess: true };
  const asked = { told, at: statusAt(3), came };
  expect(contrastText(asked)).toBe("step 1, the same call before step 2 (receive a text): 202 as well");
  expect(contrastSteps(asked)).toEqual([1, 2]);
});

test("a call without something is told that was refused as one with it, where that was to be served", () => {
  const told = { steps: [sent(1, 422, { to: "a" }), sent(2, 422, { to: "a", at: "noon" })], omitted: 0 };
  const asked = { told, at: statusAt(2), came: { status: 422, code: "QUIET", isSuccess: false } };
  expect(contrastText({ ...asked, admits: ["success"] })).toBe("step 1, the same call without at: 422 QUIET as well");
  expect(contrastText({ ...asked, admits: ["NotFound"] })).toBeNull();
});

test("another operation that was refused as admitted is told, and a like call after which all was as it is to be", () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const to = (step: ToldStep, path: string): ToldStep => ({
    ...step,
    request: step.request && { ...step.request, url: `http://127.0.0.1:1${path}` },
  });
  const steps = [to(sent(1, 409, { thing_id: id }), "/v1/orders"), sent(2, 202, { thing_id: id })];
  const at = statusAt(2).map((place) => ({ ...place, admitted: "409 QUIET" }));
  expect(contrastText({ told: { steps, omitted: 0 }, at })).toBe(
    "step 1, POST /v1/orders with the same thing_id: 409 QUIET",
  );
  const told = { steps: [sent(1, 202, { to: "a" }), sent(2, 202, { to: "b" }), sent(3, 202, { to: "a" })], omitted: 0 };
  const tally = { what: "calls" as const, failed: 1, of: 3, apart: null, rows: [], steps: [], held: [1, 2] };
  const last = { number: 3 } as ToldFinding["exchanges"][number];
  expect(contrastText({ told, at: [], tally, exchanges: [last] })).toBe(
    "step 1, the same call, after which it was as it is to be",
  );
  expect(contrastSteps({ told, at: [], tally, exchanges: [last] })).toEqual([1]);
});

test("the very same call that went the other way is told with what lies between, and where a moment differs by how much", () => {
  const day: ToldStep = {
    ...{ ...sent(0, 200, { seconds: 86_400 }), through: "sandbox", what: "move the clock", exchange: null },
  };
  const told = { steps: [sent(1, 202, { to: "a" }), day, sent(3, 409, { to: "a" })], omitted: 0 };
  expect(contrastText({ told, at: statusAt(3) })).toBe(
    "step 1, the same call before step 2 (move the clock by 1 d): 202",
  );
  expect(contrastSteps({ told, at: statusAt(3) })).toEqual([1, 2]);
  // What each call has for itself is no other call.
  const own = (digit: string) => ({ to: `${digit.repeat(8)}-2222-4333-8444-555555555555` });
  const fresh = { steps: [sent(1, 202, own("1")), day, sent(3, 409, own("2"))], omitted: 0 };
  expect(contrastText({ told: fresh, at: statusAt(3) })).toBe(
    "step 1, the same call with another to before step 2 (move the clock by 1 d): 202",
  );
  const at = (hour: string) => ({ at: `2026-01-15T${hour}:00:00.000Z` });
  const asked = { told: { steps: [sent(1, 202, at("12")), sent(2, 422, at("11"))], omitted: 0 }, at: statusAt(2) };
  expect(contrastText(asked)).toBe('step 1, the same call with at "2026-01-15T12:00:00.000Z" (1 h later): 202');
  expect(contrastElsewhere(asked)).toEqual({
    by: "at",
    says: 'the same call with at "2026-01-15T12:00:00.000Z" (1 h later): 202',
  });
  expect(contrastElsewhere({ told, at: statusAt(3) })).toBeNull();
});
