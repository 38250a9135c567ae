import { expect, it } from "vitest";
import { type CallAlike, neverVaried, rowsOf } from "./calls-alike.ts";

const call = (
  exchange: number,
  parts: Readonly<Record<string, unknown>>,
  more: Partial<CallAlike> = {},
): CallAlike => ({
  ...{ exchange, holds: true, expected: null, came: "201", ...more },
  parts: new Map(Object.entries(parts).map(([name, value]) => [name, JSON.stringify(value)])),
});

const failed = { holds: false, came: "402" };
const told = (calls: readonly CallAlike[], asked = 1, redact = (text: string) => text): readonly string[] =>
  rowsOf(calls, asked, redact).map(({ holds, says, times }) => `${holds ? "✓" : "✗"} ${says} ×${times}`);

it("tells calls by what they differ in, those that failed first, and the one asked about before all", () => {
  const calls = [
    call(1, { amount: 5, unit: "cents" }),
    call(2, { amount: 7, unit: "cents" }, failed),
    call(3, { amount: 9, unit: "cents" }, failed),
    call(4, { amount: 5, unit: "cents" }),
  ];
  expect(told(calls, 3)).toEqual(["✗ amount 9 → 402 ×1", "✗ amount 7 → 402 ×1", "✓ amount 5 → 201 ×2"]);
});

it("tells by whether they have it what no two have alike", () => {
  const ids = ["f2a1b1de-0000-7000-8000-000000000001", "f2a1b1de-0000-7000-8000-000000000002"];
  const made = { label: "bylaw-1", to: "+12025550101" };
  expect(
    told([
      call(1, { ...made, key: ids[0] }, failed),
      call(2, { ...made, key: ids[1], label: "bylaw-2" }, failed),
      call(3, made),
    ]),
  ).toEqual(["✗ with key → 402 ×2", "✓ without key → 201 ×1"]);
  expect(told([call(1, { id: ids[0] }, failed), call(2, { id: ids[1] })])).toEqual([]);
  expect(told([call(1, { ids: [ids[0]] }, failed), call(2, { ids: [ids[1]] })])).toEqual([]);
  expect(told([call(1, { ids }, failed), call(2, { ids: ["+12025550101"] })])).toEqual([]);
});

it("tells what decides alone, and nothing where calls that fared otherwise are alike", () => {
  const calls = [
    call(1, { amount: 5, colour: "red" }, failed),
    call(2, { amount: 7, colour: "red" }),
    call(3, { amount: 7, colour: "blue" }),
    call(4, { amount: 5, colour: "blue" }, failed),
  ];
  expect(told(calls)).toEqual(["✗ amount 5 → 402 ×2", "✓ amount 7 → 201 ×2"]);
  expect(told([...calls, call(5, { amount: 5, colour: "red" })])).toEqual([]);
});

it("tells nothing of addresses that were made up for each call, and once what came by other ids", () => {
  const [one, other] = ["jjDOlnXtCgniuz9Ucr5PrfV81kQEQhLI", "c2764181-27dc-44bf-9232-34c207bed8cf"];
  const at = (path: string): object => ({ url: `https://hooks.example/${path}` });
  expect(told([call(1, { ...at(one) }, failed), call(2, { ...at(other) }, failed)])).toEqual([]);
  const odd = (id: string) => ({ holds: false, came: `200: one that does not match: ${id}` });
  const id = (digit: number): string => `${digit}2764181-27dc-44bf-9232-34c207bed8cf`;
  const calls = [call(1, { limit: 13 }, odd(id(1))), call(2, { limit: 13 }, odd(id(2))), call(3, { limit: 200 })];
  expect(told(calls)).toEqual([`✗ limit 13 → 200: one that does not match: ${id(1)} ×2`, "✓ limit 200 → 201 ×1"]);
});

it("tells nothing of texts that differ by what was made up for each call", () => {
  const named = (word: string): object => ({ text: `For customers of bakery ${word}.` });
  expect(told([call(1, { ...named("6432fb7b") }, failed), call(2, { ...named("32a26899") })])).toEqual([]);
});

it("tells two things together where none decides by itself", () => {
  const calls = [
    call(1, { amount: 5, colour: "red", size: 1 }, failed),
    call(2, { amount: 5, colour: "blue", size: 1 }),
    call(3, { amount: 7, colour: "red", size: 2 }),
    call(4, { amount: 7, colour: "blue", size: 1 }),
    call(5, { amount: 5, colour: "red", size: 2 }, failed),
  ];
  expect(told(calls).slice(0, 2)).toEqual(['✗ amount 5, colour "red" → 402 ×2', '✓ amount 5, colour "blue" → 201 ×1']);
});

