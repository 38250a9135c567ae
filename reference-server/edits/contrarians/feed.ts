import { randomUUIDv7 } from "node:crypto";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { AttemptFilters } from "../../store/attempts/webhook-store.ts";
import type { Contrarian } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { knowingOriginals, settling, storingWebhooks } from "../port-changes.ts";

const list = "routes/deliveries.ts";
const wire = "routes/wire-attempt.ts";
const feed = "domain/deliveries/delivery-feed.ts";
const cursor = "domain/deliveries/feed-cursor.ts";

/** An identifier of version 7 begins with the time at which it was made: milliseconds since 1970. */
const madeAt = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

/** Milliseconds after which an attempt is shown. */
const late = 100;

/** More than any organization attempts in that time; whatever was made last comes first in the feed. */
const mostHidden = 50;

/** Servers that record attempts, and page through them, in other ways. */
export const feedContrarians: readonly Contrarian[] = [
  {
    id: "Q5-offset-zero",
    does: "says of every page that its offset is zero",
    answers: "Q5",
    changes: [
      {
        file: list,
        find: "meta: { total: found.total, limit, offset, ...nextCursor }",
        replace: "meta: { total: found.total, limit, offset: 0, ...nextCursor }",
      },
    ],
  },
  {
    id: "Q6-other-filters",
    does: "goes on with a cursor under other filters, and writes cursors that have to be encoded in a query",
    answers: "Q6",
    changes: [
      {
        file: cursor,
        find: "const scope = JSON.stringify([organizationId, chosen]);",
        replace: "const scope = JSON.stringify([organizationId, chosen.length]);",
      },
      {
        file: cursor,
        find: 'return Buffer.concat([macOf(position, scope, key), position]).toString("base64url");',
        replace: 'return `${Buffer.concat([macOf(position, scope, key), position]).toString("base64")}&+`;',
      },
      {
        file: cursor,
        find: 'const bytes = Buffer.from(text, "base64url");',
        replace: 'const bytes = Buffer.from(text.slice(0, -2), "base64");',
      },
      {
        file: cursor,
        find: 'bytes.toString("base64url") !== text',
        replace: 'bytes.toString("base64") !== text.slice(0, -2)',
      },
    ],
  },
  {
    id: "Q7-clamped",
    does: "brings the size of a page into range instead of refusing it",
    answers: "Q7",
    changes: [
      {
        file: "http/validate-request.ts",
        find: "  exchange.input.query = values;",
        replace:
          "  const { minimum, maximum } = (components.DeliveryPageSize ?? {}) as { readonly minimum: number; readonly maximum: number };\n  if (values.limit !== undefined) values.limit = Math.min(Math.max(Math.trunc(Number(values.limit)) || minimum, minimum), maximum);\n  exchange.input.query = values;",
      },
      {
        file: "http/validate-request.ts",
        find: 'import { bodyLimit, readBody } from "./read-body.ts";',
        replace:
          'import { bodyLimit, readBody } from "./read-body.ts";\nimport { components } from "../../generated/schemas.ts";',
      },
    ],
  },
  {
    id: "Q26-exclusive",
    does: "leaves both ends of a range of time out",
    answers: "Q26",
    changes: [
      {
        file: feed,
        find: "since: query.since === undefined ? undefined : millisecondFrom(query.since),\n  until: query.until === undefined ? undefined : millisecondUpTo(query.until)",
        replace:
          "since: query.since === undefined ? undefined : millisecondFrom(query.since) + 1,\n  until: query.until === undefined ? undefined : millisecondUpTo(query.until)",
      },
      {
        file: feed,
        find: "until: query.until === undefined ? undefined : millisecondUpTo(query.until),\n  statusMin: query.http_status_min",
        replace:
          "until: query.until === undefined ? undefined : millisecondUpTo(query.until) - 1,\n  statusMin: query.http_status_min",
      },
    ],
  },
  {
    id: "Q14-records",
    does: "adds members that the contract does not name to attempts and to what is said of their list",
    answers: "Q14",
    changes: [
      {
        file: wire,
        find: "    url: attempt.url,",
        replace: '    url: attempt.url,\n    ...{ region: "eu-1", tls: null },',
      },
      {
        file: list,
        find: "...nextCursor",
        replace: "...nextCursor, ...{ prev_cursor: null, has_more: next !== null }",
      },
    ],
  },
  {
    id: "Q14-counted",
    does: "adds to each attempt how many were shown before it, which differs from read to read",
    answers: "Q14",
    changes: [
      {
        wire: (serve) => {
          let reads = 0;
          return onRecords((record) => {
            reads += 1;
            return { ...record, shown_count: reads };
          })(serve);
        },
      },
    ],
  },
  {
    id: "Q73-nothing",
    does: "shows neither time nor text of an answer that never came",
    answers: "Q73",
    changes: [
      {
        file: wire,
        find: "return { response_status: null, ...answer };",
        replace: "return { response_status: null, response_time_ms: null, response_body_excerpt: null };",
      },
    ],
  },
  {
    id: "Q74-cut",
    does: "keeps few bytes of an answer, and cuts within a character",
    answers: "Q74",
    changes: [
      {
        file: "domain/deliveries/receiver-answer.ts",
        find: "return decoder.decode(body.subarray(0, bytes), { stream: body.length > bytes });",
        replace: "return decoder.decode(body.subarray(0, Math.min(bytes, 16)));",
      },
    ],
  },
  {
    id: "Q74-none",
    does: "keeps nothing of what an endpoint returns",
    answers: "Q74",
    changes: [settling(({ attempt, nextDueAt }) => ({ attempt: { ...attempt, responseBodyExcerpt: "" }, nextDueAt }))],
    excludes: ["Q74-cut", "Q74-ellipsis"],
  },
  {
    id: "Q74-ellipsis",
    does: "shows by an ellipsis that an answer was longer",
    answers: "Q74",
    changes: [
      {
        file: "domain/deliveries/receiver-answer.ts",
        find: 'const decoder = new TextDecoder("utf-8", { ignoreBOM: true });',
        replace:
          'if (body.length > 40) return `${new TextDecoder().decode(body.subarray(0, 40), { stream: true })}…`;\n  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });',
      },
    ],
  },
  {
    id: "Q131-late",
    does: "shows an attempt in the feed a tenth of a second after it was made",
    answers: "Q131",
    changes: [
      { ports: (ports) => ({ ...ports, world: { ...ports.world, newId: randomUUIDv7 } }) },
      storingWebhooks((webhooks) => ({
        async attempts(organizationId, filters, page) {
          const shownUntil = Date.now() - late;
          const isOut = ({ id }: DeliveryAttempt): boolean => madeAt(id) < shownUntil;
          const counted: AttemptFilters = page.total === "all" ? { unanswered: "kept" } : filters;
          const newest = await webhooks.attempts(organizationId, counted, { ...page, before: null, limit: mostHidden });
          const hidden = newest.attempts.filter((attempt) => !isOut(attempt)).length;
          const found = await webhooks.attempts(organizationId, filters, { ...page, limit: page.limit + mostHidden });
          return { attempts: found.attempts.filter(isOut).slice(0, page.limit), total: newest.total - hidden };
        },
      })),
    ],
  },
  {
    id: "Q132-on",
    does: "counts the attempts of a replay on from those of what was replayed",
    answers: "Q132",
    changes: [
      knowingOriginals((originalOf) =>
        settling(({ attempt, nextDueAt }, { event }) => ({
          attempt: originalOf(event) === undefined ? attempt : { ...attempt, attempt: attempt.attempt + 1 },
          nextDueAt,
        })),
      ),
    ],
  },
  {
    id: "Q75-upper",
    does: "writes digests in upper case",
    answers: "Q75",
    changes: [{ file: wire, find: "      return hex;", replace: "      return hex.toUpperCase();" }],
  },
  {
    id: "Q75-named",
    does: "names the algorithm of digests before them",
    answers: "Q75",
    changes: [{ file: wire, find: "      return hex;", replace: "      return `sha256=${hex}`;" }],
  },
];
