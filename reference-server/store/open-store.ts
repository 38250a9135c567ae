import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** A store that cannot be opened; the message says why and what to do. */
class StoreUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StoreUnavailable";
  }
}

/** What `openStore` takes. */
export const storeForms = "memory or sqlite:FILE";

/** Opens the store that `place` names. Throws `StoreUnavailable`. */
export async function openStore(place: string): Promise<Store> {
  if (place === "memory") return openSqlite(":memory:");
  const [, file = ""] = /^sqlite:(.+)$/s.exec(place) ?? [];
  // A store's address can hold a password, so only its kind is repeated.
  if (file === "") throw new StoreUnavailable(`There is no store ${kindOf(place)}. Use ${storeForms}.`);
  try {
    return await openSqlite(file);
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new StoreUnavailable(
      `The database ${file} cannot be used: ${why}. Check that the folder exists and may be written.`,
    );
  }
}

const kindOf = (place: string): string => JSON.stringify(place.includes(":") ? `${place.split(":")[0]}:…` : place);
