import { isDeepStrictEqual } from "node:util";
import { valueAt, valuesIn } from "../evidence/json-pointer.ts";
import { type Exchange, objectOf } from "../exchange/exchange.ts";
import { differencesFrom, isOfMadeUp } from "../story/contrast.ts";
import { parsedBody } from "../story/parsed-body.ts";
import type { Step } from "../story/step.ts";
import { dataIn, type Probe, placeAmong, wronglyServed } from "./probe.ts";

/** A change that is to be refused, and is let through where it would change nothing. */
export const emptyChange: Probe = {
  id: "empty-change",
  says(seen) {
    const exchange = wronglyServed(seen);
    const sent = objectOf(parsedBody(exchange?.request.body ?? null));
    if (exchange === null || sent === null) return null;
    const earlier = seen.steps
      .slice(0, Math.max(0, placeAmong(exchange, seen.steps)))
      .filter(({ exchange: number, request }) => number !== null && request?.url === exchange.request.url);
    const [[pointer, value] = [], ...others] = leavesOf(sent);
    const before = earlier.findLast((step) => objectOf(dataIn(step)) !== null);
    if (pointer === undefined || others.length > 0 || before === undefined) return null;
    if (!isDeepStrictEqual(valueAt(dataIn(before), pointer), value)) return null;
    const refused = earlier.find(
      (step) =>
        isRefusal(step, exchange.request.method) &&
        setsOther(step, { pointer, value }) &&
        isOtherwiseAlike(step, exchange),
    );
    if (refused === undefined) return null;
    return `what would change nothing is let through: ${pointer} was ${JSON.stringify(value)} already, as answer ${before.exchange} shows, and answer ${refused.exchange}, to another value, is the refusal`;
  },
};

const isRefusal = ({ request, outcome }: Step, method: string): boolean =>
  request?.method === method && outcome?.kind === "response" && outcome.status >= 400;

/** Whether one value alone tells a step from a call. */
const isOtherwiseAlike = ({ request }: Step, call: Exchange): boolean =>
  request !== null && differencesFrom(request, call.request).filter((one) => !isOfMadeUp(one)).length === 1;

/** Whether a step sets the same member to something else. */
function setsOther(
  { request }: Step,
  { pointer, value }: { readonly pointer: string; readonly value: unknown },
): boolean {
  const other = valueAt(parsedBody(request?.body ?? null), pointer);
  return other !== undefined && !isDeepStrictEqual(other, value);
}

/** The values of a body that are no objects, each with where it stands. */
const leavesOf = (body: unknown): readonly (readonly [pointer: string, value: unknown])[] =>
  [...valuesIn(body)].filter(([, value]) => typeof value !== "object" || value === null);
