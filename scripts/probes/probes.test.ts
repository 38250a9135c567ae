import { fork } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { probes } from "../../conformance/probes/likely.ts";
import type { Guessed } from "./probe-worker.ts";

/** A probe with a mutant that it names, by what it says, and one of the neighbourhood at which it says nothing. */
const table = [
  {
    probe: "near-credential",
    names: "AUTH-04-last",
    says: /the first \d+ of the \d+ characters of \$\{KEY_/,
    silentAt: "AUTH-02-basic",
  },
  {
    probe: "replaced-credential",
    names: "KEYR-04-forever",
    says: /the old secret still works: \$\{SECRET_\d+\}, which was replaced by \$\{SECRET_\d+\}/,
    silentAt: "KEYR-02-lapses",
  },
  {
    probe: "other-secret",
    names: "WHR-12-replay",
    says: /verifies with \$\{ENDPOINT_SECRET_\d+\}, which \$\{ENDPOINT_SECRET_\d+\} had replaced by then/,
    silentAt: "EVT-08-third",
  },
  { probe: "other-content", names: "EVT-09-time", says: /the time alone .*, with \$\{/, silentAt: "EVT-08-third" },
  { probe: "constant-signature", names: "EVT-09-key", says: /neither time nor body/, silentAt: "EVT-09-time" },
  { probe: "ignored-parameter", names: "WHL-29-ignored", says: /^event_type is ignored/, silentAt: "WHL-29-family" },
  { probe: "turned-order", names: "WHL-18-oldest", says: /oldest first by occurred_at/, silentAt: "MSG-62-by-id" },
  {
    probe: "overlapping-pages",
    names: "MSG-61-overlapping",
    says: /begins too early: .* shows 1 of the records/,
    silentAt: "MSG-61-skipping",
  },
  {
    probe: "foreign-record",
    names: "TEN-23-everybodys",
    says: /a record of another organization is shown: id /,
    silentAt: "TEN-23-total",
  },
  {
    probe: "other-unit",
    names: "WHL-51-local",
    says: /a local time is told as UTC: it is 1 h off/,
    silentAt: "WHL-51-epoch",
  },
  {
    probe: "taken-for-one",
    names: "LKP-16-case",
    says: /idempotency-key .* whatever their case/,
    silentAt: "MSG-64-ignored",
  },
];

describe("probes", () => {
  let guessed: ReadonlyMap<string, Guessed>;
  beforeAll(async () => {
    guessed = await guessesAt([...new Set(table.flatMap(({ names, silentAt }) => [names, silentAt]))]);
  }, 300_000);

  test("are all in the table", () => {
    expect(table.map(({ probe }) => probe).sort()).toEqual(probes.map(({ id }) => id).sort());
  });

  test.each(table)("$probe names $names and says nothing of $silentAt", ({ probe, names, says, silentAt }) => {
    expect(guessed.get(names)?.says[probe]).toMatch(says);
    expect(guessed.get(silentAt)?.breaches).toBeGreaterThan(0);
    expect(guessed.get(silentAt)?.says[probe]).toBeUndefined();
  });
});

/** Runs the checks that find these mutants. */
function guessesAt(mutants: readonly string[]): Promise<ReadonlyMap<string, Guessed>> {
  const child = fork(join(import.meta.dirname, "probe-worker.ts"), { execArgv: ["--no-warnings"] });
  const found = new Map<string, Guessed>();
  child.on("message", (one: Guessed) => found.set(one.mutant, one));
  child.send(mutants);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(found) : reject(new Error(`The worker ended with ${code}.`))));
  });
}
