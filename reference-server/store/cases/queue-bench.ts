import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { newCustomer } from "../../domain/organizations/organization.ts";
import type { QueueBench } from "../../testing/queue-cases.ts";
import { openPostgres } from "../engine/postgres.ts";
import { openSqlite } from "../engine/sqlite.ts";
import { newTestDatabase } from "../open-test-store.ts";
import type { Store } from "../store.ts";
import { rowOfEndpoint, rowOfEvent } from "../webhook-rows.ts";
import { firstPage } from "./store-bench.ts";
import { unitsOf } from "./units.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** A store, and a way around it to rows that it would not make itself. */
interface OpenDatabase {
  readonly store: Store;
  insert(table: string, row: Row): Promise<void>;
  update(table: string, id: string, row: Row): Promise<void>;
  remove(table: string, id: string): Promise<void>;
  execute(text: string): Promise<void>;
}

interface SqlQueueBench extends QueueBench {
  /** Puts in as many jobs as partitions, each due at that time. */
  addWaiting(organizationId: string, partitions: number, dueAt: number): Promise<void>;
}

/** The queue of an empty store on the engine that the test project names. Closed when the test is finished. */
export async function openQueueBench(): Promise<SqlQueueBench> {
  const { store, insert, update, remove, execute } = await openDatabase();
  const units = unitsOf(store);
  const organizations: string[] = [];
  return {
    queue: store.dueWork,
    async organization(clock) {
      const organization = { ...newCustomer({ newId: randomUUID }), clock };
      await store.insertOrganization(organization);
      organizations.push(organization.id);
      return organization.id;
    },
    async clock(organizationId) {
      const organization = await store.organization(organizationId);
      if (organization === null) throw new Error("There is no such organization.");
      return organization.clock;
    },
    async add({ id, event, endpoint, attempts, dueAt }) {
      if (!(await store.webhooks.endpointExists(endpoint.organizationId, endpoint.id)))
        await units.insertEndpoint(endpoint);
      const organization = await store.organization(event.organizationId);
      await insert("events", { ...rowOfEvent(event) });
      const manual = organization?.clock.mode === "manual" ? 1 : 0;
      await insert("jobs", { id, event_id: event.id, partition_id: endpoint.id, attempts, due_at: dueAt });
      await remove("job_partitions", endpoint.id);
      const partition = { id: endpoint.id, kind: "delivery", organization_id: event.organizationId, manual };
      await insert("job_partitions", { ...partition, look_at: manual === 1 ? null : 0 });
    },
    async addWaiting(organizationId, partitions, dueAt) {
      const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${partitions})`;
      await execute(`${numbers} insert into jobs (id, partition_id, attempts, due_at)
        select 'job ' || n, 'partition ' || n, 1, ${dueAt} from numbers`);
      await execute(`${numbers} insert into job_partitions (id, kind, organization_id, manual, look_at)
        select 'partition ' || n, 'delivery', '${organizationId}', 0, ${dueAt} from numbers`);
    },
    async change(endpoint) {
      await update("webhook_endpoints", endpoint.id, { ...rowOfEndpoint(endpoint) });
      await update("job_partitions", endpoint.id, { look_at: 0 });
    },
    async force({ id, organizationId }, answers) {
      if (!(await units.forceAnswers(organizationId, id, answers, false))) throw new Error("No endpoint.");
    },
    async attempts() {
      const filters = { unanswered: "kept" } as const;
      const pages = await Promise.all(organizations.map((id) => store.webhooks.attempts(id, filters, firstPage)));
      return pages.flatMap(({ attempts }) => attempts).toSorted((one, other) => one.attempt - other.attempt);
    },
  };
}

async function openDatabase(): Promise<OpenDatabase> {
  const opened = inject("engine") === "sqlite" ? await openFile() : await openServer();
  const { store, place, execute, close } = opened;
  onTestFinished(close);
  return {
    store,
    async insert(table, row) {
      const names = Object.keys(row);
      const places = names.map((_, index) => place(index));
      await execute(`insert into ${table} (${names.join()}) values (${places.join()})`, Object.values(row));
    },
    async update(table, id, row) {
      const sets = Object.keys(row).map((name, index) => `${name} = ${place(index)}`);
      await execute(`update ${table} set ${sets.join()} where id = '${id}'`, Object.values(row));
    },
    execute: (text) => execute(text, []),
    remove: (table, id) => execute(`delete from ${table} where id = '${id}'`, []),
  };
}

interface Opened {
  readonly store: Store;
  /** A parameter's place in a statement; they count from 0. */
  readonly place: (index: number) => string;
  readonly execute: (text: string, values: readonly SQLInputValue[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openFile(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-queue-"));
  const file = join(folder, "queue.db");
  const store = await openSqlite(file);
  const database = new DatabaseSync(file);
  return {
    store,
    place: () => "?",
    execute: async (text, values) => void database.prepare(text).run(...values),
    async close() {
      database.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openServer(): Promise<Opened> {
  const url = await newTestDatabase();
  const store = await openPostgres(url);
  const client = new pg.Client(url);
  await client.connect();
  return {
    store,
    place: (index) => `$${index + 1}`,
    execute: async (text, values) => void (await client.query(text, [...values])),
    async close() {
      await client.end();
      await store.close();
    },
  };
}
