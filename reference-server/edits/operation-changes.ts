import { errorRows, refuse } from "../../generated/error-rows.ts";
import type { ApiOperation } from "./api-operations.ts";
import { type Seen, seeing } from "./seen.ts";
import {
  isRefusal,
  onAnswer,
  type onData,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody as withEnvelope,
} from "./wire.ts";
import { withKey, withRequestHeader } from "./wire-requests.ts";

export const nothingThere = refuse.NotFound("There is nothing at this path.");

/** Answers whoever lacks the scope as it would the widest key, where that answer is of a certain kind. */
export const beforeScope = (id: ApiOperation["id"], isTold: (answer: WireAnswer) => boolean): Wire =>
  seeing((seen) => (serve) => async (request) => {
    const answer = await serve(request);
    const caller = request.operation === id && isRefusal(answer, "Forbidden") ? seen.callerOf(request) : undefined;
    const key = caller && seen.widestKeyOf(caller.organization);
    if (key === undefined) return answer;
    const told = await serve(withKey(request, key));
    return isTold(told) ? told : answer;
  });

/** Serves every id as it served the last one that it knew. */
export const servingAnyId = (id: ApiOperation["id"]): Wire => {
  let last: WireAnswer | null = null;
  return onAnswer(id, (answer) => {
    if (answer.status < 300) last = answer;
    return isRefusal(answer, "NotFound") ? (last ?? answer) : answer;
  });
};

/** Answers what is wrong in a body as it answered the last one that was sound. */
export const overlookingFaults = (id: ApiOperation["id"]): Wire => {
  let last: WireAnswer | null = null;
  return onAnswer(id, (answer, { bytes }) => {
    if (answer.status < 300) last = answer;
    return parsed(bytes) !== undefined && answer.status === errorRows.ValidationFailed.referenceStatus
      ? (last ?? answer)
      : answer;
  });
};

/** Tells of a member of the body that another one is wrong. */
export const blamingAnother = (id: ApiOperation["id"]): Wire =>
  onAnswer(id, (answer, { bytes }) => {
    if (!isRefusal(answer, "ValidationFailed")) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    const named = Object.keys(error.details).join(" ");
    const another = Object.keys(Object(parsed(bytes))).find((name) => !named.includes(name));
    return another === undefined
      ? answer
      : withEnvelope(answer, { ...others, error: { ...error, details: { [another]: "is wrong" } } });
  });

/** Changes what the pages of a list tell of themselves. */
export const onMeta = (
  id: ApiOperation["id"],
  change: (meta: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Wire =>
  onAnswer(id, (answer) => {
    const { meta, ...others } = Object(parsed(answer.bytes));
    return typeof meta === "object" && meta !== null ? withEnvelope(answer, { ...others, meta: change(meta) }) : answer;
  });

/** Serves of each organization the key alone that called the operation first. */
export const toOneKey = (id: ApiOperation["id"]): Wire =>
  seeing((seen) => {
    const first = new Map<string | undefined, string | undefined>();
    return onAnswer(id, (answer, request) => {
      const organization = seen.callerOf(request)?.organization;
      if (answer.status >= 300) return answer;
      const own = first.get(organization) ?? request.headers.authorization;
      first.set(organization, own);
      return own === request.headers.authorization ? answer : refusedWith(answer, nothingThere);
    });
  });

/** Answers refusals as it should, and does as it was asked all the same: `ask` is what it does, null where it does nothing. */
export const doingAllTheSame = (
  id: ApiOperation["id"],
  isMeant: (answer: WireAnswer) => boolean,
  ask: (request: WireRequest, seen: Seen, last: Buffer | null) => WireRequest | null,
): Wire =>
  seeing((seen) => (serve) => {
    let last: Buffer | null = null;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== id) return answer;
      if (answer.status < 300) last = request.bytes;
      const secret = isMeant(answer) ? ask(request, seen, last) : null;
      if (secret !== null) await serve(secret);
      return answer;
    };
  });

/** The same request by the widest key of its organization. */
export const byWidestKey = (request: WireRequest, seen: Seen): WireRequest | null => {
  const caller = seen.callerOf(request);
  const key = caller && seen.widestKeyOf(caller.organization);
  return key === undefined ? null : withKey(request, key);
};

/** Refuses keys as it should, and does as they asked for the user whom it served last. */
export const doingForLastUser = (id: ApiOperation["id"]): Wire => {
  let session: string | undefined;
  return (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation !== id) return answer;
    if (answer.status < 300) session = request.headers.authorization;
    if (isRefusal(answer, "UserRequired") && session !== undefined)
      await serve(withRequestHeader(request, "authorization", session));
    return answer;
  };
};

/** With text in place of an object that is last, and an object in place of whatever else is. */
export const ofAnotherKind: Parameters<typeof onData>[1] = (data) => {
  const [name, value] = Object.entries(data).at(-1) ?? ["", null];
  const isMembers = typeof value === "object" && value !== null && !Array.isArray(value);
  return { ...data, [name]: isMembers ? "bylaw" : { bylaw: 1 } };
};
