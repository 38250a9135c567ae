import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "../../generated/operations.ts";
import { newDatabase } from "./database.ts";
import type { Extent } from "./extent.ts";
import { type Aim, type Figure, ratioOf, type Section } from "./figure.ts";
import { Latencies } from "./latencies.ts";
import { load } from "./load.ts";
import { bareExpress, prismMock, type ReadServer, referenceServer } from "./read-servers.ts";
import { inRounds } from "./rounds.ts";

const connections = 16;
const aimsBesideExpress: Readonly<Record<string, Aim>> = {
  "reference on SQLite": { kind: "at least", value: 0.6 },
  "reference on PostgreSQL": { kind: "at least", value: 0.35 },
};
const aimBesidePrism: Aim = { kind: "at least", value: 4 };

const processorName = (name: string): string => `${name}, by processor time`;

/** Requests per second of one authenticated read, beside bare Express and Prism's mock. */
export async function readingKeys(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const started: ReadServer[] = [];
  const folder = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const removals: (() => Promise<void>)[] = [];
  const notes: string[] = [];
  let busiest = 0;
  const begin = async (name: string, opening: Promise<ReadServer>) => {
    const server = await opening;
    started.push(server);
    const [first, ...others] = server.targets;
    const targets = [...others, first];
    let sent = 0;
    const next = () => targets[sent++ % targets.length] ?? first;
    const loaded = (milliseconds: number) => load(next, { connections, milliseconds, requests: extent.loadRequests });
    await loaded(extent.warmUpMilliseconds);
    const byProcessor: number[] = [];
    const latencies = new Latencies(name);
    const sample = async () => {
      const before = server.processorMilliseconds();
      const { requests, perSecond, latency, clientBusy } = await loaded(extent.loadMilliseconds);
      const after = server.processorMilliseconds();
      if (before !== null && after !== null && after > before) byProcessor.push((requests / (after - before)) * 1000);
      latencies.add(latency);
      busiest = Math.max(busiest, clientBusy);
      return perSecond;
    };
    const beside: readonly Figure[] = [
      { name: processorName(name), unit: "requests/s", samples: byProcessor },
      ...latencies.figures,
    ];
    return { name, unit: "requests/s", targets: server.targets, sample, beside } as const;
  };
  try {
    say("starting the servers");
    const sqlite = await begin(
      "reference on SQLite",
      referenceServer(`sqlite:${join(folder, "bench.db")}`, connections),
    );
    const express = await begin("bare Express", bareExpress(sqlite.targets));
    const prism = await begin("Prism's mock", prismMock(sqlite.targets));
    const postgres = await openPostgres().catch((problem: unknown) => String(problem));
    if (typeof postgres === "string") notes.push(`PostgreSQL was left out: ${postgres}`);
    const subjects = [sqlite, ...(typeof postgres === "string" ? [] : [postgres]), express, prism];
    const rates = await inRounds(subjects, extent.requestRounds, (round) =>
      say(`requests: round ${round} of ${extent.requestRounds}`),
    );
    const beside = subjects.flatMap((subject) => subject.beside);
    const figures = [...rates, ...beside.filter(({ samples }) => samples.length === extent.requestRounds)];
    const named = (name: string): readonly Figure[] => figures.filter((figure) => figure.name === name);
    const ratios = rates
      .filter(({ name }) => name.startsWith("reference"))
      .flatMap((figure) => {
        const aim = aimsBesideExpress[figure.name] ?? null;
        return [
          ...named(express.name).map((anchor) => ratioOf(figure, anchor, aim)),
          ...named(processorName(figure.name)).flatMap((ours) =>
            named(processorName(express.name)).map((anchor) => ratioOf(ours, anchor, aim)),
          ),
          ...named(prism.name).map((anchor) => ratioOf(figure, anchor, aimBesidePrism)),
        ];
      });
    const { method, path } = operations.getApiKey;
    return {
      title: `${method} ${path} with a key, in requests per second`,
      notes: [
        `Each server is a process of its own; this one sends over ${connections} connections, one request at a time on each, with ${connections} keys in turn.`,
        "The reference and Prism log every request, as they usually do; Express has no middleware and its default settings, and answers the same JSON.",
        "By processor time: requests for each second that the server's process, not the client's nor the database's, had a processor.",
        `This process was busy at most ${Math.round(busiest * 100)} % of a sample; near 100 % it would be what is measured.`,
        ...notes,
      ],
      ...{ figures, ratios, aims: {} },
    };
  } finally {
    for (const { close } of started) await close();
    for (const remove of removals) await remove();
    rmSync(folder, { recursive: true, force: true });
  }

  async function openPostgres() {
    const database = await newDatabase();
    removals.push(database.remove);
    return begin("reference on PostgreSQL", referenceServer(database.url, connections));
  }
}
