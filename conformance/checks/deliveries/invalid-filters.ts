import * as fc from "fast-check";
import { satisfying } from "../../../compiler/schema/bounded-filter.ts";
import { arbitraryBreaching, breaches } from "../../../compiler/schema/break-one-constraint.ts";
import { flatten } from "../../../compiler/schema/flatten.ts";
import { eventTypes } from "../../../generated/events.ts";
import { bounds } from "../../../generated/limits.ts";
import type { JsonSchema } from "../../../generated/runtime/json.ts";
import { components, operationSchemas } from "../../../generated/schemas.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { objectOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { type FeedQuery, list, readPage } from "../../steps/feed.ts";
import { outcomes } from "../../steps/outcomes.ts";
import { namesFilter } from "./names-filter.ts";
import { refusesPageSize } from "./page-size.ts";

const judged = ["WHL-22", "WHL-28", "WHL-31", "WHL-33", "WHL-36", "WHL-40", "WHL-46"] as const;

/** The rule on a filter that is not as its schema says. A cursor is left out: any text might be one. */
const expectations: Readonly<Record<string, (typeof judged)[number]>> = {
  limit: "WHL-22",
  endpoint_id: "WHL-28",
  event_type: "WHL-31",
  outcome: "WHL-33",
  since: "WHL-36",
  until: "WHL-36",
  http_status_min: "WHL-40",
  http_status_max: "WHL-40",
};

/** Sound filters that any other can stand beside: none of their values depends on it or on what there is. */
const companions: fc.Arbitrary<FeedQuery> = fc.record(
  {
    limit: fc.integer({ min: bounds.deliveryPageMin, max: bounds.deliveryPageMax }).map(String),
    event_type: fc.constantFrom(...eventTypes),
    outcome: fc.constantFrom(...outcomes),
  },
  { requiredKeys: [] },
);

/** A read with one bad filter among sound ones. */
interface BadRead {
  readonly name: string;
  readonly query: FeedQuery;
}

/** Reads whose filters break exactly one constraint of the contract's schema. */
export const invalidFilters = check({
  id: "deliveries.invalid-filters",
  title: "Whatever constraint of the schema a filter breaks, the read is refused and names it",
  rules: judged,
  kind: "property",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const cases = Object.keys(expectations).flatMap(badReads);
    // One of each first, so that a rule is decided however few values are tried.
    for (const each of cases) {
      const [sample] = fc.sample(each, { numRuns: 1, seed: Math.floor(t.random() * 2 ** 31) });
      if (sample) await decide(t, main, sample);
    }
    await t.property(fc.oneof(...cases), (read) => decide(t, main, read));
  },
});

async function decide(t: CheckContext, main: Credential, { name, query }: BadRead): Promise<void> {
  const expected = expectations[name];
  if (expected === undefined) return;
  const { [name]: _, ...sound } = query;
  await readPage(t, main, sound);
  const exchange = await list(t, main, query);
  if (expected === "WHL-22") refusesPageSize(t, exchange);
  else t.refused(expected, exchange, "ValidationFailed");
  namesFilter(t, exchange, [name]);
}

/** For each constraint on a filter, the reads that break it; some break only in JSON, where numbers are no texts. */
function badReads(name: string): readonly fc.Arbitrary<BadRead>[] {
  const schema = schemaIn(objectOf(operationSchemas.listDeliveryAttempts.query?.properties)?.[name]);
  const { schema: flat } = flatten(schema, components);
  return breaches(schema, components).flatMap((breach) => {
    const values = arbitraryBreaching(breach).map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    const bad = satisfying(
      values,
      (text) => isClearlyBad(text, flat),
      () => `a ${name} of which ${breach.describe}`,
    );
    return bad === null
      ? []
      : [fc.tuple(companions, bad).map(([query, text]) => ({ name, query: { ...query, [name]: text } }))];
  });
}

/** Whether no reader, however lenient in how values may be written, takes the text for a value of the schema. */
function isClearlyBad(text: string, schema: JsonSchema): boolean {
  if (text.trim() === "" || !/^[\x20-\x7e]+$/.test(text)) return false;
  const { enum: values, format, minimum, maximum } = schema;
  if (Array.isArray(values)) return !values.includes(text.trim());
  if (format === "uuid") return !/^[0-9a-f]{32}$/i.test(text.replaceAll(/[^0-9a-z]|urn:uuid:/gi, ""));
  if (format === "date-time") return Number.isNaN(Date.parse(text));
  const number = Number(text);
  return !Number.isInteger(number) || number < Number(minimum) || number > Number(maximum);
}

const schemaIn = (value: unknown): JsonSchema => {
  const reference = objectOf(value)?.$ref;
  return typeof reference === "string" ? { $ref: reference } : {};
};
