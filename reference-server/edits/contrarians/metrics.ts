import { refuse } from "../../../generated/error-rows.ts";
import type { LookupMetric } from "../../../generated/models/metrics.ts";
import type { Contrarian } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { isRefusal, onAnswer, onRequest, parsed, refused, refusedWith, type Wire, withBody } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";

const id = "getLookupMetrics";

/** What a server may call the parameters. */
const otherNames = {
  from: "start",
  to: "window.end",
  granularity: "interval",
  timezone: "zone",
  cursor: "page_token",
  limit: "size",
} as const;

/** Goes by other names, and by none of the contract's for the same. */
const goingBy = (names: Readonly<Record<string, string>>) =>
  onRequest(id, (request) => {
    const query = queryOf(request);
    return withQuery(request, {
      ...Object.fromEntries(Object.values(names).map((own) => [own, undefined])),
      ...Object.fromEntries(Object.entries(names).map(([name, own]) => [name, query.get(own) ?? undefined])),
    });
  });

/** How long metrics of a granularity are kept, in milliseconds; for ever where nothing stands. */
const keptFor: Readonly<Record<string, number>> = { minute: 5 * 86_400_000, hour: 300 * 86_400_000 };

/** Keeps finer metrics for less long, and refuses windows that begin before: the end of the latest one is taken for the present. */
const keepingFineOnesShorter: Wire = (serve) => {
  const latest = new Map<string | undefined, number>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation !== id) return answer;
    const query = queryOf(request);
    const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
    const whose = request.headers.authorization;
    const now = Math.max(to, latest.get(whose) ?? to);
    if (answer.status < 300) latest.set(whose, now);
    const isWindow = answer.status < 300 || isRefusal(answer, "WindowTooLarge");
    const kept = keptFor[query.get("granularity") ?? ""] ?? Number.POSITIVE_INFINITY;
    return isWindow && now - from > kept
      ? refusedWith(answer, refuse.ValidationFailed("Too long ago.", { from: "is too long ago" }))
      : answer;
  };
};

/** Servers that answer the questions on metrics in other ways. */
export const metricsContrarians: readonly Contrarian[] = [
  {
    id: "Q127-busy",
    does: "shows no bucket in which nothing was looked up, and more of the others",
    answers: "Q127",
    changes: [
      {
        wire: onAnswer(id, (answer) => {
          const body = Object(parsed(answer.bytes));
          if (!Array.isArray(body.data)) return answer;
          const busy = body.data.filter((bucket: unknown) => Object(bucket).lookups > 0);
          return withBody(answer, { ...body, data: busy.map((bucket: object) => ({ ...bucket, failed: 0 })) });
        }),
      },
    ],
  },
  {
    id: "Q127-nested",
    does: "shows the buckets in an object, of which there may be none",
    answers: "Q127",
    changes: [
      {
        wire: onAnswer(id, (answer) => {
          const body = Object(parsed(answer.bytes));
          if (!Array.isArray(body.data)) return answer;
          const busy = body.data.filter((bucket: unknown) => Object(bucket).lookups > 0);
          return withBody(answer, { ...body, data: { buckets: busy } });
        }),
      },
    ],
    excludes: ["Q127-busy", "Q127-renamed"],
  },
  {
    id: "Q240-fine-shorter",
    does: "keeps metrics of minutes for five days and those of hours for 300, and says so before the window's size",
    answers: "Q240",
    changes: [{ wire: keepingFineOnesShorter }],
  },
  {
    id: "Q127-renamed",
    does: "asks for metrics by other parameters, and shows them under other names",
    answers: "Q127",
    shapes: { [id]: { request: otherNames, response: { starts_at: "*.at", lookups: "*.count.made" } } },
    changes: [
      { wire: goingBy(otherNames) },
      {
        wire: onAnswer(id, (answer) => {
          const body = Object(parsed(answer.bytes));
          if (!Array.isArray(body.data)) return answer;
          const data = body.data.map(({ starts_at: at, lookups: made }: LookupMetric) => ({ at, count: { made } }));
          return withBody(answer, { ...body, data });
        }),
      },
    ],
  },
  {
    id: "Q127-unheard",
    does: "asks for metrics by parameters of which the kit is not told, and passes over those that it does not know",
    answers: "Q127",
    changes: [{ wire: goingBy(otherNames) }],
  },
  ...(["from", "granularity", "cursor"] as const).map(
    (name): Contrarian => ({
      id: `Q127-${name}`,
      does: `has another name for ${name}, of which the kit is not told, and passes over that of the contract`,
      answers: "Q127",
      changes: [{ wire: goingBy({ [name]: otherNames[name] }) }],
    }),
  ),
  {
    id: "Q127-required",
    does: "wants to be told from when to when",
    answers: "Q127",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          if (request.operation !== id || answer.status >= 300) return answer;
          const query = queryOf(request);
          return query.has("from") && query.has("to")
            ? answer
            : refused(refuse.ValidationFailed("A window is needed.", { from: "is required, and so is to" }));
        },
      },
    ],
    excludes: ["Q127-renamed", "Q127-unheard"],
  },
  {
    id: "Q230-utc",
    does: "has all buckets begin by UTC",
    answers: "Q230",
    changes: [{ wire: onRequest(id, (request) => withQuery(request, { timezone: undefined })) }],
  },
  {
    id: "Q231-one-size",
    does: "shows pages of one size, whatever is asked for",
    answers: "Q231",
    changes: [{ wire: onRequest(id, (request) => withQuery(request, { limit: undefined })) }],
  },
  {
    id: "Q232-late",
    does: "shows of a window what it came to when it was asked for before",
    answers: "Q232",
    changes: [
      storing((store) => {
        const known = new Map<string, readonly number[]>();
        return {
          async metricSums(...asked) {
            const sums = await store.metricSums(...asked);
            const before = known.get(JSON.stringify(asked));
            known.set(JSON.stringify(asked), sums);
            return before ?? sums.map(() => 0);
          },
        };
      }),
    ],
  },
  {
    id: "Q233-inclusive",
    does: "has the end of a window belong to it",
    answers: "Q233",
    changes: [
      {
        wire: onRequest(id, (request) => {
          const to = Date.parse(queryOf(request).get("to") ?? "");
          return Number.isNaN(to) ? request : withQuery(request, { to: new Date(to + 1).toISOString() });
        }),
      },
    ],
  },
  {
    id: "Q234-coarse",
    does: "has customers without a larger plan look at days only, and those with one at hours",
    answers: "Q234",
    changes: [
      {
        file: "domain/organizations/organization.ts",
        find: 'payg: { leastTopUp: null, finestGranularity: "hour" }',
        replace: 'payg: { leastTopUp: null, finestGranularity: "day" }',
      },
      {
        file: "domain/organizations/organization.ts",
        find: 'growth: { leastTopUp: 5_000, finestGranularity: "minute" }',
        replace: 'growth: { leastTopUp: 5_000, finestGranularity: "hour" }',
      },
    ],
  },
];
