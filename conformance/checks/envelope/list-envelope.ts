import { resolveReference } from "../../../compiler/schema/resolve-reference.ts";
import { components, operationSchemas } from "../../../generated/schemas.ts";
import type { Check } from "../../context/check.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { dataOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { type PageSizes, pageSizesOf } from "../../exchange/page-sizes.ts";
import { metaOf } from "../../steps/feed.ts";
import { soundCall } from "../../steps/sound-call.ts";

type Query = Readonly<Record<string, string>>;

/** Page sizes to ask for: the bounds, what is next to them, and sizes about which a server has no reason to be special. */
const sizesOf = ({ least, greatest, usual }: PageSizes): readonly number[] => [
  ...[least, least + 1, 7, usual - 1, usual, usual + 1],
  ...[99, 100, 101, greatest - 1, greatest],
];

/** The same where it is open which sizes there are: a list may know none of them. */
const triedSizes = [1, 2, 7, 50, 100];

/** What every list says about itself. */
export const listEnvelope: readonly Check[] = forEachOperation((operation) => {
  if (!operation.list) return null;
  const { id, method, path, pageSize, listQuestion: question } = operation;
  const sizes = pageSizesOf(operation);
  return {
    id: "envelope.list-envelope",
    title: `${method} ${path} has its records in data and its size in meta, whatever is asked of it`,
    rules: ["ENV-20", "ENV-21", "ENV-22", "ENV-23"],
    kind: "scenario",
    needs: ["key"],
    effects: ["reads"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant();
      // What is no list is no set-up that went wrong here: it is what this check looks for.
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${path}`);
      const { query: sound = {} } = await again();
      const filters = plainFilters(operation);
      const of = (size: number): Query => (pageSize === null ? {} : { [pageSize]: String(size) });
      const reads: readonly (readonly [query: Query, size: number | null])[] = [
        [{}, sizes?.usual ?? null],
        ...Object.entries(filters).map(([name, value]) => [{ [name]: value }, sizes?.usual ?? null] as const),
        ...(sizes === null ? triedSizes : sizesOf(sizes)).map(
          (size) => [of(size), sizes === null ? null : size] as const,
        ),
        ...(sizes === null ? [] : [sizes.least + 1, 7].map((size) => [{ ...of(size), ...filters }, size] as const)),
      ];
      for (const [query, size] of reads) {
        const page = await t.call(id, { query: { ...sound, ...query } }, caller);
        if (sizes === null && !isSuccess(page)) continue;
        t.control(page, `${method} ${page.request.url}`);
        const [data, json] = [dataOf(page), page.outcome.kind === "response" ? objectOf(page.outcome.json) : null];
        t.verify("ENV-20", Array.isArray(data) && objectOf(json?.meta) !== null, {
          expected: "data, a list, and meta, an object",
          actual: `data ${kindOf(data)}, meta ${kindOf(json?.meta)}`,
          exchanges: [page],
          question,
        });
        const meta = metaOf(page);
        for (const [rule, name] of [
          ["ENV-21", "total"],
          ["ENV-23", "offset"],
        ] as const) {
          const value = meta[name];
          t.verify(rule, Number.isInteger(value) && Number(value) >= 0, {
            expected: `meta.${name}, a whole number that is not negative`,
            actual: JSON.stringify(value) ?? "none",
            exchanges: [page],
            question,
          });
        }
        if (size !== null) t.equal("ENV-22", "meta.limit", meta.limit, size, page);
        else
          t.verify("ENV-22", Number.isInteger(meta.limit), {
            expected: "meta.limit, a whole number",
            actual: JSON.stringify(meta.limit) ?? "none",
            exchanges: [page],
            question,
          });
      }
    },
  };
});

/** A value of each filter that the contract shows and that can stand beside any other: none speaks of a record. */
function plainFilters({ id, pageSize }: ApiOperation): Query {
  const properties = Object.entries(objectOf(operationSchemas[id].query?.properties) ?? {});
  return Object.fromEntries(
    properties.flatMap(([name, parameter]) => {
      const value = name === pageSize ? null : plainValue(objectOf(parameter) ?? {});
      return value === null ? [] : [[name, value]];
    }),
  );
}

function plainValue({ $ref, ...own }: Readonly<Record<string, unknown>>): string | null {
  const schema = { ...(typeof $ref === "string" ? resolveReference($ref, components) : {}), ...own };
  if (Array.isArray(schema.enum)) return String(schema.enum[0]);
  if (schema.format === "date-time") return "2000-01-01T00:00:00Z";
  return typeof schema.minimum === "number" ? String(schema.minimum) : null;
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? "missing" : Array.isArray(value) ? "a list" : typeof value;
