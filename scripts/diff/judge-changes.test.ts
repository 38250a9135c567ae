import { describe, expect, it } from "vitest";
import type { Change } from "../../compiler/diff/change.ts";
import { type ChangeId, changeTable } from "../../compiler/diff/change-table.ts";
import type { Acceptance, AcceptedChanges } from "./accepted-changes.ts";
import { judgeChanges } from "./judge-changes.ts";
import { isAccepted } from "./judged-change.ts";
import { severityFromFlag } from "./severity.ts";

const change = (id: ChangeId, pointer: string): Change => ({
  id,
  direction: changeTable[id].direction,
  area: changeTable[id].area,
  verdict: changeTable[id].verdict,
  service: "api",
  operation: null,
  pointer,
  edit: { at: pointer, keyword: id, before: [], after: [] },
  place: null,
  message: "Something differs.",
  rules: ["WID-01"],
  evidence: null,
});

const acceptance = (id: ChangeId, pointer: string, expires = "2030-01-01"): Acceptance => ({
  ...{ id, operation: null, pointer, reason: "Because.", owner: "Me", expires, where: "a.yaml:2:5" },
});

const accepting = (...accepted: readonly Acceptance[]): AcceptedChanges => ({ accepted, severities: [] });

const today = "2026-06-15";
const judged = (changes: readonly Change[], head: AcceptedChanges, base: AcceptedChanges | null = null) =>
  judgeChanges(
    changes,
    { head, base, today },
    (rules) => rules.map((rule) => `check-of-${rule}`),
    () => ({ base: null, head: null }),
  );

describe("an acceptance", () => {
  const removed = change("limit-removed", "/buckets/a");

  it("counts for the change of its id, operation and pointer, and for no other", () => {
    const { changes, stale } = judged(
      [removed, change("limit-removed", "/buckets/b")],
      accepting(acceptance("limit-removed", "/buckets/a")),
    );
    expect(changes.map(isAccepted)).toEqual([true, false]);
    expect(stale).toEqual([]);
  });

  it("counts through its last day, and is told when that has passed", () => {
    const on = (expires: string) =>
      judged([removed], accepting(acceptance("limit-removed", "/buckets/a", expires))).changes[0];
    expect(on("2026-06-15")).toMatchObject({ acceptance: { expired: false } });
    expect(on("2026-06-14")).toMatchObject({ acceptance: { expired: true } });
  });

  it("is stale when it is about no change", () => {
    const entry = acceptance("limit-removed", "/buckets/b");
    expect(judged([removed], accepting(entry))).toMatchObject({ stale: [entry], merged: [] });
  });

  it("is merged when the base has it too, until it expires", () => {
    const entry = acceptance("limit-removed", "/buckets/b");
    const old = acceptance("limit-removed", "/buckets/c", "2026-06-14");
    const moved = { ...entry, where: "a.yaml:9:5" };
    expect(judged([], accepting(entry, old), accepting(moved, old))).toMatchObject({ stale: [old], merged: [entry] });
    expect(judged([], accepting(entry), accepting({ ...entry, reason: "Another." }))).toMatchObject({ stale: [entry] });
  });
});

describe("an override", () => {
  it("gives every change of its id another verdict, with a mark, in the order of gravity", () => {
    const severities = [severityFromFlag("rule-added=breaking"), severityFromFlag("limit-removed=safe")];
    const found = judged([change("rule-added", "/rules/A"), change("limit-removed", "/buckets/a")], {
      accepted: [],
      severities,
    }).changes;
    expect(found.map(({ id, verdict, override }) => [id, verdict, override])).toEqual([
      ["rule-added", "breaking", { from: "risky", reason: null, where: "--severity rule-added=breaking" }],
      ["limit-removed", "safe", null],
    ]);
  });

  it.each([
    ["rule-added", /not of the form/],
    ["rule-added=bad", /no verdict/],
    ["rule-aded=safe", /Did you mean "rule-added"/],
    ["operation-removed=safe", /only with a reason[\s\S]+id: operation-removed\n {8}verdict: safe/],
  ])("--severity %s is refused", (flag, message) => {
    expect(() => severityFromFlag(flag)).toThrow(message);
  });
});

it("a change names the checks that decide its rules", () => {
  expect(judged([change("limit-removed", "/buckets/a")], accepting()).changes[0]?.checks).toEqual(["check-of-WID-01"]);
});
