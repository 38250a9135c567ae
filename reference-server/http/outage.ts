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
  return function outage(exchange) {
    const { organization } = callerOf(exchange);
    // Spares the others a write.
    return organization.outages.unhandled_error === 0 ? null : take(organization.id);
  };

  async function take(organizationId: string): Promise<null> {
    if (await store.takeOutage(organizationId, "unhandled_error")) throw new Outage();
    return null;
  }
}
