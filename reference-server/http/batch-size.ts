import { limitSize } from "../domain/limits/limit-size.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import { drawUnits } from "./draw-units.ts";
import { callerOf, routeOf, type Step } from "./exchange.ts";
import { type RequestValidation, rowRefusal } from "./validate-request.ts";

/** Refuses more records than a limit that counts them ever admits at once: no wait would help. */
export function batchSize({ naming }: Pick<RequestValidation, "naming">): Step<Caller> {
  return function batchSize(exchange) {
    for (const draw of routeOf(exchange).operation.draws) {
      const { bucket, records, tooMany } = draw;
      if (records === null || tooMany === null) continue;
      const { capacity, periodSeconds } = limitSize(bucket, callerOf(exchange).organization);
      if (drawUnits(draw, exchange.input.body) <= capacity) continue;
      const says = `must have at most ${capacity} items, as many as are admitted in ${periodSeconds} s`;
      return rowRefusal(tooMany, [{ pointer: records, says }], naming);
    }
    return null;
  };
}
