import { describe, expect, it } from "vitest";
import type { Contract } from "../../compiler/contract.ts";
import type { Change } from "../../compiler/diff/change.ts";
import { diff } from "../../compiler/diff/diff.ts";
import { asContract, plantedBase as base } from "../../compiler/diff/planted-base.ts";
import { edited, type PlantedChange } from "../../compiler/diff/planted-changes.ts";
import { plantedFacts } from "../../compiler/diff/planted-facts.ts";
import { plantedOnTheWire } from "../../compiler/diff/planted-on-the-wire.ts";
import { sampledInclusion as includes } from "../../compiler/diff/sampled-inclusion.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { reportAs } from "./diff-formats.ts";
import { type DiffReport, failLevels, fails } from "./diff-report.ts";
import { findingsOf } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";

const planted = [...plantedOnTheWire, ...plantedFacts];

const contract = asContract(base);

/** Those that change several facts at once: the numbers of two ladders, the level of many rules. */
const several: readonly string[] = ["limit-tiers-renumbered", "advice-weakened"];

const judged = (change: Change): JudgedChange => ({
  ...change,
  ...{ override: null, acceptance: null, checks: null, lines: { base: null, head: null } },
});

const changesOf = ({ edits }: PlantedChange): readonly (readonly [way: string, changes: readonly JudgedChange[]])[] => {
  const head = asContract(edited(base, edits));
  const between = (one: Contract, other: Contract): readonly JudgedChange[] =>
    diff(one, other, { includes, extent: "contract" }).map(judged);
  return [
    ["forth", between(contract, head)],
    ["back", between(head, contract)],
  ];
};

const reportOf = (changes: readonly JudgedChange[], failOn: DiffReport["failOn"]): DiffReport => ({
  ...{ base: "old", head: "new", extent: "contract", partial: false, allPlaces: false, reading: "names", changes },
  ...{
    unread: [],
    stale: [],
    merged: [],
    failOn,
    checkVersion: false,
    acceptedFile: { name: "", exists: false },
    placeEntries: [],
    today: "2026-11-21",
  },
  version: { base: "1.0.0", head: "1.0.0", needed: "none", suggested: "1.0.0", enough: true },
});

describe.each(planted.map((one) => [one.forth[0], one.edits[0]?.at.join("/") ?? "", one] as const))(
  "a planted %s at %s",
  (id, _, change) => {
    it.each(changesOf(change))("is one finding, and no heading contradicts the exit code: %s", (_way, changes) => {
      if (!several.includes(id)) expect(findingsOf(changes)).toHaveLength(1);
      for (const failOn of failLevels) {
        const report = reportOf(changes, failOn);
        const [word, mark, sign] = fails(report) ? ["Fails", "✘", "❌"] : ["Passes", "✔", "✅"];
        const shown = (format: "text" | "markdown" | "html" | "github"): string =>
          reportAs(format, report, paintWith(false));
        expect(shown("text")).toMatch(
          new RegExp(`^${mark} ${word}: old → new: .* Exit code ${fails(report) ? 1 : 0} `, "m"),
        );
        expect(shown("markdown")).toMatch(new RegExp(`^## ${sign} Contract: ${word.toLowerCase()}, `));
        expect(shown("html")).toContain(`<h1>${mark} ${word}: `);
        expect(shown("github")).toMatch(new RegExp(`^${word}: old → new`, "m"));
      }
    });
  },
);
