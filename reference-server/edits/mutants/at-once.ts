import type { BucketName } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { countingOneAtATime, drawsFrom } from "../port-changes.ts";
import { isRefusal, type Wire, type WireAnswer } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Counts one call of several at once on a limit. */
const countingOne = (bucket: BucketName) => [countingOneAtATime((draw) => drawsFrom(draw, bucket))];

/** Answers all calls of an operation that a caller makes at once as the first of them. */
const answeringAlike =
  (operation: OperationId): Wire =>
  (serve) => {
    const underWay = new Map<string, Promise<WireAnswer>>();
    return async (request) => {
      if (request.operation !== operation) return serve(request);
      const caller = String(request.headers.authorization);
      const first = underWay.get(caller);
      if (first !== undefined) return first;
      const answer = serve(request);
      underWay.set(caller, answer);
      return answer.finally(() => underWay.delete(caller));
    };
  };

/** Refuses to enable auto top-up again, and has it enabled as it was asked to all the same. */
const takingRefused: Wire = (serve) => {
  const enabled = new Map<string, string>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation !== "setAutoTopUp") return answer;
    const caller = String(request.headers.authorization);
    const wish = request.bytes.toString();
    if (answer.status < 300) enabled.set(caller, wish);
    if (!isRefusal(answer, "Conflict") || enabled.get(caller) === wish) return answer;
    await serve(withRequestBody(request, { enabled: false }));
    await serve(request);
    return answer;
  };
};

/** Servers that do wrong by calls that arrive at once. */
export const atOnceMutants: readonly Mutant[] = [
  mutantOf("LIM-15", "at-once", "counts one of several consents at once", countingOne("consentRecords")),
  mutantOf("LIM-19", "at-once", "counts one of several erasures at once", countingOne("contactErasures")),
  wireMutant("NUM-34", "at-once", "meets all bulk orders at once alike", answeringAlike("bulkOrderPhoneNumbers")),
  wireMutant(
    "BIL-07",
    "other-values",
    "takes other values of auto top-up that it refuses to enable again",
    takingRefused,
  ),
  wireMutant("BIL-07", "at-once", "enables auto top-up for all who ask at once", answeringAlike("setAutoTopUp")),
];
