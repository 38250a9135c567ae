import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { notCancelable } from "../../domain/messages/message.ts";
import type { Mutant } from "../edit.ts";
import { idIn, seeing } from "../seen.ts";
import { dataOf, parsed, refused, refusedWith, type WireRequest, withData } from "../wire.ts";
import { queryOf } from "../wire-requests.ts";
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
  wireMutant("MET-06", "busy", "takes no cursor back once another lookup was run", (serve) => {
    const counts = new Map<string | undefined, number>();
    const given = new Map<string, number>();
    return async (request) => {
      const { authorization } = request.headers;
      const count = counts.get(authorization) ?? 0;
      const cursor = queryOf(request).get("cursor");
      const answer = await serve(request);
      if (request.operation === operations.createLookup.id && answer.status < 300) counts.set(authorization, count + 1);
      if (request.operation !== operations.getLookupMetrics.id || answer.status >= 300) return answer;
      if (cursor !== null && given.get(cursor) !== count)
        return refusedWith(answer, refuse.CursorParametersChanged("The metrics have changed."));
      given.set(String(Object(Object(parsed(answer.bytes)).meta).next_cursor), count);
      return answer;
    };
  }),
  mutantOf("WHR-01", "inactive", "does not find an endpoint that is not active when its secret is to be rotated", [
    {
      file: "routes/webhooks.ts",
      find: "const rotated = rotatedEndpoint(endpoint, secret, now);",
      replace: `if (!endpoint.active) return endpointNotFound();
        const rotated = rotatedEndpoint(endpoint, secret, now);`,
    },
  ]),
  wireMutant("MSG-39", "revoked", "cancels no message that was sent by a key which was revoked since", (serve) => {
    const keys = new Map<unknown, unknown>();
    const senders = new Map<unknown, unknown>();
    const revoked = new Set<unknown>();
    return async (request) => {
      const { operation, parameters, headers } = request;
      if (operation === operations.cancelMessage.id && revoked.has(senders.get(idIn(request))))
        return refused(notCancelable());
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data?.plaintext !== undefined) keys.set(`Bearer ${data.plaintext}`, data.id);
      if (operation === operations.sendMessage.id) senders.set(data?.id, keys.get(headers.authorization));
      if (operation === "revokeOrganizationKey") revoked.add(parameters.key_id);
      return answer;
    };
  }),
  wireMutant("MSG-39", "user", "lets no user cancel what a key has sent", (serve) => {
    const sent = new Set<unknown>();
    const byKey = ({ headers }: WireRequest): boolean =>
      headers.authorization?.startsWith(`Bearer ${constants.liveKeyPrefix}`) === true;
    return async (request) => {
      const isMeant = request.operation === operations.cancelMessage.id && sent.has(idIn(request));
      if (isMeant && !byKey(request)) return refused(notCancelable());
      const answer = await serve(request);
      if (request.operation === operations.sendMessage.id && byKey(request)) sent.add(dataOf(answer)?.id);
      return answer;
    };
  }),
];
