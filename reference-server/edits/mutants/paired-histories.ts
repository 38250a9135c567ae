import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { idIn, seeing } from "../seen.ts";
import { dataOf, refused, withData } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { id: replay } = operations.replayDelivery;
const mayReturn = "toCarrier && !holds(caller, scopeNamed.numbersRelease)";

/** Servers that do well what they are asked for, unless something else was done before. */
export const pairedHistoryMutants: readonly Mutant[] = [
  wireMutant("KEYG-07", "rotated", "shows no revocation of a key that was rotated", (serve) => {
    const rotated = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (request.operation === operations.rotateApiKey.id) rotated.add(data?.id);
      const isMeant = request.operation === operations.getApiKey.id && data !== null && rotated.has(data.id);
      return isMeant ? withData(answer, { ...data, revoked_at: null }) : answer;
    };
  }),
  wireMutant(
    "WHP-21",
    "gone",
    "calls the event of a delivery expired whose receiver was gone",
    seeing(
      (seen) => (serve) => async (request) =>
        request.operation === replay && seen.records.get(idIn(request))?.response_status === 410
          ? refused(refuse.EventExpired("The event is gone."))
          : serve(request),
    ),
  ),
  wireMutant("WHP-01", "test", "does not find the delivery of a test when it is to be replayed", (serve) =>
    seeing((seen) => (inner) => {
      const tests = new Set<unknown>();
      return async (request) => {
        if (request.operation === replay && tests.has(seen.records.get(idIn(request))?.event_id))
          return refused(refuse.NotFound("There is no such delivery."));
        const answer = await inner(request);
        if (request.operation === operations.testWebhookEndpoint.id) tests.add(dataOf(answer)?.event_id);
        return answer;
      };
    })(serve),
  ),
  mutantOf("NUM-16", "attached", "returns numbers that have a campaign for whoever may write them", [
    {
      file: "routes/phone-numbers.ts",
      find: mayReturn,
      replace: `${mayReturn} && ((await store.phoneNumber(caller.organization.id, path.id))?.campaignId ?? null) === null`,
    },
  ]),
];
