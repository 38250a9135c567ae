import type { Verdict } from "../outcome/verdict.ts";

/** How reports write a verdict. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  fail: "violation",
  kit_error: "kit error",
  warn: "warning",
  blocked: "blocked",
  not_applicable: "not applicable",
  observed: "observed",
  pass: "pass",
};

/** Verdicts, those that ask for attention first. */
export const verdictOrder: readonly Verdict[] = [
  "fail",
  "kit_error",
  "warn",
  "blocked",
  "not_applicable",
  "observed",
  "pass",
];
