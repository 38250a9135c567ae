import type { Evidence } from "../../compiler/diff/change.ts";
import { type ChangeId, changeTable } from "../../compiler/diff/change-table.ts";
import type { DiffReport } from "./diff-report.ts";
import type { JudgedChange } from "./judged-change.ts";

/** A change as a comparison could find it; its texts want to be escaped. */
export const change = (id: ChangeId, more: Partial<JudgedChange> = {}): JudgedChange => ({
  id,
  direction: changeTable[id].direction,
  area: changeTable[id].area,
  verdict: changeTable[id].verdict,
  service: "api",
  operation: "POST /widgets",
  pointer: "/api/paths/~1widgets/post",
  edit: { at: "/paths/~1widgets/post", keyword: id, before: [], after: [] },
  fingerprint: "0f",
  place: { side: "head", file: "spec/main.tsp", line: 7, column: 3 },
  message: `Something <b>differs</b> | "${id}"\u202e.`,
  rules: ["WID-01"],
  evidence: null,
  override: null,
  acceptance: null,
  lines: {
    base: { file: "old.yaml", line: 4, text: "maximum: 9 <b>" },
    head: { file: "new.yaml", line: 5, text: "maximum: 5" },
  },
  checks: ["widgets.made"],
  ...more,
});

/** A value that shows one. */
export const evidence = {
  kind: "value",
  value: { name: "</script><script>alert(1)</script>", size: [1, 22] },
  refusedBy: "head",
  at: "/size/1",
  keyword: "maximum",
} as const satisfies Evidence;

/** A report of these changes, as of a comparison of two contracts. */
export const reportOf = (changes: readonly JudgedChange[], more: Partial<DiffReport> = {}): DiffReport => ({
  base: "main:generated/contract.json",
  head: "spec/main.tsp",
  extent: "contract",
  partial: false,
  allPlaces: false,
  reading: "names",
  changes,
  unread: [],
  stale: [],
  merged: [],
  acceptedFile: { name: ".bylaw/accepted-changes.yaml", exists: true },
  placeEntries: [],
  today: "2026-11-21",
  version: { base: "1.2.3", head: "1.3.0", needed: "major", suggested: "2.0.0", enough: false },
  failOn: "breaking",
  checkVersion: false,
  ...more,
});
