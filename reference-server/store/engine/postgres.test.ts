import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { batchedSettling } from "../../delivery/batched-settling.ts";
import { mostEndpoints } from "../../domain/endpoints/new-endpoint.ts";
import { newKey } from "../../domain/keys/api-keys.ts";
import { newMessage } from "../../domain/messages/message.ts";
import { newCustomer } from "../../domain/organizations/organization.ts";
import { expectJointDrawsExact } from "../cases/limit-cases.ts";
import { attemptOf, endpointWith, eventOf, storeBench } from "../cases/store-bench.ts";
import { unitsOf } from "../cases/units.ts";
import { migrate, migrations } from "../migrations.ts";
import { openStore } from "../open-store.ts";
import { newTestDatabase } from "../open-test-store.ts";
import type { Store } from "../store.ts";
import type { Tables } from "../tables.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";

let url: string;
let admin: pg.Client;
/** Looks on from outside the transactions of `admin`, in which the list of connections never changes. */
let observer: pg.Client;

beforeEach(async () => {
  url = await newTestDatabase();
  admin = new pg.Client(url);
  observer = new pg.Client(url);
  await Promise.all([admin.connect(), observer.connect()]);
});
afterEach(() => Promise.all([admin.end(), observer.end()]));

async function open(options: PostgresOptions = {}): Promise<Store> {
  const store = await openPostgres(url, options);
  onTestFinished(() => store.close());
  return store;
}

const served = "from pg_stat_activity where datname = current_database() and application_name = 'bylaw'";
const terminate = () => observer.query(`select pg_terminate_backend(pid) ${served}`);

/** Resolves once so many statements wait for a lock. */
const waiting = (count: number) =>
  waitFor(async () => {
    const { rowCount } = await observer.query(`select ${served} and wait_event_type = 'Lock'`);
    return rowCount === count;
  });

const ours = newCustomer({ newId: () => "org" });

describe("the tables in PostgreSQL", () => {
  it("are made once when several servers start at once, and kept when one starts later", async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open({ connections: 2 })));
    await stores[0]?.insertOrganization(ours);
    for (const store of [...stores, await open()]) expect(await store.organization("org")).toEqual(ours);
    const { rows } = await admin.query("select name from kysely_migration");
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(await migrations.getMigrations()).sort());
  });

  it("tell the latest of the lookups that were made before it was counted", async () => {
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
    onTestFinished(() => db.destroy());
    await migrate(db, "0007-consents");
    const phoneNumber = "+12025550123";
    await admin.query(`
      insert into organizations (id, plan, kind, limit_sizes, outage_calls)
      values ('org', '${ours.plan}', '${ours.kind}', '{}', 0)`);
    await admin.query(`
      insert into lookups (id, organization_id, phone_number, line_type, looked_up_at)
      select id, 'org', '${phoneNumber}', 'VOIP', at from (values ('b', 3), ('a', 5), ('c', 4)) as made (id, at)`);
    const newer = await open();
    expect(await newer.atomically("org", (tx) => tx.lookups.latest(phoneNumber))).toMatchObject({ id: "a" });
  });

  it("are waited for while another server makes them, longer than for any statement", async () => {
    await open();
    await admin.query("begin; lock table kysely_migration");
    const opened = open({ statementMilliseconds: 1000 });
    await new Promise((done) => setTimeout(done, 2500));
    await admin.query("rollback");
    await (await opened).ping();
  });
});

