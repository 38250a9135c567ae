import { execFileSync } from "node:child_process";
import { chownSync, lchownSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Whom PostgreSQL runs as; null is this process's own user. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/** PostgreSQL refuses to run as root: then it runs as a user that every system has. */
export function accountForPostgres(): Account {
  if (process.getuid?.() !== 0) return null;
  const account = ["postgres", "nobody"].map(accountOf).find((found) => found !== null);
  if (account) return account;
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.');
}

function accountOf(name: string): Account {
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

/** A new folder for temporary files that the account owns and can enter. */
export function temporaryFolder(account: Account): string {
  const base = [tmpdir(), "/tmp", "/var/tmp"].find((path) => account === null || isOpenToAll(path));
  if (base === undefined) throw new Error("There is no folder for temporary files that every user can enter.");
  const folder = mkdtempSync(join(base, "bylaw-postgres-"));
  if (account !== null) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Gives a folder with all that is in it to the account. */
export function handOver(folder: string, account: Account): void {
  if (account === null) return;
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    lchownSync(join(folder, path), account.uid, account.gid);
}

function isOpenToAll(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const othersMayEnter = (mode & 0o001) !== 0;
  return othersMayEnter && (dirname(path) === path || isOpenToAll(dirname(path)));
}
