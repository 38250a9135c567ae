import { expect, test } from "vitest";
import type { ToldStep } from "../story/step.ts";
import { storyLines } from "./story-lines.ts";

const usual = { authorization: "Bearer key-1", "content-type": "application/json", "accept-encoding": "identity" };

/** A call that was refused, with these headers besides the usual ones. */
const called = (exchange: number, headers: Readonly<Record<string, string>>): ToldStep => ({
  ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
  request: { method: "POST", url: "http://127.0.0.1:1/v1/things", headers: { ...usual, ...headers }, body: '{"a":1}' },
  outcome: { kind: "response", status: 422, json: undefined },
});

const linesOf = (...steps: readonly ToldStep[]) =>
  storyLines({ steps, omitted: 0 }, new Set()).map(({ asked, times }) => `${asked} ×${times}`);

test("a call is told with the headers that make it another one, and steps alike are one line", () => {
  expect(linesOf(called(1, {}), called(2, {}), called(3, { "Idempotency-Key": "k-1" }))).toEqual([
    'POST /v1/things as key-1 {"a":1} ×2',
    'POST /v1/things as key-1, Idempotency-Key: k-1 {"a":1} ×1',
  ]);
});

test("a media type is told where it is not that of JSON", () => {
  expect(linesOf(called(1, { "content-type": "text/plain" }))).toEqual([
    'POST /v1/things as key-1, content-type: text/plain {"a":1} ×1',
  ]);
});
