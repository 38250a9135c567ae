import type { Mutant } from "../edit.ts";
import { storingWebhooks } from "../port-changes.ts";
import { onAnswer, parsed, withBody } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const list = "routes/deliveries.ts";
const feed = "domain/delivery-feed.ts";
const attempts = "store/sql-attempts.ts";

const meta = "meta: { total, limit, offset, ...nextCursor },";
const shown = "data: attempts.map((attempt) => wireAttempt(attempt, choices)),";
const size = "const { cursor, limit = bounds.deliveryPageDefault } = query;";
const sized = (limit: string): string =>
  `const { cursor, limit: asked = bounds.deliveryPageDefault } = query;\n      const limit = ${limit};`;
const position = "sql`(occurred_at, id) < (${before.occurredAt}, ${before.id})`";
const refusedCursor = "if (cursor !== undefined && from === null) return badCursor(choices);";
/** The page that lies so many records behind the first one now. */
const counted = (all: string): string =>
  `{ before: null, limit: 100_000 }).then((all) => ${all}.slice(from?.offset ?? 0, (from?.offset ?? 0) + limit + 1)),`;

/** Servers that page through the feed in a way that breaks a rule. */
export const feedPageMutants: readonly Mutant[] = [
  mutant("WHL-01", "no-total", "leaves the total out", list, meta, "meta: { limit, offset, ...nextCursor } as never,"),
  mutant(
    "WHL-01",
    "no-offset",
    "leaves the offset of the first page out",
    list,
    meta,
    "meta: { total, limit, ...(offset > 0 && { offset }), ...nextCursor } as never,",
  ),
  mutant(
    "WHL-01",
    "no-cursor",
    "never leads on",
    list,
    "next === null ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }",
    "next !== undefined ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }",
  ),
  mutant(
    "WHL-18",
    "oldest",
    "turns every page round",
    list,
    shown,
    shown.replace("attempts.", "attempts.toReversed()."),
  ),
  mutant(
    "WHL-18",
    "endpoints",
    "shows one endpoint after the other",
    list,
    shown,
    shown.replace("attempts.", "attempts.toSorted((one, other) => one.endpointId.localeCompare(other.endpointId))."),
  ),
  mutant(
    "WHL-19",
    "largest",
    "gives the largest page when none was asked for",
    list,
    size,
    sized("asked === bounds.deliveryPageDefault ? bounds.deliveryPageMax : asked"),
  ),
  mutant(
    "WHL-19",
    "less",
    "takes another size as usual",
    list,
    size,
    sized("asked === bounds.deliveryPageDefault ? Math.floor(asked / 2) : asked"),
  ),
  mutant(
    "WHL-20",
    "capped",
    "gives no more than half of the largest page",
    list,
    size,
    sized("Math.min(asked, bounds.deliveryPageMax / 2)"),
  ),
  mutantOf("WHL-20", "exclusive", "refuses the largest size itself", [
    {
      file: list,
      find: "const faults = emptyRanges(query, choices);",
      replace:
        'const faults = query.limit === bounds.deliveryPageMax ? [{ pointer: "/limit", says: "must be less" }] : emptyRanges(query, choices);',
    },
  ]),
  mutant(
    "WHL-21",
    "one-more",
    "shows the record that tells of a further page",
    feed,
    "const attempts = found.slice(0, limit);",
    "const attempts = found;",
  ),
  {
    ...mutantOf("WHL-22", "larger", "gives pages of any size", [
      {
        file: "http/validate-request.ts",
        find: "return validators.query(values);",
        replace:
          'return validators.query(values).filter(({ pointer, keyword }) => pointer !== "/limit" || keyword !== "maximum");',
      },
    ]),
    throws: "A size beyond what a database counts to is an error there.",
  },
  mutant(
    "WHL-23",
    "skips",
    "begins a page behind the record that told of it",
    feed,
    "const last = attempts.at(-1);",
    "const last = found.at(-1);",
  ),
  mutant(
    "WHL-23",
    "instants",
    "loses what happened at the instant of a page's end",
    attempts,
    position,
    "sql`occurred_at < ${before.occurredAt}`",
  ),
  mutant("WHL-23", "repeats", "repeats the last record of a page", attempts, position, position.replace(" < ", " <= ")),
  mutant(
    "WHL-23",
    "endless",
    "leads from the last page to the first",
    list,
    "next === null ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }",
    'next === null && offset > 0 ? { next_cursor: writeCursor({ occurredAt: 8e15, id: "z", offset: 0 }, scope, await cursorKey()) } : next === null ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }',
  ),
  mutantOf("WHL-24", "pages", "turns the order of pages round, and not that on them", [
    {
      file: list,
      find: 'webhooks.attempts(organizationId, { ...filters, unanswered }, { before: from, limit: limit + 1 }),\n        webhooks.countAttempts(\n          organizationId,\n          choices.pageTotal === "all" ? { unanswered } : { ...filters, unanswered },\n        )',
      replace: `webhooks.attempts(organizationId, { ...filters, unanswered }, ${counted("all.toReversed()")}
        webhooks.countAttempts(
          organizationId,
          choices.pageTotal === "all" ? { unanswered } : { ...filters, unanswered },
        )`,
    },
    { file: list, find: shown, replace: shown.replace("attempts.", "attempts.toReversed().") },
  ]),
  mutant(
    "WHL-25",
    "offset",
    "counts where a page begins anew",
    list,
    'webhooks.attempts(organizationId, { ...filters, unanswered }, { before: from, limit: limit + 1 }),\n        webhooks.countAttempts(\n          organizationId,\n          choices.pageTotal === "all" ? { unanswered } : { ...filters, unanswered },\n        )',
    `webhooks.attempts(organizationId, { ...filters, unanswered }, ${counted("all")}
        webhooks.countAttempts(
          organizationId,
          choices.pageTotal === "all" ? { unanswered } : { ...filters, unanswered },
        )`,
  ),
  mutant("WHL-26", "first-page", "begins anew with a strange cursor", list, `      ${refusedCursor}\n`, ""),
  mutant(
    "WHL-26",
    "spoilt",
    "takes a cursor that looks like its own for the beginning",
    list,
    refusedCursor,
    refusedCursor.replace("from === null", "from === null && !/^[\\w-]{60,200}$/.test(cursor)"),
  ),
  {
    ...mutant(
      "WHL-26",
      "fails",
      "reads a cursor that it did not make",
      "domain/feed-cursor.ts",
      "  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(position, scope, key))) return null;\n",
      "",
    ),
    throws: "What is no position cannot be read as one.",
  },
  mutant(
    "WHL-26",
    "empty",
    "finds nothing behind a strange cursor",
    list,
    refusedCursor,
    "if (cursor !== undefined && from === null) return { data: [], meta: { total: 0, limit, offset: 0 } };",
  ),
  mutant(
    "WHL-44",
    "page",
    "counts the records of the page",
    list,
    meta,
    meta.replace("total,", "total: attempts.length,"),
  ),
  mutant(
    "WHL-44",
    "deliveries",
    "counts first attempts only",
    attempts,
    "`\n        select count(*) as count from delivery_attempts where ${sql.join([group, ...time], sql` and `)}`",
    "`\n        select count(*) as count from delivery_attempts where attempt = 1 and ${sql.join([group, ...time], sql` and `)}`",
  ),
  mutant(
    "ENV-20",
    "items",
    "holds the records in an object",
    list,
    shown,
    "data: { items: attempts.map((attempt) => wireAttempt(attempt, choices)) } as never,",
  ),
  mutantOf("ENV-20", "no-meta", "leaves meta out", [
    {
      wire: onAnswer("listDeliveryAttempts", (answer) => {
        const { meta: _, ...body } = Object(parsed(answer.bytes));
        return withBody(answer, body);
      }),
    },
  ]),
  mutant(
    "ENV-20",
    "none",
    "gives no list where it is empty",
    list,
    shown,
    "data: attempts.length === 0 ? (null as never) : attempts.map((attempt) => wireAttempt(attempt, choices)),",
  ),
  mutant(
    "ENV-21",
    "text",
    "writes the total as a text",
    list,
    meta,
    meta.replace("total,", "total: `${total}` as never,"),
  ),
  mutant("ENV-21", "unknown", "says -1 instead of counting", list, meta, meta.replace("total,", "total: -1,")),
  mutant(
    "ENV-22",
    "found",
    "tells how many records the page holds as its size",
    list,
    meta,
    meta.replace("limit,", "limit: attempts.length,"),
  ),
  mutant(
    "ENV-22",
    "text",
    "repeats the size as it was written",
    list,
    meta,
    meta.replace("limit,", "limit: `${limit}` as never,"),
  ),
  mutant("ENV-23", "null", "has no offset", list, meta, meta.replace("offset,", "offset: null as never,")),
  mutant(
    "ENV-23",
    "before",
    "counts from the record before",
    list,
    meta,
    meta.replace("offset,", "offset: offset - 1,"),
  ),
  mutant(
    "ENV-24",
    "number",
    "gives a position as cursor",
    list,
    "{ next_cursor: writeCursor(next, scope, await cursorKey()) }",
    "{ next_cursor: next.offset as never }",
  ),
  mutant(
    "ENV-24",
    "first-only",
    "leads to the second page and no further",
    list,
    "next === null ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }",
    "next === null || offset > 0 ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) }",
  ),
  wireMutant(
    "WHL-52",
    "rest",
    "counts what is left from the page on",
    onAnswer("listDeliveryAttempts", (answer) => {
      const { meta, ...others } = Object(parsed(answer.bytes));
      return meta === undefined
        ? answer
        : withBody(answer, { ...others, meta: { ...meta, total: meta.total - meta.offset } });
    }),
  ),
  mutantOf("WHL-52", "endpoint", "counts without looking at the type of event", [
    storingWebhooks((webhooks) => ({
      countAttempts: async (organizationId, { eventType, ...others }) =>
        (await webhooks.countAttempts(organizationId, others)) - (eventType === undefined ? 0 : 1),
    })),
  ]),
];
