import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { asOwner } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { rotating } from "../rotations.ts";
import { seeing } from "../seen.ts";
import { keepingNumbers } from "../unit-changes.ts";
import {
  dataOf,
  isRefusal,
  onAnswer,
  refused,
  type Serve,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { bodyOf, queryOf, withId, withQuery, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { createApiKey, createLookup, getApiKey, getLookup, rotateApiKey, sendMessage } = operations;

/** Whether the caller is no key. */
const isUser = ({ headers }: WireRequest): boolean => headers.authorization?.includes(constants.liveKeyPrefix) !== true;

/** Serves requests that name a key which came by such a call in a way of its own. */
const onKeysBy =
  (isWay: (request: WireRequest) => boolean, change: (serve: Serve) => Serve): Wire =>
  (serve) => {
    const changed = change(serve);
    const ids = new Set<unknown>();
    return async (request) => {
      const answer = await (ids.has(request.parameters.id) ? changed(request) : serve(request));
      if (isWay(request)) ids.add(dataOf(answer)?.id);
      return answer;
    };
  };

const byRotation = ({ operation }: WireRequest): boolean => operation === rotateApiKey.id;

/** Cancels nothing that was sent with a bypass of quiet hours. */
const cancellingWithoutBypass: Wire = (serve) => {
  const bypassing = new Set<unknown>();
  return async (request) => {
    if (request.operation === "cancelMessage" && bypassing.has(request.parameters.id))
      return serve(withId(request, randomUUID()));
    const answer = await serve(request);
    if (request.operation === "sendMessage" && Object(bodyOf(request)).bypass_quiet_hours === true)
      bypassing.add(dataOf(answer)?.id);
    return answer;
  };
};

/** Looks a number up once more where its lookup is read. */
const lookingUpAgain: Wire = (serve) => async (request) => {
  const answer = await serve(request);
  const phone_number = request.operation === getLookup.id ? dataOf(answer)?.phone_number : undefined;
  if (phone_number !== undefined) {
    const call = { ...request, operation: createLookup.id, method: createLookup.method, path: createLookup.path };
    await serve(withRequestHeader(withRequestBody(call, { phone_number }), "content-type", "application/json"));
  }
  return answer;
};

/** The answer to a send that was taken. */
const taken = (answer: WireAnswer): WireAnswer => ({
  ...withBody(answer, { success: true, data: { id: randomUUID() } }),
  status: 202,
});

/** Takes sends that are meant though their limit is exhausted. */
const sendingBeyond =
  (isMeant: (request: WireRequest) => boolean): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    return request.operation === sendMessage.id && isRefusal(answer, "RateLimited") && isMeant(request)
      ? taken(answer)
      : answer;
  };

/** Refuses an instant that is written to the nanosecond. */
const refusingNanoseconds =
  (name: string): Wire =>
  (serve) =>
  async (request) =>
    request.operation === "listDeliveryAttempts" && /\.\d{7}/.test(queryOf(request).get(name) ?? "")
      ? refused(refuse.ValidationFailed("The request is not valid.", { [name]: "has too many digits" }))
      : serve(request);

/** Servers that are right about what comes to be, or is asked for, in the usual way, and about nothing else. */
export const otherWayMutants: readonly Mutant[] = [
  mutantOf("AUTH-05", "rotated", "takes a key that was rotated and revoked", [
    rotating((rotations, find) => async (hash) => {
      const found = await find(hash);
      const isRotated = found !== null && rotations.some(({ next }) => next === hash);
      return isRotated ? { ...found, key: { ...found.key, revokedAt: null } } : found;
    }),
  ]),
  wireMutant(
    "KEYR-02",
    "once",
    "does not find a key that was rotated when it is to be rotated again",
    onKeysBy(
      byRotation,
      (serve) => async (request) =>
        request.operation === rotateApiKey.id ? refused(refuse.NotFound("There is no such key.")) : serve(request),
    ),
  ),
  wireMutant(
    "KEYG-05",
    "rotated",
    "shows a rotation as a use",
    onKeysBy(byRotation, (serve) => async (request) => {
      const answer = await serve(request);
      const data = request.operation === getApiKey.id ? dataOf(answer) : null;
      return data === null ? answer : withData(answer, { ...data, last_used_at: data.last_used_at ?? data.created_at });
    }),
  ),
  wireMutant(
    "TEN-01",
    "rotated",
    "reads a key that was rotated for any organization",
    seeing((seen) =>
      onKeysBy(
        byRotation,
        (serve) => (request) => serve(request.operation === getApiKey.id ? asOwner(seen, request) : request),
      ),
    ),
  ),
  wireMutant(
    "KEYG-01",
    "user",
    "finds a key that a user created for users alone",
    onKeysBy(
      (request) => request.operation === createApiKey.id && isUser(request),
      (serve) => async (request) =>
        request.operation === getApiKey.id && !isUser(request)
          ? refused(refuse.NotFound("There is no such key."))
          : serve(request),
    ),
  ),
  wireMutant("MSG-39", "bypass", "cancels nothing that bypasses quiet hours", cancellingWithoutBypass),
  wireMutant("ENV-45", "lookup", "looks a number up once more where its lookup is read", lookingUpAgain),
  wireMutant("WHL-34", "nanoseconds", "refuses a beginning to the nanosecond", refusingNanoseconds("since")),
  wireMutant("WHL-35", "nanoseconds", "refuses an end to the nanosecond", refusingNanoseconds("until")),
  wireMutant(
    "NUM-17",
    "false",
    "takes whatever is said of a return to the carrier for yes",
    (serve) => (request) =>
      serve(
        request.operation === "releasePhoneNumber" && queryOf(request).has("return_to_carrier")
          ? withQuery(request, { return_to_carrier: "true" })
          : request,
      ),
  ),
  mutantOf("NUM-51", "second", "keeps the first campaign of a number where a second is attached", [
    keepingNumbers((numbers) => ({
      async update(number) {
        const { campaignId = null } = (await numbers.find(number.id)) ?? {};
        const isSecond = campaignId !== null && number.campaignId !== null;
        await numbers.update(isSecond ? { ...number, campaignId } : number);
      },
    })),
  ]),
  wireMutant(
    "LIM-06",
    "keyed",
    "sends beyond the limit what has an idempotency key",
    sendingBeyond(({ headers }) => headers[sendMessage.idempotencyHeader.toLowerCase()] !== undefined),
  ),
  wireMutant(
    "LIM-06",
    "at-once",
    "sends beyond the limit what is for no later time",
    sendingBeyond((request) => Object(bodyOf(request)).scheduled_at === undefined),
  ),
  wireMutant("MET-02", "century", "counts the seconds of a window in 32 bits", (serve) => (request) => {
    const query = queryOf(request);
    const { from, to } = { from: Date.parse(query.get("from") ?? ""), to: Date.parse(query.get("to") ?? "") };
    const isLong = request.operation === "getLookupMetrics" && (to - from) / 1000 > 2 ** 31;
    return serve(isLong ? withQuery(request, { from: new Date(to - 60_000).toISOString() }) : request);
  }),
  wireMutant(
    "MSG-13",
    "canada",
    "blocks no fixed lines of Toronto",
    onAnswer("sendMessage", (answer, request) =>
      isRefusal(answer, "LineTypeBlocked") && String(Object(bodyOf(request)).to).startsWith("+1416")
        ? taken(answer)
        : answer,
    ),
  ),
  wireMutant("MSG-39", "far", "claims at once what is for more days ahead than a timer counts", (serve) => {
    const claimed = new Set<unknown>();
    return async (request) => {
      if (request.operation === "cancelMessage" && claimed.has(request.parameters.id))
        return serve(withId(request, randomUUID()));
      const answer = await serve(request);
      const { created_at, scheduled_at, id } = dataOf(answer) ?? {};
      const wait = Date.parse(String(scheduled_at)) - Date.parse(String(created_at));
      if (request.operation === sendMessage.id && wait > 2 ** 31) claimed.add(id);
      return answer;
    };
  }),
  wireMutant("CON-41", "everywhere", "takes STOP to one organization for a reply to all", (serve) => {
    const stopped = new Set<unknown>();
    return async (request) => {
      const { from, text, to } = Object(bodyOf(request));
      const answer = await serve(request);
      if (text === "STOP" && answer.status < 300) stopped.add(from);
      return request.operation === sendMessage.id && stopped.has(to) && answer.status < 300
        ? refused(refuse.ConsentRequired("The recipient has not opted in."))
        : answer;
    };
  }),
];
