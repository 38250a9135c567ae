import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

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
    const open = openStore("postgres://user:password@host/db");
    await expect(open).rejects.toThrow('There is no store "postgres:…". Use memory or sqlite:FILE.');
    for (const place of ["", "sqlite:", "sqlite", "disk"])
      await expect(openStore(place)).rejects.toThrow("There is no store");
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
