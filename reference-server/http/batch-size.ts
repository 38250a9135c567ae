import type { Operation } from "../../generated/runtime/operation.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import { limitSize } from "../domain/tiers/limit-size.ts";
import type { Store } from "../store/store.ts";
import { drawUnits } from "./draw-units.ts";
import { callerOf, type Exchange, routeOf, type Step } from "./exchange.ts";
import { walletFor } from "./limit-wallet.ts";
import { rowRefusal } from "./validate-request.ts";

/** The document names the array itself, whatever other fields are called in `details`. */
const naming = { detailsKeys: "name", badFields: "all" } as const;

/** Refuses more records than a limit that counts them ever admits at once: no wait would help. */
export function batchSize(store: Store): Step<Caller> {
  return function batchSize(exchange) {
    const { draws } = routeOf(exchange).operation;
    return draws.every(({ records }) => records === null) ? null : refuseTooMany(exchange, draws);
  };

  async function refuseTooMany(exchange: Exchange<Caller>, draws: Operation["draws"]): Promise<Refusal | null> {
    const wallet = await walletFor(store, exchange);
    for (const draw of draws) {
      const { bucket, records, tooMany } = draw;
      if (records === null || tooMany === null) continue;
      const { capacity, periodSeconds } = limitSize(bucket, callerOf(exchange).organization, wallet);
      if (drawUnits(draw, exchange.input.body) <= capacity) continue;
      const says = `must have at most ${capacity} items, as many as are admitted in ${periodSeconds} s`;
      return rowRefusal(tooMany, [{ pointer: records, says }], naming);
    }
    return null;
  }
}
