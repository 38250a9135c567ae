import { isDeepStrictEqual } from "node:util";
import { operations } from "../../generated/operations.ts";
import { areAtOnce, dataOf, type Exchange, isSuccess, objectOf, type SentRequest } from "../exchange/exchange.ts";
import type { Step } from "../story/step.ts";
import { dataIn, type Probe } from "./probe.ts";

/** Calls with one key against repeats that are each done where they come at once. */
export const racedRetry: Probe = {
  id: "raced-retry",
  says({ finding: { exchanges }, steps }) {
    const keyed = steps.filter(({ request }) => request !== null && keyNameIn(request) !== null);
    if (keyed.some((later, at) => isDoneAgain(later, keyed.slice(0, at)))) return null;
    const done = exchanges.filter(isSuccess);
    for (const [at, one] of done.entries()) {
      const name = keyNameIn(one.request);
      const other = done.slice(at + 1).find((later) => isDoneBeside(one, later));
      if (name !== null && other !== undefined)
        return `a key is looked up before the work begins and not again: answers ${one.number} and ${other.number} to one ${name} were under way at once, and each has an id of its own`;
    }
    return null;
  },
};

/** Whether one request that came twice at once was done twice. */
const isDoneBeside = (one: Exchange, other: Exchange): boolean =>
  isSame(one.request, other.request) && areAtOnce(one, other) && idIn(dataOf(one)) !== idIn(dataOf(other));

/** Whether what came after the same, and not at once, was done once more: keys are not looked up at all. */
function isDoneAgain(later: Step, before: readonly Step[]): boolean {
  const same = before.filter((step) => isSame(step.request, later.request));
  const isAfter = same.some(({ until }) => until !== undefined && until <= later.at);
  const id = idIn(dataIn(later));
  return isAfter && id !== undefined && !same.some((step) => idIn(dataIn(step)) === id);
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
