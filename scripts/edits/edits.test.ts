import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { editedFiles, StaleEdit } from "../../reference-server/edits/load-edited.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { completenessTable } from "../completeness/completeness.ts";
import { plantedFaults } from "../soak/planted-faults.ts";
import { compileEdits } from "./compile-edits.ts";
import { concessions } from "./concessions.ts";
import type { Judgement } from "./judge.ts";
import { lawfulChoices } from "./lawful-choices.ts";
import { judgedReports, sharesOf } from "./report-shares.ts";
import type { Trial, TrialOutcome } from "./trial.ts";
import { lawfulTrials, mutantTrials, type NamedTrial } from "./trials.ts";
import { tryAll, tryEdits } from "./try-edits.ts";

/** The first mutant of each kind in each area of rules; `npm run edits` tries all of them. */
const some = Object.values(
  Object.groupBy(mutants, ({ breaks, changes: [change = {}] }) => {
    const kind = "wire" in change ? "wire" : "ports" in change ? "ports" : "source";
    return `${breaks.split("-")[0]} ${kind}`;
  }),
).flatMap(([first] = []) => mutantTrials().filter(({ name }) => name === `mutant ${first?.id}`));

describe("edits of the server", () => {
  it("all apply to the server as it is", () => {
    for (const edit of allEdits) {
      const sources = new Set(edit.changes.flatMap((change) => ("file" in change ? change.file : [])));
      expect(edit.changes.length).toBeGreaterThan(0);
      expect(editedFiles([edit]).size).toBe(sources.size);
    }
  });

  it("keep what they remember to one server", () => {
    const folder = join(import.meta.dirname, "../../reference-server/edits");
    const files = globSync("**/*.ts", { cwd: folder });
    expect(files).toContain(join("mutants", "api-key-reads.ts"));
    const shared = files.filter((file) => readFileSync(join(folder, file), "utf8").includes("globalThis"));
    expect(shared, "what an edit remembers lives in its closure").toEqual([]);
  });

  it("compile", async () => {
    // In one program with the others: a compilation of its own would take as long again.
    const untyped = {
      id: "untyped",
      does: "",
      breaks: "KEYC-01",
      changes: [{ file: "log.ts", find: "base: null,", replace: "base: 1," }],
    } as const;
    const { untyped: ofUntyped, ...faults } = Object.fromEntries(
      await compileEdits([...allEdits, ...plantedFaults, untyped]),
    );
    expect(faults).toEqual({});
    expect(ofUntyped).not.toBeUndefined();
  });

  it("have unique ids, and mutants name a rule that can be observed", () => {
    expect(new Set(allEdits.map(({ id }) => id)).size).toBe(allEdits.length);
    expect(mutants.filter(({ breaks }) => rules[breaks].unobservable !== null)).toEqual([]);
  });

  it("are those of the published matrix", () => {
    const matrix = readFileSync(join(import.meta.dirname, "../../conformance/MATRIX.md"), "utf8");
    const [table = "", lawful = ""] = matrix.split("## Lawful servers");
    const told = "run npm run edits, which rewrites conformance/MATRIX.md";
    const ids = [...table.matchAll(/`([A-Z]+-\d+-[\w-]+)` [✔✘]/g)].map(([, id]) => id);
    expect(new Set(ids), told).toEqual(new Set(mutants.map(({ id }) => id)));
    const rows = [...table.matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id]) => id);
    // A draft has nothing to be published yet.
    const due = Object.entries<Rule>(rules).filter(([id, { draft }]) => draft === undefined || rows.includes(id));
    expect(new Set(rows), told).toEqual(new Set(due.map(([id]) => id)));
    expect(table, told).toContain(completenessTable());
    const names = lawful.split("\n").filter((line) => line.startsWith("| lawful "));
    expect(names.length, told).toBe(lawfulTrials().length);
    for (const { name } of lawfulTrials()) expect(lawful, told).toContain(`| ${name}: `);
  });

  it("are refused when what they change is gone", () => {
    const gone = {
      id: "gone",
      does: "",
      breaks: "KEYC-01",
      changes: [{ file: "server.ts", find: "noSuchCall()", replace: "" }],
    } as const;
    expect(() => editedFiles([gone])).toThrow(StaleEdit);
  });

  describe("tried in a few processes,", () => {
    const outcomes = new Map<NamedTrial, TrialOutcome>();
    const tryEach = (trials: readonly NamedTrial[], trialOf: (each: NamedTrial) => Trial): Promise<void> => {
      const left = [...trials];
      return tryAll(
        () => left.shift(),
        2,
        trialOf,
        (each, { outcome }) => outcomes.set(each, outcome),
      );
    };
    const judged = (each: NamedTrial): Judgement | null => {
      const outcome = outcomes.get(each);
      return outcome === undefined ? null : each.judge(outcome, null);
    };

    beforeAll(async () => {
      await tryEach(some, ({ trial, shorter }) => shorter ?? trial);
      const surviving = some.filter((each) => each.shorter !== null && judged(each)?.holds === false);
      await tryEach(surviving, ({ trial }) => trial);
      // Some fifty trials of a second or so, more on a busy machine.
    }, 600_000);

    it.each(some)("$name is killed by a check of its own rule", (each) => {
      expect(judged(each)).toMatchObject({ holds: true });
    });

    it("are named by their reports, nine of ten at least", () => {
      const reports = judgedReports(
        new Map(
          some.flatMap((each) => {
            const judgement = judged(each);
            return judgement === null ? [] : [[each, judgement]];
          }),
        ),
      );
      for (const { have, of, wanted } of sharesOf(reports)) {
        // Of which mutants it is told says nothing of their reports.
        const least = wanted.startsWith("are of a mutant of which it is told") ? 0.75 : 0.9;
        expect(have / of, wanted).toBeGreaterThanOrEqual(least);
      }
    });
  });

  it("that are lawful are called so together", async () => {
    const pack = lawfulTrials().find(({ name }) => name === "lawful pack 1");
    expect(pack?.judge(await tryEdits(pack.trial), null)).toMatchObject({ holds: true });
  });

  it("that are lawful are conceded only what there is", () => {
    const names = new Set(lawfulChoices.map(({ name }) => name));
    expect(concessions.flatMap(({ choices }) => choices.filter((choice) => !names.has(choice)))).toEqual([]);
  });

  it("that are lawful are each in a pack whose changes apply in its order", () => {
    const packs = lawfulTrials().map(({ pack }) => pack);
    expect(new Set(packs.flat())).toEqual(new Set(lawfulChoices));
    for (const pack of packs) {
      const edits = pack.flatMap(({ contrarian }) => contrarian ?? []);
      expect(() => editedFiles(edits)).not.toThrow();
    }
  });
});
