import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { lookingUpByClock } from "../looking-up-by-clock.ts";
import { storing } from "../port-changes.ts";
import { dataOf, inPlaceOf, onAnswer, onData, onRequest, parsed, refused, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

const keyHeader = operations.createLookup.idempotencyHeader.toLowerCase();

const routes = "routes/lookups.ts";

/** Numbers of Puerto Rico, the Virgin Islands, Guam, the Northern Mariana Islands and American Samoa. */
const territories = /^\+1(?:787|939|340|671|670|684)/;

/** A number of Jamaica. */
const elsewhere = "+18765550123";

/** A lookup under other names. */
const renamed = { id: "lookup.sid", line_type: "lookup.line.kind" };

/** A kept response that counts for any body. */
const keepingFirst = storing((store) => ({
  async keptAnswer(organizationId, retry, now) {
    const kept = await store.keptAnswer(organizationId, retry, now);
    return kept && { ...kept, fingerprint: retry.fingerprint };
  },
}));

/** Servers that answer the questions on lookups in other ways. */
export const lookupContrarians: readonly Contrarian[] = [
  {
    id: "Q98-under-way",
    does: "refuses calls with a key while another one is under way",
    answers: "Q98",
    changes: [
      {
        wire: (serve) => {
          const underWay = new Set<string>();
          return async (request) => {
            const key = request.headers[keyHeader];
            if (request.operation !== "createLookup" || key === undefined) return serve(request);
            const place = `${request.headers.authorization} ${key}`;
            if (underWay.has(place)) return refused(refuse.Conflict("A call with this key is under way."));
            underWay.add(place);
            try {
              return await serve(request);
            } finally {
              underWay.delete(place);
            }
          };
        },
      },
    ],
  },
  {
    id: "Q98-first",
    does: "returns the first response for another body with a key",
    answers: "Q98",
    changes: [keepingFirst],
    excludes: ["Q98-conflict"],
  },
  {
    id: "Q98-conflict",
    does: "calls another body with a key a conflict",
    answers: "Q98",
    changes: [
      {
        wire: onAnswer("createLookup", (answer, { headers }) => {
          const { details } = Object(Object(parsed(answer.bytes)).error);
          const isReused = headers[keyHeader] !== undefined && Object.hasOwn(Object(details), keyHeader);
          return isReused ? refused(refuse.Conflict("The key was used for another request.")) : answer;
        }),
      },
    ],
  },
  {
    id: "Q116-own",
    does: "asks another price for a lookup of each organization",
    answers: "Q116",
    changes: [
      {
        file: routes,
        find: "const price = Number(choices.lookupPriceMicros);",
        replace:
          "const priceOf = (organizationId: string): number => Number(choices.lookupPriceMicros) + 1_003 * (organizationId.charCodeAt(35) % 3);",
      },
      {
        file: routes,
        find: "const { id: organizationId } = caller.organization;",
        replace: "const { id: organizationId } = caller.organization; const price = priceOf(organizationId);",
      },
    ],
  },
  {
    id: "Q102-unknown",
    does: "has a kind for lines that nobody knows, none of which is blocked",
    answers: "Q102",
    changes: (["createLookup", "getLookup"] as const).map((id) => ({
      wire: onData(id, (data) => (String(data.phone_number).endsWith("7") ? { ...data, line_type: "UNKNOWN" } : data)),
    })),
  },
  {
    id: "Q104-bad-request",
    does: "calls a text that is no number a wrong request",
    answers: "Q104",
    changes: [{ wire: inPlaceOf("createLookup", "ValidationFailed", refuse.InvalidInput("That is no number.")) }],
  },
  {
    id: "Q104-region",
    does: "says of a text that is no number that it lies elsewhere",
    answers: "Q104",
    changes: [
      {
        wire: onAnswer("createLookup", (answer, { bytes }) => {
          const { phone_number: number } = Object(parsed(bytes));
          const isText = answer.status === 422 && typeof number === "string" && !/^\+[1-9]\d{1,14}$/.test(number);
          return isText ? refused(refuse.LookupUnsupportedRegion("That is no number of ours.")) : answer;
        }),
      },
    ],
  },
  {
    id: "Q105-later",
    does: "tells the kind of line only when it is asked for the lookup",
    answers: "Q105",
    changes: [{ wire: onData("createLookup", (data) => ({ ...data, line_type: null })) }],
  },
  {
    id: "Q105-pending",
    does: "calls the kind of a line pending until two seconds later, by the organization's clock",
    answers: "Q105",
    changes: [
      lookingUpByClock(2_000),
      {
        file: routes,
        find: "return wireLookup(lookup, precision);",
        replace: 'return { ...wireLookup(lookup, precision), line_type: "LOOKING_UP" };',
      },
    ],
  },
  {
    id: "Q105-shape",
    does: "takes and shows lookups under other names",
    answers: "Q105",
    shapes: {
      createLookup: { request: { phone_number: "line.number" }, response: renamed },
      getLookup: { request: {}, response: renamed },
    },
    changes: [
      {
        wire: onRequest("createLookup", (request) => {
          const body = parsed(request.bytes);
          // What has no line at all stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("line" in body)) return request;
          const { number: phone_number } = Object(body.line);
          return withRequestBody(request, { phone_number });
        }),
      },
      ...(["createLookup", "getLookup"] as const).map((id) => ({
        wire: onAnswer(id, (answer) => {
          const data = dataOf(answer);
          return data === null
            ? answer
            : withData(answer, { lookup: { sid: data.id, line: { kind: data.line_type } } });
        }),
      })),
    ],
  },
  {
    id: "Q103-territories",
    does: "takes numbers of United States territories for numbers of elsewhere",
    answers: "Q103",
    changes: [
      {
        wire: onRequest("createLookup", (request) => {
          const body = parsed(request.bytes);
          return territories.test(String(Object(body).phone_number))
            ? withRequestBody(request, { ...Object(body), phone_number: elsewhere })
            : request;
        }),
      },
    ],
  },
];
