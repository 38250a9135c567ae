import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import { type GivenNumbers, numberParts } from "../conformance/target/phone-numbers.ts";
import type { Reference } from "./commands/reference-target.ts";
import { sharedReference } from "./shared-reference.ts";

/** The exchange of all numbers for use in fiction, and one that real lines have. */
const fiction = "55501";
const real = "55601";

/** The same numbers with another exchange, so that they are in the same places and of the same line types. */
const numbers: GivenNumbers = Object.fromEntries(
  numberParts.map(({ name, numbers }) => [name, numbers.map((number) => number.replace(fiction, real))]),
);

/** Paths and bodies of all requests that the kit sends. */
const sent: string[] = [];
const note = (message: unknown): void => {
  const { path, body } = Object(Object(message).request);
  sent.push(`${path} ${body}`);
};

let reference: Reference;
beforeAll(async () => {
  subscribe("undici:request:create", note);
  reference = await sharedReference();
});
afterAll(async () => {
  unsubscribe("undici:request:create", note);
});

test("a target that gives numbers is sent to and asked for these alone, and decides the same rules", async () => {
  const areas = ["AUTH-26", "AUTH-27", "CON", "LIM", "LKP", "MSG"];
  const result = await run({ ...reference.target, numbers }, allChecks, {
    ...{ profile: "full", allow: new Set(), only: areas, skip: [], seed: 1, runs: 3, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  });
  const decided = new Set(["pass", "observed"]);
  const others = result.rules.filter(({ verdict }) => !decided.has(verdict));
  expect(others.map(({ id, verdict, message }) => [id, verdict, message])).toEqual([]);
  const unnamed = numberParts.filter(({ name }) => !(numbers[name] ?? []).some((number) => sent.some(naming(number))));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
  const foreign = numberParts.flatMap((part) => part.numbers.filter((number) => sent.some(naming(number))));
  expect(foreign).toEqual([]);
});

/** Whether a request names a number, in its path or body; with two plus signs it is none. */
function naming(number: string): (request: string) => boolean {
  const named = new RegExp(`(?<!\\+)(?:\\+|%2B)${number.slice(1)}`);
  return (request) => named.test(request);
}
