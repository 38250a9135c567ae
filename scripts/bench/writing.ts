import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Agent } from "undici";
import {
  createOrganization,
  createOrganizationKey,
  getCapabilities,
} from "../../generated/client/sandbox-organizations.ts";
import { eventTypes } from "../../generated/events.ts";
import { operations } from "../../generated/operations.ts";
import type { Answer } from "../../generated/runtime/transport.ts";
import { scopes } from "../../generated/scopes.ts";
import { mostEndpoints } from "../../reference-server/domain/endpoints/new-endpoint.ts";
import { newDatabase } from "./database.ts";
import type { Extent } from "./extent.ts";
import { type Figure, ratioOf, type Section } from "./figure.ts";
import { Latencies } from "./latencies.ts";
import { load, type Target } from "./load.ts";
import { inRounds, type Subject } from "./rounds.ts";
import { spawnServer } from "./spawned-server.ts";

const connections = 16;

interface Request {
  readonly name: string;
  readonly operation: { readonly method: string; readonly path: string; readonly idempotencyHeader: string | null };
  readonly body: unknown;
  /** Most of one organization. */
  readonly most: number;
}

const manyScopes = Object.values(scopes).slice(0, 1);

/** What is written, and a read beside which it stands. */
const writes: readonly Request[] = [
  {
    name: "create a key",
    operation: operations.createApiKey,
    body: { label: "bench", scopes: manyScopes },
    most: 1_000_000,
  },
  {
    name: "create an endpoint",
    operation: operations.createWebhookEndpoint,
    body: { url: "https://example.com/", events: eventTypes },
    most: mostEndpoints,
  },
  {
    name: "a lookup with an idempotency key",
    operation: operations.createLookup,
    body: { phone_number: "+12025550147" },
    most: 1_000_000,
  },
];

/** More than any sample draws or spends. */
const plenty = { capacity: 1_000_000, period_seconds: 3_600 };
const manyMicros = 1_000_000_000_000;

/** Writes per second on each engine, beside a read of the same server, each sample in an organization of its own. */
export async function writing(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const notes: string[] = [];
  const latencies: Latencies[] = [];
  try {
    say("starting the servers");
    const engines = [await onStore("SQLite", `sqlite:${join(folder, "bench.db")}`)];
    try {
      const database = await newDatabase();
      ends.unshift(database.remove);
      engines.push(await onStore("PostgreSQL", database.url));
    } catch (problem) {
      notes.push(`PostgreSQL was left out: ${String(problem)}`);
    }
    const subjects = engines.flatMap(({ read, written }) => [read, ...written]);
    const rates = await inRounds(subjects, extent.requestRounds, (round) =>
      say(`writes: round ${round} of ${extent.requestRounds}`),
    );
    const figureOf = ({ name }: Subject): readonly Figure[] => rates.filter((figure) => figure.name === name);
    const ratios = engines.flatMap(({ read, written }) =>
      figureOf(read).flatMap((anchor) => written.flatMap(figureOf).map((figure) => ratioOf(figure, anchor, null))),
    );
    return {
      title: "Writes, in requests per second",
      notes: [
        `Each sample has a new organization of its own, with ${connections} requests under way at a time; its writes come one after the other, since each holds it.`,
        "A lookup charges a wallet and keeps its answer for retries; each has a key of its own.",
        ...notes,
      ],
      ...{ figures: [...rates, ...latencies.flatMap(({ figures }) => figures)], ratios, aims: {} },
    };
  } finally {
    for (const end of ends) await end();
  }

  async function onStore(engine: string, store: string) {
    const sandboxToken = randomBytes(16).toString("hex");
    const server = await spawnServer(
      [join(resolve(import.meta.dirname, ".."), "bylaw.js"), "serve", "--port", "0", "--store", store],
      // The sandbox is for tests, which a server in production has not.
      { NODE_ENV: "test", BYLAW_SANDBOX_TOKEN: sandboxToken },
    );
    const dispatcher = new Agent();
    ends.unshift(server.close, () => dispatcher.destroy());
    const sandbox = { baseUrl: server.url, token: sandboxToken, dispatcher };
    const { buckets } = done(await getCapabilities(sandbox));
    const body = {
      wallet_micros: manyMicros,
      limits: Object.fromEntries(buckets.map((name) => [name, plenty])),
    };

    async function newCaller(): Promise<Readonly<Record<string, string>>> {
      const { id } = done(await createOrganization(sandbox, { body }));
      const key = done(await createOrganizationKey(sandbox, { path: { id }, body: { scopes } }));
      return { authorization: `Bearer ${key.plaintext}`, "x-key-id": key.id };
    }

    function subject(name: string, most: number, targetFor: (headers: Target["headers"]) => () => Target): Subject {
      const measured = new Latencies(`${name} on ${engine}`);
      latencies.push(measured);
      return {
        name: `${name} on ${engine}`,
        unit: "requests/s",
        async sample() {
          const next = targetFor(await newCaller());
          const requests = Math.min(most, extent.loadRequests);
          const result = await load(next, { connections, milliseconds: extent.loadMilliseconds, requests });
          measured.add(result.latency);
          return result.perSecond;
        },
      };
    }

    const { path } = operations.getApiKey;
    const read = subject("read a key", extent.loadRequests, (headers) => () => ({
      url: server.url + path.replace("{id}", headers["x-key-id"] ?? ""),
      headers,
    }));
    const written = writes.map(({ name, operation, body, most }) =>
      subject(name, most, (headers) => () => ({
        url: server.url + operation.path,
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          ...(operation.idempotencyHeader === null ? {} : { [operation.idempotencyHeader]: randomUUID() }),
        },
        body: JSON.stringify(body),
      })),
    );
    return { read, written };
  }
}

/** The payload of a success. */
function done<Data>(answer: Answer<Data>): Data {
  if (answer.ok) return answer.data;
  throw new Error(`The writes could not be prepared: ${answer.status} ${answer.error.message}`);
}
