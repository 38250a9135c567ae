import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { JointDraw } from "../domain/limits/draw.ts";
import { longestWait } from "../domain/limits/retry-after.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import { limitSize } from "../domain/tiers/limit-size.ts";
import type { World } from "../domain/world.ts";
import type { Drawn, Store } from "../store/store.ts";
import { drawUnits } from "./draw-units.ts";
import { callerOf, routeOf, type Step } from "./exchange.ts";
import { walletFor } from "./limit-wallet.ts";

/** 429 when a limit that the operation draws from has no room; then the call has drawn from none. */
export function rateLimit(store: Store, world: Pick<World, "now">, choices: Choices): Step<Caller> {
  return async function rateLimit(exchange) {
    const { draws } = routeOf(exchange).operation;
    if (draws.length === 0) return null;
    const caller = callerOf(exchange);
    const { id } = caller.organization;
    const wallet = await walletFor(store, exchange);
    const draw: JointDraw = {
      algorithm: choices.bucketAlgorithm,
      now: callerTime(caller, world.now()),
      draws: draws.map((each) => ({
        bucket: each.bucket,
        size: limitSize(each.bucket, caller.organization, wallet),
        units: drawUnits(each, exchange.input.body),
      })),
    };
    const drawn = await store.draw(id, draw);
    if (!drawn.admitted) return exhausted(draw, drawn);
    if (choices.refusedCallsDraw === "never") exchange.undo.push(() => store.giveBack(id, draw));
    return null;
  };
}

function exhausted(joint: JointDraw, { levels }: Drawn & { readonly admitted: false }) {
  const { draw, seconds } = longestWait(joint, levels);
  const { capacity, periodSeconds } = draw.size;
  const message = `The limit of ${capacity} in ${periodSeconds} s is used up. Try again in ${seconds} s.`;
  return refuse.RateLimited(message, { "Retry-After": String(seconds) });
}