it("tells settings of organizations that some that held did not share", () => {
  const floor = "organization's floor";
  expect(told([call(1, { [floor]: 5000 }, failed), call(2, { [floor]: null })])).toEqual([
    `✗ ${floor} 5000 → 402 ×1`,
    `✓ ${floor} null → 201 ×1`,
  ]);
  expect(told([call(1, { [floor]: 5000 }, failed), call(2, { [floor]: null }), call(3, { [floor]: 5000 })])).toEqual(
    [],
  );
});

it("tells what was wanted where that differs, without what it begins and ends with", () => {
  const wanted = (way: string) => ({ expected: `a refusal after ${way}, STOP` });
  expect(
    told([
      call(1, {}, { ...failed, ...wanted("asked, captured") }),
      call(2, {}, wanted("captured")),
      call(3, {}, wanted("captured")),
    ]),
  ).toEqual(["✗ asked → 402 ×1", "✓ without any of these → 201 ×2"]);
});

it("tells nothing of what was there or not where all failed", () => {
  expect(told([call(1, { colour: "red" }, failed), call(2, {}, failed)])).toEqual([]);
});

it("tells moments only where they come again, or nothing held", () => {
  const at = (second: number) => ({ at: `2030-01-01T00:00:0${second}Z` });
  expect(told([call(1, at(1), failed), call(2, at(2)), call(3, at(3))])).toEqual([]);
  expect(told([call(1, at(1), failed), call(2, at(2), failed)])).toHaveLength(2);
});

it("cuts words that are no JSON", () => {
  const scoped = (exchange: number, scopes: string, more: Partial<CallAlike> = {}): CallAlike => ({
    ...call(exchange, {}, more),
    parts: new Map([["caller's scopes", scopes]]),
  });
  const long = `every scope but ${"things:write, ".repeat(9)}`;
  expect(told([scoped(1, long, failed), scoped(2, "every scope")])).toEqual([
    expect.stringMatching(/^✗ caller's scopes every scope but things:write, .*… → 402 ×1$/),
    "✓ caller's scopes every scope → 201 ×1",
  ]);
});

it("tells of a long list how many it holds, and no secret", () => {
  const scopes = Array.from({ length: 12 }, (_, at) => `resource${at}:read`);
  expect(
    told([call(1, { scopes, secret: "hunter two" }, failed), call(2, { scopes: ["a:read"], secret: "-" })], 1, (text) =>
      text.replace("hunter two", "…"),
    ),
  ).toEqual([
    '✗ scopes [12: "resource0:read" … "resource11:read"], secret "…" → 402 ×1',
    '✓ scopes ["a:read"], secret "-" → 201 ×1',
  ]);
});

it("redacts before it cuts: the beginning of a secret is one", () => {
  const secret = `svc_${"s3cret".repeat(30)}`;
  const redact = (text: string): string => text.replaceAll(secret, "KEY_1");
  const rows = rowsOf(
    [
      call(1, { note: `the key ${secret}`, list: [secret, "a"] }, { ...failed, came: `401: ${secret} is unknown` }),
      call(2, { note: "none", list: ["b"] }, { expected: `a read with ${secret}` }),
    ],
    1,
    redact,
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain("s3cret");
});

it("tells what was never varied where all calls failed, and what could be another value alone", () => {
  const parts = { mode: "defer", amount: 5, text: "Your table is ready.", to: "+12025550101", unit: 1 };
  const calls = [call(1, parts, failed), call(2, { ...parts, unit: 2 }, failed)];
  expect(neverVaried(calls, (text) => text)).toEqual(['mode "defer"', "amount 5"]);
  expect(neverVaried([...calls, call(3, parts)], (text) => text)).toEqual([]);
  expect(neverVaried(calls.slice(0, 1), (text) => text)).toEqual([]);
});

it("tells what a caller held with what it asked for, each that failed before any that held", () => {
  const asking = (exchange: number, scope: string, more: Partial<CallAlike> = {}): CallAlike =>
    call(exchange, { scopes: [scope], "caller's scopes": `all but ${scope}` }, more);
  const calls = [
    ...[asking(1, "a:read", failed), asking(2, "b:read", failed), asking(3, "a:write"), asking(4, "b:write")],
    call(5, { scopes: ["b:read"], "caller's scopes": "few" }),
  ];
  expect(told(calls)).toEqual([
    `✗ scopes ["a:read"], caller's scopes "all but a:read" → 402 ×1`,
    `✗ scopes ["b:read"], caller's scopes "all but b:read" → 402 ×1`,
    `✓ scopes ["a:write"], caller's scopes "all but a:write" → 201 ×1`,
    `✓ scopes ["b:write"], caller's scopes "all but b:write" → 201 ×1`,
    `✓ scopes ["b:read"], caller's scopes "few" → 201 ×1`,
  ]);
});
