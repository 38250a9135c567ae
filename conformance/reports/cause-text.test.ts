import { expect, test } from "vitest";
import type { ToldFinding } from "../outcome/verdict.ts";
import { sightText } from "./cause-text.ts";
import { exchange, finding } from "./made-up-run.ts";

const lineOf = (more: Partial<ToldFinding>): string => {
  const one = finding("ENV-61", "a", "fail", more);
  const group = {
    verdict: "fail",
    check: "a",
    title: null,
    rules: [],
    operations: [],
    likely: [],
    apart: null,
    askedAgain: [],
    contrasts: [],
    alike: [],
    counterexample: null,
    times: 1,
  } as const;
  return sightText({ ...group, finding: one, findings: [one] });
};

test("a call that was refused and has an effect is told with both", () => {
  const seen = { expected: "the organization as it was before the call", actual: "keys 1 → 0", isEffect: true };
  const at = (status: number, text: string) => lineOf({ ...seen, exchanges: [exchange(1, status, text)] });
  expect(at(429, '{"success":false,"error":{"code":"RATE_LIMITED","message":"x"}}')).toContain(
    "done although it was refused with 429 RATE_LIMITED: it changed keys 1 → 0",
  );
  expect(at(200, '{"success":true,"data":{}}')).toContain("expected the organization as it was before the call");
});

test("of values too long to be read beside each other what differs is told", () => {
  const long = (label: string): string => JSON.stringify({ id: "1".repeat(100), label });
  const part = { kind: "member", pointer: "/data/label" } as const;
  const at = [{ in: null, part, admitted: '""', seen: '"x"' }];
  expect(lineOf({ expected: `another number = ${long("")}`, actual: long("x"), at })).toContain(
    'expected another number with "" at /data/label, got "x"',
  );
  expect(lineOf({ expected: "a", actual: "b", at })).toContain("expected a, got b");
});
