import { isDeepStrictEqual } from "node:util";
import { operations } from "../../generated/operations.ts";
import { areAtOnce, dataOf, isSuccess, objectOf, type SentRequest } from "../exchange/exchange.ts";
import type { Step } from "../story/step.ts";
import { dataIn, type Probe } from "./probe.ts";

/** Calls with one key against repeats that are each done where they come at once. */
export const racedRetry: Probe = {
  id: "raced-retry",
  says({ finding: { exchanges }, steps }) {
    const keyed = steps.filter(({ request }) => request !== null && keyNameIn(request) !== null);
    if (keyed.some((one, at) => keyed.slice(at + 1).some((later) => isDoneAgain(one, later)))) return null;
    const done = exchanges.filter(isSuccess);
    for (const [at, one] of done.entries()) {
      const name = keyNameIn(one.request);
      const other = done.slice(at + 1).find((later) => isSame(one.request, later.request) && areAtOnce(one, later));
      if (name !== null && other !== undefined && idIn(dataOf(one)) !== idIn(dataOf(other)))
        return `a key is looked up before the work begins and not again: answers ${one.number} and ${other.number} to one ${name} were under way at once, and each has an id of its own`;
    }
    return null;
  },
};

/** Whether what came later with the same key was done once more: keys are not looked up at all. */
function isDoneAgain(one: Step, later: Step): boolean {
  const [first, second] = [idIn(dataIn(one)), idIn(dataIn(later))];
  if (first === undefined || second === undefined || first === second) return false;
  return one.until !== undefined && one.until <= later.at && isSame(one.request, later.request);
}

const idIn = (data: unknown): unknown => objectOf(data)?.id;

const keyNames: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ idempotencyHeader }) => idempotencyHeader?.toLowerCase() ?? []),
);

/** The header that a repeat is told by; null where a request has none. */
const keyNameIn = ({ headers }: SentRequest): string | null =>
  Object.keys(headers).find((name) => keyNames.has(name.toLowerCase())) ?? null;

/** Whether two requests are one, down to their headers. */
const isSame = (one: SentRequest | null, other: SentRequest | null): boolean =>
  one?.url === other?.url && one?.body === other?.body && isDeepStrictEqual(one?.headers, other?.headers);
