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

/**
 * Filters, several at once, with such values that leaving one of them out would show more. Each of a set tells so in one
 * of them, where an attempt allows it.
 */
export function tellingFilters(pools: Pools, attempts: readonly Attempt[]): readonly Filters[] {
  return together.flatMap((names) => {
    const chosen: Filters[] = [];
    const silent = new Set(names);
    for (const name of names) {
      if (!silent.has(name)) continue;
      const best = mostTelling(candidates(name, names, pools, attempts), silent, attempts);
      if (best === null) continue;
      chosen.push(best.filters);
      for (const told of best.told) silent.delete(told);
    }
    return chosen;
  });
}

/** Under each of these, another attempt is left out by the filter of that name and by none of the others that have a value. */
const candidates = (
  name: Name,
  names: readonly Name[],
  pools: Pools,
  attempts: readonly Attempt[],
): readonly Filters[] =>
  attempts
    .map(
      (attempt): Filters =>
        Object.fromEntries(
          names.flatMap((each) => {
            const wanted = each === name ? "left out" : "kept";
            const fitting = valuesOf(each, pools).filter((value) => treatmentOf(attempt, { [each]: value }) === wanted);
            // The widest range that does it: the other bound finds room in it.
            const value = each === "until" || each === "statusMax" ? fitting.at(-1) : fitting[0];
            return value === undefined ? [] : [[each, value]];
          }),
        ),
    )
    .filter((filters) => filters[name] !== undefined && isInOrder(filters));

function valuesOf(name: Name, pools: Pools): readonly (string | number)[] {
  if (name === "since" || name === "until") return pools.instant.toSorted((a, b) => a - b);
  if (name === "statusMin" || name === "statusMax") return pools.status.toSorted((a, b) => a - b);
  return pools[name];
}

interface Telling {
  readonly filters: Filters;
  readonly told: readonly Name[];
}

/** The first that tells of as many as any does. */
function mostTelling(all: readonly Filters[], silent: ReadonlySet<Name>, attempts: readonly Attempt[]): Telling | null {
  let best: Telling | null = null;
  for (const filters of all) {
    const told = [...silent].filter((name) => tells(filters, name, attempts));
    if (told.length > (best?.told.length ?? 0)) best = { filters, told };
    if (told.length === silent.size) break;
  }
  return best;
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
