import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore, shownPlace } from "./open-store.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-open-store-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("opening a store", () => {
  it("takes memory and files", async () => {
    for (const place of ["memory", `sqlite:${join(scratch, "new.db")}`]) {
      const store = await openStore(place);
      await store.ping();
      await store.close();
    }
  });

  it("refuses an unknown kind without repeating what may be a password", async () => {
    await expect(openStore("mysql://user:password@host/db")).rejects.toThrow(
      'There is no store "mysql:…". Use memory, sqlite:FILE or postgres://USER@HOST/DATABASE.',
    );
    for (const place of ["", "sqlite:", "sqlite", "disk", "postgres", "postgres:name"])
      await expect(openStore(place)).rejects.toThrow("There is no store");
  });

  it("says why a database cannot be reached, without user and password", async () => {
    const address = "127.0.0.1:1/name";
    await expect(openStore(`postgres://user:pass%20word@${address}?x=y`)).rejects.toThrow(
      `The database postgres://${address} cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check that it runs`,
    );
    await expect(openStore("postgresql://user@localhost:1/name")).rejects.toThrow("ECONNREFUSED");
  });

  it("shows an address without user and password", () => {
    expect(shownPlace("memory")).toBe("memory");
    expect(shownPlace("sqlite:a b.db")).toBe("sqlite:a b.db");
    expect(shownPlace("postgres://user:secret@[::1]:1/a%20b?password=secret#secret")).toBe("postgres://[::1]:1/a%20b");
    expect(shownPlace("postgres://user:se@cret@host/db")).toBe("postgres://host/db");
  });

  it("repeats nothing of an address in which a special character of the password is not escaped", async () => {
    for (const password of ["1/secret", "1?secret", "1#secret", "secret/1", "se@cr/et", "se@cr?et", "%zz", "a b/c"]) {
      const place = `postgres://user:${password}@host/db`;
      expect(shownPlace(place)).toMatch(/^postgres:(…|\/\/host\/db)$/);
    }
    await expect(openStore("postgres://user:1/secret@host/db")).rejects.toThrow(
      "The store postgres:… is no address of a database.",
    );
  });

  it("says what is wrong with a file", async () => {
    const text = join(scratch, "text.db");
    writeFileSync(text, "this is no database, only a text that is long enough to be read as one".repeat(20));
    await expect(openStore(`sqlite:${text}`)).rejects.toThrow(
      `The database ${text} cannot be used: file is not a database.`,
    );
    await expect(openStore(`sqlite:${join(scratch, "no/folder.db")}`)).rejects.toThrow("unable to open database file");
    await expect(openStore(`sqlite:${scratch}`)).rejects.toThrow("cannot be used");
  });
});
