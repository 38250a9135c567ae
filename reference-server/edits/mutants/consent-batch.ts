import { refuse } from "../../../generated/error-rows.ts";
import type { BucketName } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { countingOneAtATime, drawing, drawsFrom } from "../port-changes.ts";
import {
  isRefusal,
  onAnswer,
  onRequest,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  withHeaders,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const operation = "captureConsentBatch";
const bucket = "consentRecords" satisfies BucketName;
const { path } = operations[operation];

type Records = readonly Readonly<Record<string, unknown>>[];

const recordsOf = (body: unknown): Records => {
  const { records } = Object(body);
  return Array.isArray(records) ? records : [];
};

/** Has the server get some records of each batch. */
const keepingOf = (some: (records: Records) => Records): Wire =>
  onRequest(operation, (request) => {
    const records = recordsOf(bodyOf(request));
    return records.length === 0 ? request : withRequestBody(request, { records: some(records) });
  });

const detailsOf = ({ bytes }: WireAnswer): object => Object(Object(Object(parsed(bytes)).error).details);

const isTooLarge = (answer: WireAnswer): boolean =>
  isRefusal(answer, "ValidationFailed") && Object.hasOwn(detailsOf(answer), "records");

/** Refuses what is too large in another way. */
const onTooLarge = (change: (answer: WireAnswer) => WireAnswer): Wire =>
  onAnswer(operation, (answer) => (isTooLarge(answer) ? change(answer) : answer));

/** Has the server get a batch of some of the records whose batch it has refused; the client is told of the refusal. */
const storing =
  (isMeant: (answer: WireAnswer) => boolean, some: (records: Records) => Records): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    if (request.operation === operation && isMeant(answer))
      await serve(withRequestBody(request, { records: some(recordsOf(bodyOf(request))) }));
    return answer;
  };

const isOfANumber = ({ phone_number: number }: Records[number]): boolean =>
  typeof number === "string" && /^\+[1-9]/.test(number);

const later = (answer: WireAnswer): WireAnswer =>
  withHeaders(refusedWith(answer, refuse.RateLimited("Later.", { "Retry-After": "60" })), { "Retry-After": "60" });

/** Servers that capture consents together wrongly. */
export const consentBatchMutants: readonly Mutant[] = [
  mutant(
    "AUTH-27",
    "captured",
    "has any plan capture consents together",
    "http/authorize.ts",
    'operation.shortages.includes("plan")',
    'operation.shortages.includes("plan") && operation.id !== "captureConsentBatch"',
  ),
  wireMutant(
    "AUTH-27",
    "forbidden",
    "calls a plan that is too low for a batch a missing permission",
    onAnswer(operation, (answer) =>
      isRefusal(answer, "PlanRequired") ? refusedWith(answer, refuse.Forbidden("Not with this plan.")) : answer,
    ),
  ),
  wireMutant(
    "CON-02",
    "first",
    `captures the first consent of ${path} alone`,
    keepingOf((records) => records.slice(0, 1)),
  ),
  wireMutant(
    "CON-02",
    "but-last",
    `loses the last consent of ${path}`,
    keepingOf((records) => records.slice(0, Math.max(1, records.length - 1))),
  ),
  wireMutant(
    "CON-02",
    "hundred",
    `captures no more than a hundred consents of ${path}`,
    keepingOf((records) => records.slice(0, 100)),
  ),
  wireMutant(
    "CON-21",
    "others",
    "refuses a batch for one of its records, and stores the others",
    storing(
      (answer) => isRefusal(answer, "ValidationFailed") && !isTooLarge(answer),
      (records) => records.filter(isOfANumber),
    ),
  ),
  mutantOf("LIM-16", "calls", "draws one unit for a batch", [drawing(bucket, (draw) => ({ ...draw, units: 1 }))]),
  mutantOf("LIM-16", "one-more", "draws a unit for a batch itself, beside its records", [
    drawing(bucket, (draw) => (draw.units > 1 ? { ...draw, units: draw.units + 1 } : draw)),
  ]),
  wireMutant("LIM-16", "recipients", "draws one unit for all records of one recipient", (serve) => (request) => {
    const { records, ...others } = Object(bodyOf(request));
    if (request.operation !== "captureConsentBatch" || !Array.isArray(records)) return serve(request);
    const ofEach = new Map(records.map((record: unknown) => [Object(record).phone_number, record]));
    return serve(withRequestBody(request, { ...others, records: [...ofEach.values()] }));
  }),
  mutantOf("LIM-16", "apart", "has an allowance of its own for batches", [
    drawing(bucket, (draw) => (draw.units > 1 ? { ...draw, bucket: `${draw.bucket} together` } : draw)),
  ]),
  mutantOf("LIM-16", "at-once", "counts one of several batches at once", [
    countingOneAtATime((draw) => drawsFrom(draw, bucket) && draw.draws.some(({ units }) => units > 1)),
  ]),
  wireMutant("LIM-17", "limit", "has a batch that is too large try again later", onTooLarge(later)),
  wireMutant(
    "LIM-17",
    "used",
    "has a batch that is too large try again once the allowance is used in part",
    (serve) => {
      const used = new Set<string | undefined>();
      return async (request) => {
        const answer = await serve(request);
        if (request.operation !== operation) return answer;
        const { authorization } = request.headers;
        if (answer.status < 300) used.add(authorization);
        return isTooLarge(answer) && used.has(authorization) ? later(answer) : answer;
      };
    },
  ),
  wireMutant(
    "LIM-17",
    "member",
    "tells of a batch that is too large under another name",
    onTooLarge((answer) =>
      refusedWith(answer, refuse.ValidationFailed("The request has invalid fields.", { consents: "are too many" })),
    ),
  ),
  wireMutant(
    "LIM-17",
    "conflict",
    "calls a batch that is too large a conflict",
    onTooLarge((answer) => refusedWith(answer, refuse.Conflict("There are too many."))),
  ),
  mutant(
    "LIM-17",
    "exact",
    "calls a batch too large that is as large as the allowance",
    "http/batch-size.ts",
    "drawUnits(draw, exchange.input.body) <= capacity",
    "drawUnits(draw, exchange.input.body) < capacity",
  ),
  wireMutant(
    "LIM-18",
    "first",
    "stores the first consent of a batch that is too large",
    storing(isTooLarge, (records) => records.slice(0, 1)),
  ),
  wireMutant(
    "LIM-18",
    "last",
    "stores the last consents of a batch that is too large",
    storing(isTooLarge, (records) => records.slice(-2)),
  ),
  wireMutant(
    "CON-20",
    "draws",
    "draws for a batch that is too large",
    storing(isTooLarge, () => [{ phone_number: "+12025550199", source: "none" }]),
  ),
];
