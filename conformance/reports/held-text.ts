import type { RunResult } from "../runner/run-result.ts";
import { counted } from "./counted.ts";
import type { FailureGroup } from "./failure-groups.ts";

/** Checks that are told. */
const mostTold = 2;

/**
 * What checks did that found the first rule of a group to hold, those most like the one that found it broken first: the
 * fault lies where these did something else.
 */
export function heldTexts(result: RunResult, { check, rules: [first], operations }: FailureGroup): readonly string[] {
  // Where a rule binds many operations, what differs is the operation.
  if (first === undefined || operations.length > 1) return [];
  const failed = new Set(first.findings.filter(({ verdict }) => verdict !== "pass").map((finding) => finding.check));
  const held = result.checks.filter(
    ({ id, operation }) =>
      operation === null &&
      !failed.has(id) &&
      first.findings.some((finding) => finding.check === id && finding.verdict === "pass"),
  );
  const titles = held
    .toSorted((one, other) => sharedStart(other.id, check) - sharedStart(one.id, check))
    .map(({ title }) => title);
  const more = titles.length - mostTold;
  return [...titles.slice(0, mostTold), ...(more > 0 ? [`and in ${counted(more, "more check")}`] : [])];
}

function sharedStart(one: string, other: string): number {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at < 0 ? one.length : at;
}
