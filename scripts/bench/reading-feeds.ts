import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { referenceChoices } from "../../generated/choices.ts";
import { bounds } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { seedOrganization } from "../../reference-server/seed-organization.ts";
import { createServer, machine, type Server } from "../../reference-server/server.ts";
import type { AttemptFilters } from "../../reference-server/store/attempts/webhook-store.ts";
import { type BenchEngine, type BenchStore, postgresEngine, sqliteEngine } from "./bench-store.ts";
import type { Extent } from "./extent.ts";
import { type Aim, ratioOf, type Section } from "./figure.ts";
import { fillAttempts, positionOf, someEndpoint, someInstant, someType } from "./fill-attempts.ts";
import { inRounds, type Subject } from "./rounds.ts";
import { timed } from "./timed.ts";

/** A page takes as long as in a feed of a thousand, but for what the machine adds. */
const aim: Aim = { kind: "at most", value: 3 };

type Say = (progress: string) => void;

/** Milliseconds of a page of the feed, however many attempts there are, on both engines. */
export async function readingFeeds(extent: Extent, say: Say): Promise<readonly Section[]> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  try {
    const sqlite = await measured(sqliteEngine(folder), extent, say);
    const postgres = await postgresEngine().catch((problem: unknown) => String(problem));
    if (typeof postgres !== "string") return [sqlite, await measured(postgres, extent, say)];
    return [{ ...sqlite, notes: [...sqlite.notes, `PostgreSQL was left out: ${postgres}`] }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(engine: BenchEngine, extent: Extent, say: Say): Promise<Section> {
  const feeds: Feed[] = [];
  try {
    const notes: string[] = [];
    for (const size of extent.feedSizes) {
      say(`feed on ${engine.name}: filling it with ${sizeText(size)} attempts`);
      const start = performance.now();
      feeds.push(await openFeed(engine, size));
      notes.push(`${sizeText(size)} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
    const subjects = feeds.flatMap((feed) => [...pages(feed, extent), wholeRequest(feed, extent)]);
    const figures = await inRounds(subjects, extent.deliveryRounds, (round) =>
      say(`feed on ${engine.name}: round ${round} of ${extent.deliveryRounds}`),
    );
    const [anchorSize] = extent.feedSizes;
    const ratios = figures.flatMap((figure) => {
      const [what = "", size = ""] = figure.name.split(nameBreak);
      const anchor = figures.find(({ name }) => name === nameOf(what, anchorSize));
      if (anchor === undefined || size === sizeText(anchorSize)) return [];
      return [ratioOf(figure, anchor, aim)];
    });
    return {
      title: `The feed of delivery attempts on ${engine.name}, in milliseconds`,
      notes: [
        `Pages of ${bounds.deliveryPageDefault} are calls of the store, with the number behind meta.total; each sample is the median of ${extent.feedCalls}.`,
        `Each size is a database of its own; filled: ${notes.join(", ")}.`,
      ],
      ...{ figures, ratios, aims: {} },
    };
  } finally {
    for (const { close } of feeds) await close();
    await engine.remove();
  }
}

/** One organization's feed of a size, with a server before it. */
interface Feed {
  readonly size: number;
  readonly store: BenchStore;
  readonly organizationId: string;
  readonly key: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function openFeed(engine: BenchEngine, size: number): Promise<Feed> {
  const store = await engine.newStore();
  const seeded = await seedOrganization(store.store, machine, referenceChoices);
  await fillAttempts(store, seeded.organization_id, size);
  // As a server that has run for a while has done by itself.
  if (engine.name === "PostgreSQL") await store.execute("vacuum analyze delivery_attempts");
  const server: Server = createServer({
    store: store.store,
    choices: referenceChoices,
    log: pino({ level: "silent" }),
    production: true,
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const about = { size, store, organizationId: seeded.organization_id, key: seeded.api_key, url };
  return {
    ...about,
    async close() {
      await store.closeAccess();
      await server.close();
    },
  };
}

/** Pages in the middle of the feed, and first ones; each is full in a feed of a thousand, so that all cost one page. */
const middlePages: Readonly<Record<string, Partial<AttemptFilters>>> = {
  "page in the middle": {},
  "page in the middle, one endpoint": { endpointId: someEndpoint },
};
const firstPages: Readonly<Record<string, Partial<AttemptFilters>>> = {
  "first page": {},
  "first page, one endpoint": { endpointId: someEndpoint },
  "first page, one type": { eventType: someType },
  "first page, one outcome": { outcome: "retry" },
  "first page, statuses from 500": { statusMin: 500 },
  "first page, since the beginning": { since: someInstant },
  "first page, since the beginning, one endpoint": { endpointId: someEndpoint, since: someInstant },
  "first page, one endpoint and outcome": { endpointId: someEndpoint, outcome: "retry" },
};

/** What should take the same in a feed of any size. */
function pages({ store, organizationId, size }: Feed, extent: Extent): readonly Subject[] {
  const page = (what: string, filters: Partial<AttemptFilters>, isDeep: boolean): Subject =>
    timed(nameOf(what, size), extent.feedCalls, async () => {
      const before = isDeep ? await middle : null;
      const wanted = { unanswered: "left-out", ...filters } as const;
      // One more than a page holds, as the route asks for.
      await store.store.webhooks.attempts(organizationId, wanted, {
        before,
        limit: bounds.deliveryPageDefault + 1,
        total: "matching",
      });
    });
  const middle = positionOf(store, Math.floor(size / 2));
  return [
    ...Object.entries(firstPages).map(([what, filters]) => page(what, filters, false)),
    ...Object.entries(middlePages).map(([what, filters]) => page(what, filters, true)),
  ];
}

const wholeRequest = ({ size, key, url }: Feed, extent: Extent): Subject =>
  timed(nameOf("first page, whole request", size), extent.feedCalls, async () => {
    const answer = await fetch(url + operations.listDeliveryAttempts.path, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!answer.ok) throw new Error(`The feed was answered ${answer.status}.`);
    await answer.arrayBuffer();
  });

const nameBreak = " of ";

const nameOf = (what: string, size: number): string => `${what}${nameBreak}${sizeText(size)}`;

function sizeText(size: number): string {
  if (size >= 1_000_000) return `${size / 1_000_000} M`;
  return size >= 1_000 ? `${size / 1_000} k` : String(size);
}
