import { fork } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { liveProbes } from "../../conformance/probes/inquiry.ts";
import { probes } from "../../conformance/probes/likely.ts";
import type { Guessed, Wanted } from "./probe-worker.ts";

interface Row {
  readonly probe: string;
  /** A mutant that it names, by what it says. */
  readonly names: string;
  readonly says: RegExp;
  /** One of the neighbourhood at which it says nothing. */
  readonly silentAt: string;
  /** The check that is to find both, in place of those that are known to. */
  readonly by?: string;
}

const table: readonly Row[] = [
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
  {
    probe: "misnamed-event",
    names: "EVT-16-header",
    says: /has another event's id: delivery \d+ has evt_.* there.*, and evt_\S+ in its body/,
    silentAt: "EVT-16-record",
  },
  {
    probe: "uncovered-charge",
    names: "LKP-06-credit",
    says: /less is asked for than is charged: the wallet held \d+ micros before (step|answer) \d+ .*, and step \d+ took \d+/,
    silentAt: "LKP-06-noted",
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
    probe: "skipping-pages",
    names: "MSG-61-skipping",
    says: /leaves records out: step \d+ follows step \d+ by its cursor, and step \d+ has 1 in between/,
    silentAt: "MSG-61-overlapping",
  },
  {
    probe: "late-filter",
    names: "WHL-29-late",
    says: /^the page is cut before event_type is applied, .* those \d+ that match among the (first|next) \d+ records of (answer|step) \d+/,
    silentAt: "WHL-29-family",
    by: "deliveries.feed-filters.feed",
  },
  {
    probe: "event-time",
    names: "WHL-34-event",
    says: /^since is held against when a delivery began, .* leaves out \S+, attempt \d+ at \S+, whose first was at /,
    silentAt: "WHL-34-replays",
  },
  {
    probe: "foreign-record",
    names: "TEN-23-everybodys",
    says: /a record of another organization is shown: id \S+ belongs to .*, whose key is \$\{KEY_/,
    silentAt: "TEN-23-total",
  },
  {
    probe: "cut-short",
    names: "ENV-02-characters",
    says: /ends before it is whole, after the \d+ bytes .* of which it has \d+ fewer than bytes/,
    silentAt: "ENV-02-text",
    by: "api-keys.odd-labels",
  },
  {
    probe: "other-unit",
    names: "WHL-51-local",
    says: /a local time is told as UTC: it is 1 h off/,
    silentAt: "WHL-51-epoch",
  },
  {
    probe: "other-clock",
    names: "MSG-55-clocks",
    says: /daylight saving time is forgotten: America\/\w+ is read by UTC−0\d:00/,
    silentAt: "MSG-55-tomorrow",
  },
  {
    probe: "taken-for-one",
    names: "LKP-16-case",
    says: /idempotency-key .* whatever their case/,
    silentAt: "MSG-64-ignored",
  },
  {
    probe: "earlier-answer",
    names: "MSG-15-first",
    says: /an earlier call gave is kept: it is that of step \d+, the first of \d+ for the same, and not that of step \d+/,
    silentAt: "MSG-15-stranger",
  },
  {
    probe: "value-before",
    names: "KEYR-08-old",
    says: /^\/data\/prefix is still what it was before step \d+: step \d+ shows the same(, and so does step \d+|, though step \d+ itself shows ".*")$/,
    silentAt: "KEYR-06-label",
  },
  {
    probe: "empty-change",
    names: "USR-07-same",
    says: /^what would change nothing is let through: \/email\/security_alerts was true already, as step \d+ shows/,
    silentAt: "USR-07-settable",
    by: "notifications.immutable-key",
  },
  {
    probe: "short-grace",
    names: "WHO-02-milliseconds",
    says: /too little time: step \d+ says until .*, 0\.3 s later and not 300: its seconds may be taken for milli/,
    silentAt: "WHO-02-dropped",
  },
  {
    probe: "misread-offset",
    names: "WHL-34-offset",
    says: /the offset of since, [+-]\d\d:\d\d, is misread: as none, .* has the \d+ of \d+ records/,
    silentAt: "WHL-34-turned",
  },
  {
    probe: "frozen-time",
    names: "WHL-51-first",
    says: /all attempts of a delivery are dated alike: in step \d+ numbers (\d, )+\d of evt_/,
    silentAt: "WHL-51-epoch",
  },
  {
    probe: "raced-retry",
    names: "LKP-14-race",
    says: /steps \d+ and \d+ to one Idempotency-Key were under way at once/,
    silentAt: "MSG-64-ignored",
  },
  {
    probe: "late-answer",
    names: "AUTH-05-once-more",
    says: /late, or fails at times: asked again .* s later, what was admitted came: 401 /,
    silentAt: "AUTH-05-still-valid",
    by: "authentication.revoked-key",
  },
  {
    probe: "kept-answer",
    names: "KEYG-07-cached",
    says: /an answer is kept for a while, or a change takes effect late: .* from before the change; asked again .* s later, "20.*" came/,
    silentAt: "KEYG-07-hidden",
    by: "api-keys.revoked-key-read",
  },
  {
    probe: "outliving-credential",
    names: "AUTH-05-still-valid",
    says: /asked again \d+\.\d s later, \$\{KEY_\w+\} still is: 200 success/,
    silentAt: "AUTH-05-once-more",
    by: "authentication.revoked-key",
  },
  {
    probe: "own-allowance",
    names: "TEN-17-per-key",
    says: /counted per caller: .* \$\{KEY_\w+\} was refused, and \$\{KEY_\w+\} of the same organization was admitted/,
    silentAt: "KEYC-30-refund",
    by: "limits.bucket-owner",
  },
];

const keyOf = ({ mutant, by = "" }: Wanted): string => `${mutant} ${by}`;

describe("probes", () => {
  let guessed: ReadonlyMap<string, Guessed>;
  beforeAll(async () => {
    const all = table.flatMap(({ names, silentAt, by }) =>
      [names, silentAt].map((mutant): Wanted => ({ mutant, ...(by && { by }) })),
    );
    guessed = await guessesAt([...new Map(all.map((one) => [keyOf(one), one])).values()]);
  }, 300_000);

  test("are all in the table", () => {
    expect(table.map(({ probe }) => probe).sort()).toEqual([...probes, ...liveProbes].map(({ id }) => id).sort());
  });

  test.each(table)("$probe names $names and says nothing of $silentAt", ({ probe, names, says, silentAt, by }) => {
    const at = (mutant: string) => guessed.get(keyOf({ mutant, ...(by && { by }) }));
    expect(at(names)?.says[probe]).toMatch(says);
    expect(at(silentAt)?.breaches).toBeGreaterThan(0);
    expect(at(silentAt)?.says[probe]).toBeUndefined();
  });
});

/** Runs the checks that find these mutants. */
function guessesAt(mutants: readonly Wanted[]): Promise<ReadonlyMap<string, Guessed>> {
  const child = fork(join(import.meta.dirname, "probe-worker.ts"), { execArgv: ["--no-warnings"] });
  const found = new Map<string, Guessed>();
  child.on("message", (one: Guessed) => found.set(keyOf(one), one));
  child.send([...mutants]);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(found) : reject(new Error(`The worker ended with ${code}.`))));
  });
}
