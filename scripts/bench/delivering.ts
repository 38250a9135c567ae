import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { usualPace } from "../../reference-server/delivery/courier.ts";
import { sendBare } from "./bare-sending.ts";
import { type BenchEngine, type EngineName, postgresEngine, sqliteEngine } from "./bench-store.ts";
import { endpointCount, makeDue, newRecipients } from "./due-deliveries.ts";
import type { Extent } from "./extent.ts";
import { type Aim, type Figure, ratioOf, type Section } from "./figure.ts";
import { inRounds, type Subject } from "./rounds.ts";
import type { WorkCounts } from "./serve-deliveries.ts";
import { spawnServer } from "./spawned-server.ts";

const atOnce = endpointCount * usualPace.mostPerPartition;

/** As a delivery is sent: every attempt has a connection of its own. */
const aloneName = "undici, a connection each";
const aimBesideUndici: Aim = { kind: "at least", value: 0.3 };

/** Milliseconds after which a sample fails the run, and between two looks whether it is over. */
const patience = 120_000;
const interval = 50;

/** Deliveries per second to a receiver on this machine, beside undici alone that sends to the same receiver. */
export async function delivering(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const { deliveries, deliveryRounds: rounds } = extent;
  const folder = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const notes: string[] = [];
  const counted: (Figure & { readonly samples: number[] })[] = [];
  try {
    say("starting the servers");
    const receiver = await spawnServer([join(import.meta.dirname, "serve-receiver.ts")]);
    ends.unshift(receiver.close);
    const bare = (name: string, kept: boolean): Subject => ({
      ...{ name, unit: "deliveries/s" },
      sample: () => rateOf(receiver.url, deliveries, () => sendBare(receiver.url, deliveries, atOnce, kept)),
    });
    const anchors = [bare(aloneName, false), bare("undici, connections kept", true)];
    const subjects = [await onEngine(sqliteEngine(folder), receiver.url)];
    try {
      subjects.push(await onEngine(await postgresEngine(), receiver.url));
    } catch (problem) {
      notes.push(`PostgreSQL was left out: ${String(problem)}`);
    }
    // For the compilers of all processes to settle.
    for (const subject of [...subjects, ...anchors]) await subject.sample();
    for (const { samples } of counted) samples.length = 0;
    const figures = await inRounds([...subjects, ...anchors], rounds, (round) =>
      say(`deliveries: round ${round} of ${rounds}`),
    );
    const isAnchor = (name: string): boolean => anchors.some((anchor) => anchor.name === name);
    const ratios = figures
      .filter(({ name }) => !isAnchor(name))
      .flatMap((figure) =>
        figures
          .filter(({ name }) => isAnchor(name))
          .map((to) => ratioOf(figure, to, to.name === aloneName ? aimBesideUndici : null)),
      );
    return {
      title: "Deliveries to a receiver on this machine, per second",
      notes: [
        `Each sample has ${deliveries} deliveries due at once at ${endpointCount} endpoints, ${atOnce} under way at a time; time counts from the first to the last that the receiver got.`,
        "A delivery claims, signs, checks the address, connects, sends, and records its attempt with all that it wrote; undici alone connects and sends.",
        "Claims and statements are those of the server's process; what begins and ends a transaction is a statement too.",
        ...notes,
      ],
      ...{ figures: [...figures, ...counted], ratios, aims: {} },
    };
  } finally {
    for (const end of ends) await end();
  }

  async function onEngine(engine: BenchEngine, receiver: string): Promise<Subject> {
    ends.unshift(engine.remove);
    const bench = await engine.newStore();
    ends.unshift(async () => {
      await bench.closeAccess();
      await bench.store.close();
    });
    const server = await spawnServer([join(import.meta.dirname, "serve-deliveries.ts")], { BENCH_STORE: bench.place });
    ends.unshift(server.close);
    const counts = async () => (await (await fetch(`http://127.0.0.1:${server.lines[0]}`)).json()) as WorkCounts;
    const claims: number[] = [];
    const statements: number[] = [];
    const name = subjectNames[engine.name];
    counted.push({ name: `${name}, claims`, unit: "per delivery", samples: claims });
    counted.push({ name: `${name}, statements`, unit: "per delivery", samples: statements });
    const recipients = await newRecipients(bench, receiver);
    return {
      name,
      unit: "deliveries/s",
      async sample() {
        const before = await counts();
        const rate = await rateOf(receiver, deliveries, async () => {
          await makeDue(bench, recipients, deliveries);
          await until(async () => {
            const [row] = await bench.execute("select count(*) as count from jobs");
            return Number(row?.count) === 0;
          });
        });
        const after = await counts();
        claims.push((after.claims - before.claims) / deliveries);
        statements.push((after.statements - before.statements) / deliveries);
        return rate;
      },
    };
  }
}

const subjectNames: Readonly<Record<EngineName, string>> = {
  SQLite: "reference on SQLite",
  PostgreSQL: "reference on PostgreSQL",
};

/** Has so many requests sent, and tells how many a second the receiver got. */
async function rateOf(receiver: string, requests: number, send: () => Promise<void>): Promise<number> {
  await fetch(receiver, { method: "DELETE" });
  await send();
  const { count, milliseconds } = (await (await fetch(receiver)).json()) as Span;
  if (count < requests) throw new Error(`The receiver got ${count} requests out of ${requests}.`);
  return ((count - 1) / milliseconds) * 1000;
}

/** What the receiver tells. */
interface Span {
  readonly count: number;
  readonly milliseconds: number;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Deliveries were still due after ${patience / 1000} s.`);
    await pause(interval);
  }
}
