import type { Attempt } from "../../steps/attempt.ts";
import { type Filters, treatmentOf } from "../../steps/filter-model.ts";

/** Values to filter by. */
export interface Pools {
  readonly endpointId: readonly string[];
  readonly eventType: readonly string[];
  readonly outcome: readonly string[];
  /** Instants that lie clearly between attempts. */
  readonly instant: readonly number[];
  readonly status: readonly number[];
}

type Name = keyof Filters;

/** Sets of four filters that have every three of the seven together in one of them at least. */
const together: readonly (readonly Name[])[] = [
  ["outcome", "until", "statusMin", "statusMax"],
  ["endpointId", "eventType", "since", "until"],
  ["eventType", "outcome", "since", "statusMax"],
  ["endpointId", "since", "statusMin", "statusMax"],
  ["endpointId", "eventType", "outcome", "statusMin"],
  ["endpointId", "eventType", "until", "statusMax"],
  ["outcome", "since", "until", "statusMin"],
  ["eventType", "outcome", "until", "statusMin"],
  ["endpointId", "outcome", "until", "statusMin"],
  ["eventType", "since", "statusMin", "statusMax"],
  ["endpointId", "outcome", "since", "statusMax"],
  ["eventType", "since", "until", "statusMax"],
];

/** Values that are tried for a set until each of its filters tells. */
const tries = 300;

/**
 * Filters, several at once, with such values that leaving one of them out would show more: as many of them as can be in
 * each set. `random` gives numbers from 0 up to 1.
 */
export function tellingFilters(pools: Pools, attempts: readonly Attempt[], random: () => number): readonly Filters[] {
  const values: Readonly<Record<Name, readonly (string | number)[]>> = {
    ...{ endpointId: pools.endpointId, eventType: pools.eventType, outcome: pools.outcome },
    ...{ since: pools.instant, until: pools.instant, statusMin: pools.status, statusMax: pools.status },
  };
  const chosen = together.map((names) => {
    let best: { readonly filters: Filters; readonly telling: number } | null = null;
    for (let left = tries; left > 0 && (best?.telling ?? 0) < names.length; left -= 1) {
      const filters: Filters = Object.fromEntries(
        names.flatMap((name) => {
          const all = values[name];
          const value = all[Math.floor(random() * all.length)];
          return value === undefined ? [] : [[name, value]];
        }),
      );
      if (!isInOrder(filters)) continue;
      const telling = names.filter((name) => tells(filters, name, attempts)).length;
      if (telling > (best?.telling ?? 0)) best = { filters, telling };
    }
    return best?.filters ?? null;
  });
  return chosen.filter((filters) => filters !== null);
}

const isInOrder = ({ since, until, statusMin, statusMax }: Filters): boolean =>
  (since ?? 0) < (until ?? Number.POSITIVE_INFINITY) && (statusMin ?? 0) <= (statusMax ?? Number.POSITIVE_INFINITY);

/** Whether an attempt that these filters leave out would be kept without the one of that name. */
const tells = (filters: Filters, name: Name, attempts: readonly Attempt[]): boolean => {
  const { [name]: _, ...others } = filters;
  return attempts.some(
    (attempt) => treatmentOf(attempt, filters) === "left out" && treatmentOf(attempt, others) === "kept",
  );
};
