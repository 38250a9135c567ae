import { describe, expect, it } from "vitest";
import type { Change } from "../../compiler/diff/change.ts";
import { type ChangeId, changeTable } from "../../compiler/diff/change-table.ts";
import type { Acceptance, AcceptedChanges } from "./accepted-changes.ts";
import { judgeChanges } from "./judge-changes.ts";
import { isAccepted } from "./judged-change.ts";
import { severityFromFlag } from "./severity.ts";

const change = (id: ChangeId, at: string, more: Partial<Change> = {}): Change => ({
  id,
  direction: changeTable[id].direction,
  area: changeTable[id].area,
  verdict: changeTable[id].verdict,
  service: "api",
  operation: null,
  pointer: at,
  edit: { at, keyword: "maximum", before: [100], after: [50] },
  fingerprint: "0f",
  place: null,
  message: "Something differs.",
  rules: ["WID-01"],
  evidence: null,
  ...more,
});

const acceptance = (id: ChangeId, at: string, more: Partial<Acceptance> = {}): Acceptance => ({
  ...{ fingerprint: "0f", ids: [id], at: [at], keyword: "maximum", from: [100], to: [50] },
  ...{ reason: "Because.", owner: "Me", expires: "2030-01-01", where: "a.yaml:2:5", ...more },
});

const accepting = (...accepted: readonly Acceptance[]): AcceptedChanges => ({ accepted, severities: [] });

const today = "2026-06-15";
const judged = (
  changes: readonly Change[],
  head: AcceptedChanges,
  base: AcceptedChanges | null = null,
  toleratesMerged = true,
) =>
  judgeChanges(
    changes,
    { head, base, toleratesMerged, today },
    (rules) => rules.map((rule) => `check-of-${rule}`),
    () => ({ base: null, head: null }),
  );

describe("an acceptance", () => {
  const removed = change("parameter-narrowed", "/buckets/a");

  it("counts for the changes of its kinds by its edit at its place, and for no other", () => {
    const edited = (before: number, after: number): Partial<Change> => ({
      edit: { ...removed.edit, before: [before], after: [after] },
    });
    const { changes, stale } = judged(
      [
        removed,
        { ...removed, operation: "GET /a", pointer: "elsewhere" },
        change("parameter-narrowed", "/buckets/b"),
        change("request-body-narrowed", "/buckets/a"),
        change("parameter-narrowed", "/buckets/a", edited(100, 10)),
        change("parameter-narrowed", "/buckets/a", edited(50, 10)),
        change("parameter-narrowed", "/buckets/a", { fingerprint: "1e" }),
        change("parameter-narrowed", "/buckets/a", { edit: { ...removed.edit, keyword: "minimum" } }),
      ],
      accepting(acceptance("parameter-narrowed", "/buckets/a")),
    );
    expect(changes.map(isAccepted)).toEqual([true, true, false, false, false, false, false, false]);
    expect(stale).toEqual([]);
  });

  it("takes in what is safe of its edit, so that an edit stays one finding", () => {
    const safe = change("response-body-narrowed", "/buckets/a");
    expect(safe.verdict).toBe("safe");
    const { changes } = judged([removed, safe], accepting(acceptance("parameter-narrowed", "/buckets/a")));
    expect(changes.map(isAccepted)).toEqual([true, true]);
    // Alone it is no change that an entry could be about.
    expect(judged([safe], accepting(acceptance("parameter-narrowed", "/buckets/a"))).stale).toHaveLength(1);
  });

  it("counts through its last day, and is told when that has passed", () => {
    const on = (expires: string) =>
      judged([removed], accepting(acceptance("parameter-narrowed", "/buckets/a", { expires }))).changes[0];
    expect(on("2026-06-15")).toMatchObject({ acceptance: { expired: false } });
    expect(on("2026-06-14")).toMatchObject({ acceptance: { expired: true } });
  });

  it("is stale where its edit was not made, with the places and with what was edited there", () => {
    const both = acceptance("parameter-narrowed", "", { at: ["/buckets/a", "/buckets/b", "/buckets/c"] });
    const other = change("request-body-narrowed", "/buckets/b", { fingerprint: "1e" });
    expect(judged([removed, other], accepting(both))).toMatchObject({
      stale: [{ ...both, merged: false, missing: ["/buckets/b", "/buckets/c"], found: [other.edit] }],
      merged: [],
    });
  });

  it("accepts nothing once the base has it; where that is tolerated, the report lists it until it expires", () => {
    const entry = acceptance("parameter-narrowed", "/buckets/a");
    const old = acceptance("parameter-narrowed", "/buckets/c", { expires: "2026-06-14" });
    const moved = { ...entry, where: "a.yaml:9:5" };
    const { changes, stale, merged } = judged([removed], accepting(entry, old), accepting(moved, old));
    expect(changes.map(isAccepted)).toEqual([false]);
    expect(merged).toEqual([{ ...entry, repeated: true }]);
    expect(stale).toMatchObject([{ ...old, merged: true }]);
    expect(judged([], accepting(entry), accepting(moved)).merged).toMatchObject([{ repeated: false }]);
    expect(judged([], accepting(entry), accepting(moved), false)).toMatchObject({ stale: [entry], merged: [] });
  });

  it("is a decision of its own again with another reason, owner or day", () => {
    const entry = acceptance("parameter-narrowed", "/buckets/a");
    for (const other of [{ reason: "Another." }, { owner: "You" }, { expires: "2030-01-02" }]) {
      const { changes, merged } = judged([removed], accepting({ ...entry, ...other }), accepting(entry));
      expect(changes.map(isAccepted)).toEqual([true]);
      expect(merged).toEqual([]);
    }
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
