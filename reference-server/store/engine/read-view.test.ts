import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { readView } from "./read-view.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-read-view-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const count = "select count(*) as found from things";

/** A database that two connections have open, and how many things the first of them sees through its view. */
function opened(name: string) {
  const file = join(scratch, name);
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; create table things (name text)");
  const other = new DatabaseSync(file);
  const view = readView(database);
  const look = (): unknown => {
    view.before(true);
    return database.prepare(count).get()?.found;
  };
  const close = () => {
    view.end();
    database.close();
    other.close();
  };
  return { database, view, look, close, add: () => other.exec("insert into things values ('one')") };
}

/** What is promised goes on before the event loop comes to its next event. */
const promised = () => Promise.resolve();
const nextEvent = () => new Promise<void>((turn) => setImmediate(turn));

describe("a view for reads that follow each other", () => {
  it("shows one instant until the next event, and then the present", async () => {
    const { look, add, close } = opened("instant.db");
    await nextEvent();
    await promised();
    expect(look()).toBe(0);
    add();
    await promised();
    expect(look()).toBe(0);
    await nextEvent();
    expect(look()).toBe(1);
    close();
  });

  it("is over when something is written, which others see at once", async () => {
    const { database, view, look, add, close } = opened("written.db");
    await promised();
    expect(look()).toBe(0);
    add();
    const write = "insert into things values ('two')";
    view.before(false);
    expect(database.isTransaction).toBe(false);
    database.exec(write);
    expect(look()).toBe(2);
    close();
  });

  it("leaves no transaction behind, even where an error has ended it", async () => {
    const { database, look, close } = opened("ended.db");
    look();
    expect(database.isTransaction).toBe(true);
    database.exec("rollback");
    await nextEvent();
    expect(database.isTransaction).toBe(false);
    expect(look()).toBe(0);
    close();
  });
});
