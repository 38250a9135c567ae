import type { Caller } from "../domain/organizations/caller.ts";
import type { Store } from "../store/store.ts";
import { callerOf, type Step } from "./exchange.ts";

/** A failure that a sandbox asked for. What it says looks like what must never reach a client. */
export class Outage extends Error {
  constructor() {
    super('SQLITE_IOERR: disk I/O error in "select * from api_keys" at /srv/reference-server/store on db-1.internal');
  }
}

/** Fails the call as a fault in the server would, while a sandbox has set an outage. */
export function outage(store: Store): Step<Caller> {
  return async function outage(exchange) {
    const { organization } = callerOf(exchange);
    // Spares the others a write.
    if (organization.outages.unhandled_error === 0 || !(await store.takeOutage(organization.id, "unhandled_error")))
      return null;
    throw new Outage();
  };
}
