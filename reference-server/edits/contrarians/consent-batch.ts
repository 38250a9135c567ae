import type { Contrarian } from "../edit.ts";
import { dataOf, onData, onRequest, parsed, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

/** Servers that answer the questions on batches of consents in other ways. */
export const consentBatchContrarians: readonly Contrarian[] = [
  {
    id: "Q53-few",
    does: "lets an organization capture fifty consents a minute",
    answers: "Q53",
    changes: [
      {
        file: "domain/tiers/limit-size.ts",
        find: 'if (bucket.kind === "bucket") return bucket;',
        replace:
          'if (bucket.kind === "bucket") return name === "consentRecords" ? { ...bucket, capacity: 50 } : bucket;',
      },
    ],
  },
  {
    id: "Q161-some",
    does: "takes what is valid of a batch, and tells what became of each record",
    answers: "Q161",
    changes: [
      {
        wire: (serve) => async (request) => {
          const { records } = Object(parsed(request.bytes));
          if (request.operation !== "captureConsentBatch" || !Array.isArray(records)) return serve(request);
          const isValid = (record: unknown): boolean =>
            /^\+[1-9][0-9]{1,14}$/.test(String(Object(record).phone_number));
          const valid = records.filter(isValid);
          if (valid.length === records.length) return serve(request);
          // Credentials are judged all the same: a batch without a valid record is one of none.
          const answer = await serve(withRequestBody(request, { records: valid }));
          return dataOf(answer) === null
            ? answer
            : withData(answer, { results: records.map((record) => ({ stored: isValid(record) })) });
        },
      },
    ],
  },
  // Outside the others, which know a batch by its usual name.
  {
    id: "Q160-shape",
    does: "takes a batch of consents and the number of each under other names, and answers how many there were",
    answers: "Q160",
    shapes: {
      captureConsentBatch: {
        request: { records: "batch.consents", "records.*.phone_number": "contact.phone" },
        response: {},
      },
    },
    changes: [
      {
        wire: onRequest("captureConsentBatch", (request) => {
          const { batch, ...others } = Object(parsed(request.bytes));
          const consents: unknown = Object(batch).consents;
          if (!Array.isArray(consents)) return request;
          const records = consents.map(({ contact, ...consent }) => ({
            ...consent,
            phone_number: Object(contact).phone,
          }));
          return withRequestBody(request, { ...others, records });
        }),
      },
      { wire: onData("captureConsentBatch", ({ records }) => ({ accepted: Object(records).length })) },
    ],
  },
];
