import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { attemptOf, eventOf, firstPage, present, storeBench } from "../cases/store-bench.ts";
import { openPostgres } from "../engine/postgres.ts";
import * as attemptCounts from "../migrations/0005-attempt-counts.ts";
import { newTestDatabase } from "../open-test-store.ts";
import type { Store } from "../store.ts";

let url: string;
let pool: pg.Pool;

beforeEach(async () => {
  url = await newTestDatabase();
  pool = new pg.Pool({ connectionString: url, max: 1 });
  return () => pool.end();
});

async function open(): Promise<Store> {
  const store = await openPostgres(url);
  onTestFinished(() => store.close());
  return store;
}

const counts = async () => (await pool.query("select * from attempt_counts order by 1, 2, 3, 4, 5, 6, 7")).rows;

/** Leaves the tables as they were before attempts were counted. */
const forgetCounts = () =>
  pool.query(`
    drop table attempt_counts;
    drop function count_added_attempts cascade;
    drop function count_removed_attempts cascade`);

const migrate = () =>
  new Kysely({ dialect: new PostgresDialect({ pool }) }).transaction().execute((db) => attemptCounts.up(db));

describe("the numbers of attempts in PostgreSQL", () => {
  it("shows pages and their totals as of one instant while several record and delete, and counts exactly", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores.map(storeBench);
    if (first === undefined) throw new Error("There is no store.");
    const { id: organizationId } = await first.organization();
    const at = [await first.endpoint({ organizationId }), await first.endpoint({ organizationId })];
    const everything = {
      eventsBefore: 0,
      attemptsBefore: Number.MAX_SAFE_INTEGER,
      answersUntil: 0,
      consentRequestsBefore: 0,
    };
    const rangeOf = { since: present + 1, until: present + 86_400_000 };
    let isRecording = true;
    const record = async (store: Store, round: number) => {
      const { units, due } = storeBench(store);
      for (const { id } of at)
        for (const _ of [1, 2]) await units.emit(eventOf({ organizationId }), { endpointId: id });
      const claims = await due();
      const settlements = claims.map((claim, index) => ({
        claim,
        attempt: attemptOf(claim, {
          responseStatus: 200 + ((index + round) % 3),
          occurredAt: present + 7_000_000 * ((index * 5 + round) % 20),
        }),
        nextDueAt: null,
      }));
      await store.dueWork.settle(settlements);
    };
    const recording = Promise.all(
      [...stores, ...stores].map(async (store) => {
        for (let round = 0; round < 6; round++) {
          await record(store, round);
          if (round % 3 === 2) await store.retention.pruneOrganization(organizationId, everything);
        }
      }),
    ).finally(() => {
      isRecording = false;
    });
    const totals = new Set<number>();
    const look = async () => {
      for (const filters of [{}, rangeOf, { endpointId: at[0]?.id }, { statusMin: 201, ...rangeOf }]) {
        const { attempts, total } = await first.webhooks.attempts(
          organizationId,
          { unanswered: "kept", ...filters },
          firstPage,
        );
        expect(total).toBe(attempts.length);
        totals.add(total);
      }
    };
    while (isRecording) await look();
    await recording;
    await record(first.store, 0);
    await look();
    expect(totals.size).toBeGreaterThan(3);
    const { rows } = await pool.query("select count(*) as wrong from attempt_counts where attempts <= 0");
    expect(rows).toEqual([{ wrong: "0" }]);
    await first.store.retention.pruneOrganization(organizationId, everything);
    expect((await pool.query("select 1 from attempt_counts")).rowCount).toBe(0);
  });

  it("are counted anew for attempts that were recorded before", async () => {
    const { organization, endpoint, recordTogether } = storeBench(await open());
    const { id: organizationId } = await organization();
    const at = [await endpoint({ organizationId }), await endpoint({ organizationId })];
    const times = [-1, 0, 599_999, 600_000, present];
    await recordTogether(times.flatMap((occurredAt) => at.map((at) => ({ at, attempt: { occurredAt } }))));
    const before = await counts();
    expect(before.length).toBeGreaterThan(times.length);
    await forgetCounts();
    await migrate();
    expect(await counts()).toEqual(before);
  });

  it("count what an older server records while they are being counted for the first time", async () => {
    const store = await open();
    const { organization, endpoint, recordTogether } = storeBench(store);
    const at = await endpoint({ organizationId: (await organization()).id });
    await recordTogether([{ at, attempt: {} }]);
    const once = await counts();
    await forgetCounts();
    const older = new pg.Client(url);
    await older.connect();
    onTestFinished(() => older.end());
    // Its attempt is on record, and not yet to be seen, when the migration starts.
    await older.query("begin");
    await older.query(`
      insert into delivery_attempts
      select (jsonb_populate_record(known, '{ "id": "another" }')).* from delivery_attempts as known`);
    const migrated = migrate();
    const waits = "select 1 from pg_locks where relation = 'delivery_attempts'::regclass and not granted";
    while ((await older.query(waits)).rowCount === 0) await new Promise((done) => setTimeout(done, 20));
    await older.query("commit");
    await migrated;
    expect(await counts()).toEqual(once.map((row) => ({ ...row, attempts: "2" })));
  });
});
