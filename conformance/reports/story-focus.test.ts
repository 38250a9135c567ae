import { expect, test } from "vitest";
import type { ToldStep } from "../story/step.ts";
import { asidesOf } from "./story-focus.ts";

const base = "http://127.0.0.1:1";
const id = (digit: number): string => `${digit}1111111-2222-4333-8444-555555555555`;
const key = (number: number): string => `\${KEY_${number}}`;

const gives = (...values: readonly string[]): ToldStep["gives"] => values.map((value) => ({ pointer: "/data", value }));

const called = (exchange: number, as: number, more: { readonly to?: string; readonly path?: string }): ToldStep => ({
  ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
  request: {
    ...{ method: more.to === undefined ? "GET" : "POST", url: `${base}${more.path ?? "/v1/things"}` },
    headers: { authorization: `Bearer ${key(as)}` },
    body: more.to === undefined ? null : JSON.stringify({ to: more.to }),
  },
  outcome: { kind: "response", status: 200, json: undefined },
});

const sandbox = (what: string, path: string, body: unknown, ...given: readonly string[]): ToldStep => ({
  ...{ through: "sandbox", what, exchange: null, seconds: null, at: 0, gives: gives(...given) },
  request: { method: "POST", url: `${base}${path}`, headers: {}, body: JSON.stringify(body) },
  outcome: { kind: "response", status: 200, json: undefined },
});

const created = (number: number): ToldStep =>
  sandbox("create an organization", "/organizations", {}, id(number), key(number));

const story = {
  omitted: 0,
  steps: [
    created(1),
    created(2),
    { ...called(3, 2, { to: "+12025550141" }), gives: gives(id(3)) },
    called(4, 1, { to: "+12025550142" }),
    called(5, 1, { to: "+12025550141" }),
    called(6, 1, {}),
    sandbox("receive a text", `/organizations/${id(2)}/inbound`, { from: "+12025550141" }),
    sandbox("move the clock", `/organizations/${id(1)}/advance`, { seconds: 60 }),
    called(9, 1, { to: "+12025550141" }),
  ],
};
const focus = { about: [9], named: new Set<number>(), isAcross: false };

test("other organizations and recipients are aside, and what only looks", () => {
  expect(asidesOf(story, focus)).toEqual([
    ...[null, "organization", "organization", "recipient", null, "look", "organization", null, null],
  ]);
});

test("what gave something that the failure or another named step was made with is never aside", () => {
  expect(asidesOf(story, { ...focus, named: new Set([4, 3]) }).slice(0, 4)).toEqual([null, null, null, null]);
  const used = { ...called(10, 1, { to: "+12025550141", path: `/v1/things/${id(3)}` }) };
  const asides = asidesOf({ ...story, steps: [...story.steps, used] }, { ...focus, about: [10] });
  expect(asides.slice(0, 4)).toEqual([null, null, null, "recipient"]);
});

test("where organizations may get at each other's, none is aside", () => {
  expect(asidesOf(story, { ...focus, isAcross: true })).not.toContain("organization");
});

test("what another caller was shown at the same address is no mere look", () => {
  const steps = [created(1), created(2), called(3, 1, {}), called(4, 1, { path: "/v1/others" }), called(5, 2, {})];
  const asides = (as: number) =>
    asidesOf({ steps: [...steps, called(6, as, {})], omitted: 0 }, { about: [6], named: new Set(), isAcross: true });
  expect(asides(2)).toEqual([null, null, null, "look", "look", null]);
  expect(asides(1)).toEqual([null, null, "look", "look", null, null]);
});

test("a call that changes nothing only looks, whatever its method", () => {
  const search = { ...called(9, 1, { to: "+12025550141" }), operation: "searchPhoneNumbers" };
  const steps = [created(1), search, called(10, 1, { to: "+12025550141" })];
  expect(asidesOf({ steps, omitted: 0 }, { ...focus, about: [3] })).toEqual([null, "look", null]);
});

test("of pages that lead to the one that fails the last one belongs to the story", () => {
  const page = (number: number, cursor: string, next: string): ToldStep => ({
    ...called(number, 1, { path: `/v1/things?cursor=${cursor}` }),
    gives: gives(next),
  });
  const steps = [created(1), page(2, "none-yet-0", "cursor-aaa1"), page(3, "cursor-aaa1", "cursor-bbb2")];
  const last = page(4, "cursor-bbb2", "cursor-ccc3");
  expect(asidesOf({ steps: [...steps, last], omitted: 0 }, { ...focus, about: [4] })).toEqual([
    ...[null, "look", null, null],
  ]);
});

test("what another key of the organization did is told, whoever the recipient is", () => {
  const send = (number: number, as: number, to: string): ToldStep => ({
    ...called(number, as, { to }),
    operation: "sendMessage",
  });
  const organization = sandbox("create an organization", "/organizations", {}, id(1), key(1), key(2));
  const steps = [organization, send(2, 1, "+12025550142"), send(3, 2, "+12025550143"), send(4, 1, "+12025550141")];
  expect(asidesOf({ steps, omitted: 0 }, { ...focus, about: [4] })).toEqual([null, "recipient", null, null]);
});
