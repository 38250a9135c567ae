import { openPostgres, type PostgresOptions } from "./engine/postgres.ts";
import { openSqlite } from "./engine/sqlite.ts";
import type { Store } from "./store.ts";

/** A store that cannot be opened; the message says why and what to do. */
class StoreUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StoreUnavailable";
  }
}

/** What `openStore` takes. */
export const storeForms = "memory, sqlite:FILE or postgres://USER@HOST/DATABASE";

/** Opens the store that `place` names. Throws `StoreUnavailable`. */
export async function openStore(place: string, options: PostgresOptions = {}): Promise<Store> {
  if (place === "memory") return openSqlite(":memory:");
  if (isPostgres(place)) return openDatabase(place, options);
  const [, file = ""] = /^sqlite:(.+)$/s.exec(place) ?? [];
  if (file === "") throw new StoreUnavailable(`There is no store ${JSON.stringify(kindOf(place))}. Use ${storeForms}.`);
  try {
    return await openSqlite(file);
  } catch (problem) {
    throw new StoreUnavailable(
      `The database ${file} cannot be used: ${reasonOf(problem)}. Check that the folder exists and may be written.`,
    );
  }
}

/** The store's address as it may be shown: without user and password. */
export function shownPlace(place: string): string {
  if (!isPostgres(place)) return place.startsWith("sqlite:") ? place : kindOf(place);
  const url = databaseUrl(place);
  return url === null ? kindOf(place) : `${url.protocol}//${url.host}${url.pathname}`;
}

async function openDatabase(place: string, options: PostgresOptions): Promise<Store> {
  if (databaseUrl(place) === null)
    throw new StoreUnavailable(
      `The store ${kindOf(place)} is no address of a database. Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, ` +
        "with %XX for special characters of the password, or give the password in PGPASSWORD.",
    );
  try {
    return await openPostgres(place, options);
  } catch (problem) {
    throw new StoreUnavailable(
      `The database ${shownPlace(place)} cannot be used: ${reasonOf(problem)}. ` +
        "Check that it runs and that address, user and password are right.",
    );
  }
}

const isPostgres = (place: string): boolean => /^postgres(ql)?:\/\//.test(place);

/** Null for what is no address, or one in which part of a password may stand where a host or a path is read. */
function databaseUrl(place: string): URL | null {
  const url = URL.parse(place);
  return url === null || `${url.pathname}${url.search}${url.hash}`.includes("@") ? null : url;
}

/** A store's address can hold a password, so only its kind is repeated. */
const kindOf = (place: string): string => (place.includes(":") ? `${place.split(":")[0]}:…` : place);

/** Connecting to a name with several addresses fails with one error for each. */
function reasonOf(problem: unknown): string {
  if (problem instanceof AggregateError) return [...new Set(problem.errors.map(reasonOf))].join("; ");
  return problem instanceof Error ? problem.message : String(problem);
}