describe("a store in PostgreSQL", () => {
  it("shares its limits with others in the same database", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0]?.insertOrganization(ours);
    await expectJointDrawsExact(stores, "org");
  });

  it("shares an organization's money with others in the same database, and charges no more than there is", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0]?.insertOrganization(ours);
    const credit = { kind: "credit", amount: 1_000, reference: "credit", at: 1 } as const;
    await stores[0]?.atomically("org", (tx) => tx.ledger.append(credit));
    const charged = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        stores[index % stores.length]?.atomically("org", async (tx) => {
          if ((await tx.ledger.wallet()).balance < 30) return false;
          await tx.ledger.append({ kind: "charge", amount: 30, reference: `charge ${index}`, at: 2 });
          return true;
        }),
      ),
    );
    expect(charged.filter(Boolean)).toHaveLength(33);
    const wallets = await Promise.all(stores.map((store) => store.atomically("org", (tx) => tx.ledger.wallet())));
    for (const wallet of wallets) expect(wallet).toEqual({ balance: 10, spend: 990, entries: 34 });
  });

  it("shares the bound of active endpoints with others in the same database", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0]?.insertOrganization(ours);
    const units = stores.map(unitsOf);
    const admitted = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        units[index % units.length]?.insertEndpoint(endpointWith({ organizationId: "org" })),
      ),
    );
    expect(admitted.filter(Boolean)).toHaveLength(mostEndpoints);
  });

  it("does units of one organization one after the other, whatever server does them", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0]?.insertOrganization(ours);
    const another = (store: Store) =>
      store.atomically("org", (tx) => tx.setOutage("lookup", (tx.organization?.outages.lookup ?? 0) + 1));
    await Promise.all(Array.from({ length: 20 }, () => stores.map(another)).flat());
    expect((await stores[0]?.organization("org"))?.outages.lookup).toBe(60);
  });

  it("serves other organizations while many units of one wait for another server", async () => {
    const store = await open({ connections: 2 });
    const others = { ...ours, id: "others" };
    for (const organization of [ours, others]) await store.insertOrganization(organization);
    await admin.query("begin; select 1 from organizations where id = 'org' for no key update");
    const held = Array.from({ length: 20 }, () => unitsOf(store).countActive("org"));
    await waiting(1);
    expect(await unitsOf(store).insertEndpoint(endpointWith({ organizationId: "others" }))).toBe(true);
    await admin.query("rollback");
    expect(await Promise.all(held)).toEqual(Array(20).fill(0));
  });

  it("does a unit again that another one came in the way of", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    await unitsOf(store).insertEndpoint(endpointWith({ organizationId: "org", id: "e" }));
    const [one] = [await unitsOf(store).endpoint("org", "e")];
    if (one === null || one === undefined) throw new Error("There is no endpoint.");
    // The unit holds the organization and wants the endpoint, the other way round than here: one of both is ended.
    await admin.query(
      "begin; set local deadlock_timeout = '10s'; select 1 from webhook_endpoints where id = 'e' for update",
    );
    let tries = 0;
    const changed = store.atomically("org", async (tx) => {
      tries++;
      await tx.endpoints.update({ ...one, updatedAt: 7 });
    });
    await waiting(1);
    await admin.query("select 1 from organizations where id = 'org' for update; rollback");
    await changed;
    expect(tries).toBe(2);
    expect(await unitsOf(store).endpoint("org", "e")).toMatchObject({ updatedAt: 7 });
  });

  it("settles the work of other organizations while somebody holds that of one", async () => {
    const store = await open();
    const bench = storeBench(store);
    const organizations = [await bench.organization(), await bench.organization()];
    for (const { id: organizationId } of organizations) {
      const endpoint = await bench.endpoint({ organizationId });
      for (let count = 0; count < 2; count++)
        await bench.units.emit(eventOf({ organizationId }), { endpointId: endpoint.id });
    }
    const claims = await bench.due();
    expect(claims).toHaveLength(4);
    const [held] = claims;
    await admin.query("begin");
    await admin.query("select 1 from jobs where id = $1 for update", [held?.delivery.id]);
    const settle = batchedSettling({
      queue: store.dueWork,
      ...{ gather: 1, underway: () => claims.length, onRoom: () => undefined },
    });
    const settled = claims.map((claim) => ({
      isHeld: claim.organizationId === held?.organizationId,
      written: settle({ claim, attempt: attemptOf(claim), nextDueAt: null }),
    }));
    for (const { isHeld, written } of settled) if (!isHeld) expect(await written).toBe(true);
    await waiting(1);
    await admin.query("rollback");
    for (const { written } of settled) expect(await written).toBe(true);
  });

  it("deletes an organization whose messages somebody settles meanwhile", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    const send = { to: "+12025550130", body: "x", scheduledAt: null, bypassesQuietHours: false, cost: 10_000 };
    const message = newMessage(send, { id: "message", organizationId: "org", now: 1 });
    await store.atomically("org", (tx) => tx.messages.insert(message));
    // Whoever settles takes the job first and its partition behind it.
    await admin.query("begin; select 1 from jobs where message_id = 'message' for update");
    const deleted = store.deleteOrganization("org");
    await waiting(1);
    await admin.query("select 1 from job_partitions where organization_id = 'org' for update; commit");
    expect(await deleted).toEqual(ours);
    expect(await store.message("org", "message")).toBeNull();
  });

  it("gives up a unit that others come in the way of again and again", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    await admin.query(`
      create function conflict() returns trigger language plpgsql as
        $$ begin raise exception 'planted' using errcode = 'serialization_failure'; end $$;
      create trigger conflict before update on organizations execute function conflict()`);
    let tries = 0;
    const unit = store.atomically("org", async (tx) => {
      tries++;
      await tx.setOutage("lookup", 1);
    });
    await expect(unit).rejects.toThrow("planted");
    expect(tries).toBe(5);
  });

  it("gives each delivery to one of those who share the database, and keeps the bound of an endpoint", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores.map(storeBench);
    if (first === undefined) throw new Error("There is no store.");
    const { id: organizationId } = await first.organization();
    for (let count = 0; count < 3; count++) await first.endpoint({ organizationId });
    for (let count = 0; count < 10; count++) await first.units.emit(eventOf({ organizationId }), "subscribed");
    const given = new Map<string, readonly string[]>();
    for (let round = 0; round < 50 && [...given.values()].flat().length < 12; round++)
      for (const claims of await Promise.all(
        [...stores, ...stores].map((store) => storeBench(store).due({ mostPerPartition: 4 })),
      ))
        for (const { delivery } of claims)
          given.set(delivery.endpoint.id, [...(given.get(delivery.endpoint.id) ?? []), delivery.id]);
    for (const ids of given.values()) expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    expect(given.size).toBe(3);
  });

  it("reads keys with a statement that it has prepared when a newer server adds columns", async () => {
    const store = await open({ connections: 1 });
    await store.insertOrganization(ours);
    const key = newKey(
      { id: "key", organizationId: "org", label: "x", scopes: [], createdAt: 1 },
      { plaintext: "never stored", prefix: "p", secretHash: "hash" },
    );
    await unitsOf(store).insertKey(key);
    for (let count = 0; count < 10; count++) expect(await store.keyByHash("hash")).toMatchObject({ key });
    expect(await store.key("org", "key")).toEqual(key);
    await admin.query("alter table api_keys add later text; alter table organizations add later text");
    expect(await store.keyByHash("hash")).toEqual({ key, organization: ours });
    expect(await store.key("org", "key")).toEqual(key);
  });

  it("does not wait for an endpoint whose deliveries another server is taking", async () => {
    const store = await open();
    const { units, organization, endpoint, due } = storeBench(store);
    const { id: organizationId } = await organization();
    const [held, free] = [await endpoint({ organizationId }), await endpoint({ organizationId })];
    await units.emit(eventOf({ organizationId }), "subscribed");
    await admin.query("begin");
    await admin.query("select 1 from webhook_endpoints where id = $1 for no key update", [held.id]);
    expect((await due()).map(({ delivery }) => delivery.endpoint.id)).toEqual([free.id]);
    await admin.query("rollback");
    expect((await due()).map(({ delivery }) => delivery.endpoint.id)).toEqual([held.id]);
  });

  it("refuses a number that a JavaScript number cannot hold, and goes on", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    const wallet = () => store.atomically("org", (tx) => tx.ledger.wallet());
    await store.atomically("org", (tx) => tx.ledger.append({ kind: "credit", amount: 5, reference: "r", at: 1 }));
    await admin.query("update ledger_entries set balance = 9007199254740993");
    await expect(wallet()).rejects.toThrow("a whole number that is too large");
    await admin.query("update ledger_entries set balance = 9007199254740991");
    expect(await wallet()).toMatchObject({ balance: 9_007_199_254_740_991 });
  });

  it("shows an organization and its keys as they are at one instant", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    await admin.query("begin; lock table api_keys");
    const read = store.resources("org");
    await waiting(1);
    await admin.query(
      "insert into api_keys values ('id', 'org', '\"x\"', 'p', 'h', '[]', 1, null, null); update organizations set plan = 'other'; commit",
    );
    expect(await read).toMatchObject({ organization: ours, keys: [] });
  });

  it("survives the loss of unused connections", async () => {
    const lost: string[] = [];
    const store = await open({ lostConnection: ({ message }) => lost.push(message) });
    await Promise.all(Array.from({ length: 5 }, () => store.ping()));
    const { rowCount } = await terminate();
    await waitFor(async () => lost.length === rowCount);
    expect(lost[0]).toBe("terminating connection due to administrator command");
    await store.ping();
  });

  it("survives the loss of connections in use, in a transaction too", async () => {
    const store = await open();
    await store.insertOrganization(ours);
    await admin.query("begin; lock table api_keys, organizations");
    const calls = [store.ping(), store.resources("org"), unitsOf(store).endpoint("org", "e")].map((call) =>
      call.then(
        () => "done",
        (problem: Error) => problem.message,
      ),
    );
    await waiting(3);
    await terminate();
    expect(await Promise.all(calls)).toEqual(Array(3).fill(expect.stringMatching(/terminat/)));
    await admin.query("rollback");
    expect((await store.resources("org"))?.organization).toEqual(ours);
  });

  it("leaves a server that a fail-over has made read-only", async () => {
    await open();
    const readOnly = (value: "on" | "off") =>
      admin.query(`alter database "${admin.database}" set default_transaction_read_only = ${value}`);
    await readOnly("on");
    const store = await open({ connections: 1 });
    await expect(store.insertOrganization(ours)).rejects.toThrow("read-only transaction");
    await readOnly("off");
    await store.insertOrganization(ours);
  });

  it("gives up a statement that takes too long, and goes on", async () => {
    const store = await open({ connections: 1, statementMilliseconds: 1000 });
    await admin.query("begin; lock table organizations");
    await expect(store.ping()).rejects.toThrow(/timeout/);
    await expect(store.resources("org")).rejects.toThrow(/timeout/);
    await admin.query("rollback");
    await store.ping();
  });

  it("does not wait for a connection for ever", async () => {
    const store = await open({ connections: 1, connectMilliseconds: 2000 });
    await admin.query("begin; lock table organizations");
    const first = store.ping();
    await expect(store.ping()).rejects.toThrow("timeout exceeded when trying to connect");
    await admin.query("rollback");
    await first;
    await store.ping();
  });
});

describe("opening a store in PostgreSQL", () => {
  it("says why it cannot, without the password", async () => {
    const at = (changes: Partial<URL>) => Object.assign(new URL(url), changes);
    const wrong: readonly (readonly [URL, string])[] = [
      [at({ pathname: "/no_such" }), 'database "no_such" does not exist'],
      [at({ username: "nobody_here", password: "wrong-secret" }), "authentication failed"],
    ];
    for (const [place, why] of wrong) {
      const problem = await openStore(place.href).then(String, String);
      expect(problem).toContain(`The database postgres://${place.host}${place.pathname} cannot be used:`);
      expect(problem).toContain(why);
      expect(problem).not.toContain(place.password);
    }
  });
});

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
}
