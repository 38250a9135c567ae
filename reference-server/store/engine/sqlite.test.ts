import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { mostEndpoints } from "../../domain/endpoints/new-endpoint.ts";
import { newCustomer } from "../../domain/organizations/organization.ts";
import { expectJointDrawsExact } from "../cases/limit-cases.ts";
import { present, storeBench } from "../cases/store-bench.ts";
import { migrate } from "../migrations.ts";
import type { Tables } from "../tables.ts";
import { connectSqlite, openSqlite } from "./sqlite.ts";
import { inTransaction } from "./statement.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-sqlite-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("a SQLite file", () => {
  it("keeps what it was given", async () => {
    const file = join(scratch, "kept.db");
    const first = await openSqlite(file);
    const made = newCustomer({ newId: () => "org" });
    await first.insertOrganization(made);
    await first.close();
    const second = await openSqlite(file);
    expect(await second.organization("org")).toEqual(made);
    await second.close();
  });

  it("keeps out of a transaction what is asked of it beside it", async () => {
    const store = await openSqlite(":memory:");
    await store.insertOrganization(newCustomer({ newId: () => "org" }));
    let beside: Promise<void> = Promise.resolve();
    const undone = store.atomically("org", async (tx) => {
      await tx.setOutage("lookup", 3);
      beside = store.insertOrganization(newCustomer({ newId: () => "other" }));
      await tx.setOutage("lookup", 4);
      throw new Error("nothing of it");
    });
    await expect(undone).rejects.toThrow("nothing of it");
    await beside;
    expect(await store.organization("org")).toMatchObject({ outages: { lookup: 0 } });
    expect(await store.organization("other")).not.toBeNull();
    await store.close();
  });

  it("refuses what comes of a transaction that is over, and goes on", async () => {
    const store = await openSqlite(":memory:");
    await store.insertOrganization(newCustomer({ newId: () => "org" }));
    const late = await store.atomically("org", async (tx) => () => tx.setOutage("lookup", 3));
    await expect(late()).rejects.toThrow("already committed or rolled back");
    expect(await store.organization("org")).toMatchObject({ outages: { lookup: 0 } });
    await store.close();
  });

  it("has what is built for a transaction executed in it, and refuses it afterwards", async () => {
    const database = new DatabaseSync(":memory:");
    database.exec("create table organizations (id text)");
    const on = connectSqlite(database);
    const ids = (db: Kysely<Tables>) => db.selectFrom("organizations").select("id").execute();
    const insert = sql`insert into organizations (id) values ('a')`;
    let late: Promise<unknown> = Promise.resolve();
    const undone = inTransaction(on, async ({ db }) => {
      const { numAffectedRows } = await insert.execute(db);
      expect([numAffectedRows, await ids(db)]).toEqual([1n, [{ id: "a" }]]);
      late = new Promise<void>((turn) => setImmediate(turn)).then(() => ids(db));
      throw new Error("nothing of it");
    });
    await expect(undone).rejects.toThrow("nothing of it");
    await expect(late).rejects.toThrow("already committed or rolled back");
    expect(await ids(on.db)).toEqual([]);
    database.close();
  });

  it("is closed whatever was done with it, and opens no more", async () => {
    for (const file of [":memory:", ":memory:", join(scratch, "closed.db")]) {
      const store = await openSqlite(file);
      await store.close();
      await expect(store.ping()).rejects.toThrow("not open");
    }
  });

  it("has transactions one after the other, in the order in which they came", async () => {
    const store = await openSqlite(":memory:");
    const ids = ["a", "b", "c", "d"];
    for (const id of ids) await store.insertOrganization(newCustomer({ newId: () => id }));
    const seen: string[] = [];
    const unit = (id: string) =>
      store.atomically(id, async (tx) => {
        seen.push(`${id} begins`);
        await tx.endpoints.countActive();
        seen.push(`${id} ends`);
      });
    await Promise.all(ids.map(unit));
    expect(seen).toEqual(ids.flatMap((id) => [`${id} begins`, `${id} ends`]));
    await store.close();
  });

  it("counts attempts anew that were recorded before they were counted", async () => {
    const file = join(scratch, "counted.db");
    const store = await openSqlite(file);
    const { organization, endpoint, recordTogether } = storeBench(store);
    const { id: organizationId } = await organization();
    const at = [await endpoint({ organizationId }), await endpoint({ organizationId })];
    const times = [-1, 0, 599_999, 600_000, present];
    await recordTogether(times.flatMap((occurredAt) => at.map((at) => ({ at, attempt: { occurredAt } }))));
    await store.close();
    const database = new DatabaseSync(file);
    const counts = () => database.prepare("select * from attempt_counts order by 1, 2, 3, 4, 5, 6, 7").all();
    const before = counts();
    expect(before.length).toBeGreaterThan(times.length);
    database.exec(`
      drop trigger delivery_attempts_added; drop trigger delivery_attempts_removed; drop table attempt_counts;
      delete from kysely_migration where name = '0005-attempt-counts'`);
    await migrate(connectSqlite(database).db);
    expect(counts()).toEqual(before);
    database.close();
  });

  it("lists and counts the messages of a server that kept no list of them", async () => {
    const file = join(scratch, "listed.db");
    const database = new DatabaseSync(file);
    await migrate(connectSqlite(database).db, "0009-quiet-hours");
    database.exec(`
      insert into organizations (id, plan, kind, limit_sizes, outage_calls) values ('org', 'payg', 'commercial', '{}', 0);
      insert into messages (id, organization_id, recipient, body, status, cost, created_at)
      values ('a', 'org', '+12025550123', '"one"', 'sent', 1, 5), ('b', 'org', '+12025550123', '"two"', 'sent', 1, 6)`);
    database.close();
    const store = await openSqlite(file);
    const { messages, total } = await store.messages("org", { before: null, limit: 5 });
    expect([messages.map(({ id }) => id), total]).toEqual([["b", "a"], 2]);
    await store.close();
  });

  it("gets a table that was written beside those that it has already", async () => {
    const file = join(scratch, "beside.db");
    await (await openSqlite(file)).close();
    const database = new DatabaseSync(file);
    const later = ["0021-hosted-forms", "0024-consent-indexes"];
    database.exec("drop table hosted_forms; drop index double_opt_ins_by_end");
    database.exec(`delete from kysely_migration where name in (${later.map((name) => `'${name}'`)})`);
    database.close();
    const store = await openSqlite(file);
    expect(await store.hostedFormByHash("none")).toBeNull();
    await store.close();
  });

  it("knows the latest of the lookups that were made before it was counted", async () => {
    const file = join(scratch, "lookups.db");
    const store = await openSqlite(file);
    const { id: organizationId } = await storeBench(store).organization();
    for (const [lookup, lookedUpAt] of [
      ["b", 3],
      ["a", 5],
      ["c", 4],
    ] as const)
      await store.atomically(organizationId, (tx) =>
        tx.lookups.insert({ id: lookup, organizationId, phoneNumber: "+12025550123", lineType: "VOIP", lookedUpAt }),
      );
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(`
      drop index lookups_by_number; alter table lookups drop column position;
      drop index jobs_by_message; alter table jobs drop column message_id; drop table messages;
      delete from kysely_migration where name = '0008-messages'`);
    database.close();
    const again = await openSqlite(file);
    const latest = await again.atomically(organizationId, (tx) => tx.lookups.latest("+12025550123"));
    expect(latest).toMatchObject({ id: "a" });
    await again.close();
  });

  it("may be opened by several processes at once when it is new", async () => {
    const module = new URL("sqlite.ts", import.meta.url).href;
    const file = join(scratch, "raced.db");
    // They open it together, once the last of them is ready.
    const program = `
      const { openSqlite } = await import(${JSON.stringify(module)});
      process.send("ready");
      process.on("message", async () => {
        const store = await openSqlite(${JSON.stringify(file)});
        await store.ping();
        await store.close();
        process.exit();
      });`;
    expect(await runTogether(program)).toEqual([0, 0, 0]);
  });

  it("keeps the bound of active endpoints over several processes", async () => {
    const file = join(scratch, "endpoints.db");
    const store = await openSqlite(file);
    await store.insertOrganization(newCustomer({ newId: () => "org" }));
    const [sqlite, bench, cases] = ["sqlite.ts", "../cases/store-bench.ts", "../cases/units.ts"].map(
      (name) => new URL(name, import.meta.url).href,
    );
    const program = `
      const { openSqlite } = await import(${JSON.stringify(sqlite)});
      const { endpointWith } = await import(${JSON.stringify(bench)});
      const { unitsOf } = await import(${JSON.stringify(cases)});
      const units = unitsOf(await openSqlite(${JSON.stringify(file)}));
      process.send("ready");
      process.on("message", async () => {
        const made = Array.from({ length: 20 }, () => endpointWith({ organizationId: "org" }));
        await Promise.all(made.map((endpoint) => units.insertEndpoint(endpoint)));
        process.exit();
      });`;
    expect(await runTogether(program)).toEqual([0, 0, 0]);
    expect((await store.resources("org"))?.webhooks.endpoints).toHaveLength(mostEndpoints);
    await store.close();
  });

  it("may be open twice, and its limits still hold", async () => {
    const file = join(scratch, "shared.db");
    const stores = [await openSqlite(file), await openSqlite(file)];
    await stores[0]?.insertOrganization(newCustomer({ newId: () => "org" }));
    await expectJointDrawsExact(stores, "org");
    await Promise.all(stores.map((store) => store.close()));
  });
});

/** Runs a program in three processes, each of which waits for a message when it is ready. Gives their exit codes. */
async function runTogether(program: string): Promise<readonly unknown[]> {
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    }),
  );
  const exited = Promise.all(children.map((child) => once(child, "exit")));
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  return (await exited).map(([code]) => code);
}
