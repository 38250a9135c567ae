import { stateIn } from "../story/states.ts";
import type { Step } from "../story/step.ts";
import { ownersIn } from "./owners.ts";
import { type Case, type Probe, placeAmong, wronglyServed } from "./probe.ts";

/** A call that is served although it takes more than the wallet holds, as another one of its kind took. */
export const uncoveredCharge: Probe = {
  id: "uncovered-charge",
  says(seen) {
    const exchange = wronglyServed(seen);
    if (exchange === null) return null;
    const at = placeAmong(exchange, seen.steps);
    const { method, url } = exchange.request;
    const { ofCaller } = ownersIn(seen);
    const own = chargeAt(seen, ofCaller, at);
    const earlier = seen.steps.flatMap((step, index) =>
      index < at && step.request?.method === method && step.request.url === url
        ? (chargeAt(seen, ofCaller, index) ?? [])
        : [],
    );
    const price = earlier.find(({ before, after }) => after !== null && before > after);
    if (own === null || price === undefined) return null;
    const taken = price.before - (price.after ?? 0);
    if (own.before >= taken) return null;
    const left = own.after === null ? "" : ` and ${own.after} after it`;
    return `less is asked for than is charged: the wallet held ${own.before} micros before answer ${exchange.number}${left}, and answer ${price.exchange} took ${taken}`;
  },
};

/** Money of an organization around one of its calls, in micros; `after` is null where nobody looked. */
interface Charge {
  readonly exchange: number | null;
  readonly before: number;
  readonly after: number | null;
}

/** What the looks before and after a call told, where nothing else was asked of that organization in between. */
function chargeAt({ steps }: Case, ofCaller: ReadonlyMap<string, string>, at: number): Charge | null {
  const step = steps[at];
  const owner = ofCaller.get(step?.request?.headers.authorization ?? "");
  if (step === undefined || owner === undefined) return null;
  const before = steps.slice(0, at).findLast((one) => isOf(one, owner, step));
  const after = steps.slice(at + 1).filter((one) => isOf(one, owner, step));
  const next = after.findIndex((one) => stateIn(one) === null);
  const last = (next < 0 ? after : after.slice(0, next)).at(-1);
  const had = before === undefined ? null : stateIn(before);
  return had === null
    ? null
    : {
        exchange: step.exchange,
        before: had.wallet_micros,
        after: last === undefined ? null : (stateIn(last)?.wallet_micros ?? null),
      };
}

/** Whether a step asks something of an organization: the sandbox, or the API by the same credential. */
const isOf = ({ through, request }: Step, owner: string, like: Step): boolean =>
  request !== null &&
  (through === "sandbox"
    ? request.url.includes(`/organizations/${owner}/`)
    : request.headers.authorization === like.request?.headers.authorization);
