import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { member } from "../evidence/place.ts";
import { dataOf, objectOf } from "../exchange/exchange.ts";
import { type PageSizes, pageSizesOf } from "../exchange/page-sizes.ts";
import type { Answered, Invariant, Seen } from "./invariant.ts";

const lists: ReadonlyMap<string | null, Operation> = new Map(
  Object.values<Operation>(operations)
    .filter(({ service, list }) => service === "api" && list)
    .map((operation) => [operation.id, operation]),
);

/** Null where the contract leaves open which sizes there are. */
const sizesOf: ReadonlyMap<string | null, PageSizes | null> = new Map(
  [...lists].map(([id, operation]) => [id, pageSizesOf(operation)]),
);

const isList = (exchange: Answered): boolean =>
  lists.has(exchange.operation) && exchange.outcome.status < 300 && dataOf(exchange) !== undefined;

const metaOf = ({ outcome }: Answered): Readonly<Record<string, unknown>> | null =>
  objectOf(objectOf(outcome.json)?.meta);

/** That a member of `meta` is a count; of lists without `meta` another rule speaks. */
const isCount =
  (name: "total" | "offset") =>
  (exchange: Answered): Seen | null => {
    const value = metaOf(exchange)?.[name];
    return Number.isInteger(value) && Number(value) >= 0
      ? null
      : {
          expected: `meta.${name}, a whole number that is not negative`,
          actual: JSON.stringify(value) ?? "none",
          at: [member(`/meta/${name}`)],
        };
  };

/** Only warns of what may lawfully be no list. */
const warningOfOpen = (invariant: Invariant): Invariant => ({
  ...invariant,
  breach(exchange, surveyed) {
    const seen = invariant.breach(exchange, surveyed);
    const isOpen = typeof lists.get(exchange.operation)?.listQuestion === "string";
    return seen === null || !isOpen ? seen : { ...seen, warning: true };
  },
});

/** What every page of a list says about itself, the empty and the last ones included. */
export const listInvariants: readonly Invariant[] = (
  [
    {
      rule: "ENV-20",
      applies: isList,
      breach: (exchange) =>
        Array.isArray(dataOf(exchange)) && metaOf(exchange) !== null
          ? null
          : {
              expected: "data, a list, and meta, an object",
              actual: exchange.outcome.text.slice(0, 100),
              at: [member(Array.isArray(dataOf(exchange)) ? "/meta" : "/data")],
            },
    },
    { rule: "ENV-21", applies: (e) => isList(e) && metaOf(e) !== null, breach: isCount("total") },
    {
      rule: "ENV-22",
      applies: (e) => isList(e) && metaOf(e) !== null,
      breach(exchange) {
        const limit = metaOf(exchange)?.limit;
        const expected = pageSizeAskedFor(exchange);
        const holds = expected === null ? Number.isInteger(limit) : limit === expected;
        return holds
          ? null
          : {
              expected: `meta.limit ${expected ?? "that is a whole number"}`,
              actual: JSON.stringify(limit) ?? "none",
              at: [member("/meta/limit")],
            };
      },
    },
    { rule: "ENV-23", applies: (e) => isList(e) && metaOf(e) !== null, breach: isCount("offset") },
  ] satisfies readonly Invariant[]
).map(warningOfOpen);

/** Null where the size is not plain from the request: a cursor may hold it, and what is no plain number may be read. */
function pageSizeAskedFor({ operation: id, request }: Answered): number | null {
  const sizes = sizesOf.get(id) ?? null;
  if (sizes === null) return null;
  const query = new URL(request.url).searchParams;
  const [text, ...others] = query.getAll(lists.get(id)?.pageSize ?? "");
  if (text === undefined) return query.has("cursor") ? null : sizes.usual;
  const size = Number(text);
  const isPlain = others.length === 0 && /^[1-9]\d*$/.test(text);
  return isPlain && size >= sizes.least && size <= sizes.greatest ? size : null;
}
