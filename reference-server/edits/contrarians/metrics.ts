import type { Contrarian } from "../edit.ts";
import { onAnswer, onRequest, parsed, withBody } from "../wire.ts";
import { withQuery } from "../wire-requests.ts";

const id = "getLookupMetrics";

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
];
