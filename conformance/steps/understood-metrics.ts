import { isDeepStrictEqual } from "node:util";
import type { CheckContext } from "../context/context.ts";
import { dataOf, isSuccess } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { makeLookup } from "./lookup.ts";
import { byDay, callMetrics, granularities, type MetricsWindow, windowBefore } from "./metrics.ts";

/** Seconds between two lookups that lie in different hours, and not both at the beginning of one. */
const anotherHour = 61 * 60;

/** Seconds until both lie on days that are over. */
const someDays = 3 * 86_400;

/** Times that one window is asked for until it is answered twice alike. */
const patience = 4;

/**
 * Names of granularities that the target tells from the others, seen by what it answers for the same window. Blocks
 * where nothing shows that it goes by the beginning, the end and the granularity that it is asked for: the document
 * names no parameter, and who has others may lawfully pass over the contract's. Makes a lookup, moves the clock where
 * the kit has it.
 */
export async function understoodMetrics(t: CheckContext, as: Credential): Promise<ReadonlySet<string>> {
  const { tenant } = as;
  if (tenant.manualClock) {
    await tenant.advance(anotherHour, "a lookup in another hour");
    await makeLookup(t, as);
    await tenant.advance(someDays, "the end of the days of lookups");
  }
  const now = await tenant.now();
  const { length } = byDay;
  const wide = windowBefore(now, byDay, 5);
  const read = (changed: Partial<MetricsWindow>) => shownOf(t, as, { ...wide, ...changed });
  const whole = await read({});
  const isUnderstood = async (changed: Partial<MetricsWindow>): Promise<boolean> => {
    const other = await read(changed);
    return whole !== null && other !== null && !isDeepStrictEqual(whole.data, other.data);
  };
  const unseen = [
    ...((await isUnderstood({ from: wide.to - length })) ? [] : ["from"]),
    ...((await isUnderstood({ to: wide.from + length })) ? [] : ["to"]),
  ];
  const answers: { readonly name: string; readonly shown: Awaited<ReturnType<typeof read>> }[] = [];
  // One after the other: a server that fails some of many calls at once would seem to lack a granularity.
  for (const granularity of granularities) answers.push({ name: granularity.name, shown: await read({ granularity }) });
  const told = answers.filter(
    ({ name, shown }) =>
      shown !== null &&
      answers.every((other) => other.name === name || other.shown === null || !isDeepStrictEqual(shown, other.shown)),
  );
  // What is counted late, or shown by the hour of the call, differs by itself.
  if (!isDeepStrictEqual(await read({}), whole))
    throw new Blocked("metrics of one window changed meanwhile", "see MET-20 first", "server");
  if (told.length === 0) unseen.push("granularity");
  if (unseen.length > 0)
    throw new Blocked(
      `nothing shows that the target goes by ${unseen.join(", ")} as the contract calls them`,
      "say what its parameters are called: shapes of getLookupMetrics in the target file",
    );
  return new Set(told.map(({ name }) => name));
}

/** What is shown of a window once it is shown twice alike; null where it never is, or where it is refused. */
async function shownOf(
  t: CheckContext,
  as: Credential,
  window: MetricsWindow,
): Promise<{ readonly data: unknown } | null> {
  let before: { readonly data: unknown } | null = null;
  for (let tries = 0; tries < patience; tries += 1) {
    const exchange = await callMetrics(t, as, window);
    if (!isSuccess(exchange)) return null;
    const data = dataOf(exchange);
    if (before !== null && isDeepStrictEqual(before.data, data)) return before;
    before = { data };
  }
  return null;
}
