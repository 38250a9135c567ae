import { setTimeout } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { scopeNamed } from "../../../generated/scopes.ts";
import { asOwner } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { nothingThere } from "../operation-changes.ts";
import { drawsFrom, storing } from "../port-changes.ts";
import { idIn, type Seen, seeing } from "../seen.ts";
import { dataOf, isRefusal, onData, refusedWith, type Wire, type WireRequest, withData } from "../wire.ts";
import { bodyOf, tokenOf, withKey, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const keysFile = "routes/api-keys.ts";

/** Does as the widest key of the organization would, for callers that are meant and refused for want of a scope. */
const widening = (
  isMeant: (request: WireRequest) => boolean,
  note: (request: WireRequest, data: Readonly<Record<string, unknown>>) => void,
): Wire =>
  seeing((seen) => (serve) => async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (data !== null) note(request, data);
    const caller = isRefusal(answer, "Forbidden") && isMeant(request) ? seen.callerOf(request) : undefined;
    const key = caller && seen.widestKeyOf(caller.organization);
    return key === undefined ? answer : serve(withKey(request, key));
  });

/** Has keys with a rotated secret do what is meant, whatever they hold. */
const rotatedHands = (to: (request: WireRequest) => boolean): Wire => {
  return (serve) => {
    const rotated = new Set<string>();
    return widening(
      (request) => to(request) && rotated.has(tokenOf(request)),
      (request, data) => {
        if (request.operation === "rotateApiKey") rotated.add(String(data.plaintext));
      },
    )(serve);
  };
};

/** Ids of keys by their secrets. */
const idsBySecret = (): {
  note: (data: Readonly<Record<string, unknown>> | null) => void;
  ids: Map<string, string>;
} => {
  const ids = new Map<string, string>();
  return {
    ids,
    note(data) {
      for (const one of [data, Object(data).key]) {
        const { id, plaintext } = Object(one);
        if (typeof plaintext === "string") ids.set(plaintext, String(id));
      }
    },
  };
};

/** Shows a key that reads itself its secret. */
const itself: Wire = (serve) => {
  const { ids, note } = idsBySecret();
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    note(data);
    return request.operation === "getApiKey" && data !== null && ids.get(tokenOf(request)) === data.id
      ? withData(answer, { ...data, plaintext: tokenOf(request) })
      : answer;
  };
};

/** Shows users the secrets that it has shown before. */
const toUsers: Wire = (serve) => {
  const secrets = new Map<string, string>();
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (data !== null && typeof data.plaintext === "string") secrets.set(String(data.id), data.plaintext);
    const secret = secrets.get(idIn(request));
    return request.operation === "getApiKey" &&
      data !== null &&
      secret &&
      !tokenOf(request).startsWith(constants.liveKeyPrefix)
      ? withData(answer, { ...data, plaintext: secret })
      : answer;
  };
};

/** Has a read of an unknown id take a unit of what creations have. */
const drawnByUnknown: Wire = seeing((seen) => (serve) => async (request) => {
  const answer = await serve(request);
  const caller =
    request.operation === "getApiKey" && isRefusal(answer, "NotFound") ? seen.callerOf(request) : undefined;
  const key = caller && seen.widestKeyOf(caller.organization);
  if (key === undefined) return answer;
  const { id: operation, method, path } = operations.createApiKey;
  const creation = withRequestHeader(
    { ...request, operation, method, path, parameters: {} },
    "content-type",
    "application/json",
  );
  await serve(withKey(withRequestBody(creation, { label: "x", scopes: [scopeNamed.apikeysRead] }), key));
  return answer;
});

/** Does for any organization what one of them asks of the keys that are meant. */
const forAnyoneWhere = (
  operation: "getApiKey" | "rotateApiKey",
  isMeant: (id: string) => boolean,
  note: (request: WireRequest, seen: Seen) => void,
): Wire =>
  seeing((seen) => (serve) => (request) => {
    note(request, seen);
    return serve(request.operation === operation && isMeant(idIn(request)) ? asOwner(seen, request) : request);
  });

/** Rotates keys for any organization until somebody uses them. */
const unusedForAll: Wire = (serve) => {
  const { ids, note } = idsBySecret();
  const used = new Set<string | undefined>();
  const inner: Wire = (next) => async (request) => {
    const answer = await next(request);
    note(dataOf(answer));
    return answer;
  };
  return forAnyoneWhere(
    "rotateApiKey",
    (id) => !used.has(id),
    (request) => used.add(ids.get(tokenOf(request))),
  )(inner(serve));
};

/** Milliseconds in which another call comes in between. */
const gap = 30;

/** Keeps both secrets of two rotations that come at once. */
const bothAtOnce: Wire = (serve) => {
  const busy = new Map<string, number>();
  const twins = new Map<string, Set<string>>();
  const twinsOf = new Map<string, Set<string>>();
  return async (request) => {
    if (request.operation === "rotateApiKey") {
      const id = idIn(request);
      busy.set(id, (busy.get(id) ?? 0) + 1);
      if (busy.get(id) === 1) twins.set(id, new Set());
      const group = twins.get(id) ?? new Set();
      await setTimeout(gap);
      const answer = await serve(request);
      const secret = dataOf(answer)?.plaintext;
      if (typeof secret === "string") {
        group.add(secret);
        twinsOf.set(secret, group);
      }
      busy.set(id, (busy.get(id) ?? 1) - 1);
      return answer;
    }
    const answer = await serve(request);
    if (!isRefusal(answer, "Unauthorized")) return answer;
    for (const twin of twinsOf.get(tokenOf(request)) ?? []) {
      const told = await serve(withKey(request, twin));
      if (!isRefusal(told, "Unauthorized")) return told;
    }
    return answer;
  };
};

/** Takes a key that a user made for that user. */
const asMaker =
  (operation: "updateNotifications" | "createLegalAcceptance"): Wire =>
  (serve) => {
    const makers = new Map<string, string>();
    return async (request) => {
      const answer = await serve(request);
      const token = tokenOf(request);
      if (request.operation === "createApiKey" && !token.startsWith(constants.liveKeyPrefix))
        makers.set(String(dataOf(answer)?.plaintext), token);
      const maker = makers.get(token);
      return request.operation === operation && isRefusal(answer, "UserRequired") && maker
        ? serve(withKey(request, maker))
        : answer;
    };
  };

/** Finds what a user made for users alone. */
const ofUsersAlone =
  (operation: "cancelMessage" | "getMessage" | "getLookup"): Wire =>
  (serve) => {
    const made = new Set<string>();
    const isUser = (request: WireRequest): boolean => !tokenOf(request).startsWith(constants.liveKeyPrefix);
    return async (request) => {
      const answer = await serve(request);
      if (["sendMessage", "createLookup"].includes(String(request.operation)) && isUser(request))
        made.add(String(dataOf(answer)?.id));
      return request.operation === operation && answer.status < 300 && made.has(idIn(request)) && !isUser(request)
        ? refusedWith(answer, nothingThere)
        : answer;
    };
  };

/** Servers with faults of keys that show of another key, another caller or another time than the nearest. */
export const nearKeyMutants: readonly Mutant[] = [
  mutant(
    "KEYG-04",
    "six-scopes",
    "keeps no more than six scopes of a key",
    keysFile,
    "await tx.keys.insert(key);",
    "await tx.keys.insert({ ...key, scopes: key.scopes.slice(0, 6) });",
  ),
  wireMutant(
    "AUTH-12",
    "rotated-key",
    "has a rotated key do whatever any may",
    rotatedHands(({ operation }) => operation !== "createApiKey"),
  ),
  mutantOf("KEYC-36", "idle", "admits twice as many after an idle time", [
    storing((store) => {
      const last = new Map<string, number>();
      const extra = new Map<string, number>();
      return {
        async draw(organizationId, joint) {
          if (!drawsFrom(joint, "apiKeyWrites")) return store.draw(organizationId, joint);
          const before = last.get(organizationId);
          if (before !== undefined && joint.now - before > 120_000) extra.set(organizationId, 10);
          last.set(organizationId, joint.now);
          const left = extra.get(organizationId) ?? 0;
          extra.set(organizationId, left - 1);
          return left > 0 ? { admitted: true } : store.draw(organizationId, joint);
        },
      };
    }),
  ]),
  mutant(
    "KEYR-06",
    "callers",
    "gives a rotated key the scopes of who rotates it",
    keysFile,
    "rotatedKey(key, secret, nextId)",
    '{ ...rotatedKey(key, secret, nextId), scopes: caller.kind === "key" ? [...caller.scopes] : key.scopes }',
  ),
  mutant(
    "KEYC-32",
    "others",
    "has rotations of other keys than one's own draw nothing",
    "http/rate-limit.ts",
    "draws.length === 0",
    'draws.length === 0 || (routeOf(exchange).operation.id === "rotateApiKey" && !String(exchange.request.url).includes(callerOf(exchange).id))',
  ),
  wireMutant("KEYC-35", "unknown", "has reads of unknown keys draw on the bucket of creations", drawnByUnknown),
  wireMutant("KEYG-02", "itself", "shows a key its own secret", itself),
  wireMutant("KEYG-02", "user", "shows users the secrets of keys", toUsers),
  wireMutant("TEN-21", "unused", "rotates for anyone a key that was never used", unusedForAll),
  mutant(
    "TEN-20",
    "used",
    "notes a use of a key that another organization asks for",
    keysFile,
    "return key === null ? keyNotFound() : wireKey(key, precision);",
    "if (key === null) await store.noteKeyUse(path.id, callerTime(caller, world.now()), callerTime(caller, world.now()));\nreturn key === null ? keyNotFound() : wireKey(key, precision);",
  ),
  mutant(
    "KEYG-05",
    "rotation",
    "takes its rotation for a use of a key",
    keysFile,
    'const nextId = choices.rotatedId === "same" ? path.id : world.newId();',
    'await store.noteKeyUse(path.id, callerTime(caller, world.now()), callerTime(caller, world.now()));\nconst nextId = choices.rotatedId === "same" ? path.id : world.newId();',
  ),
  wireMutant("KEYR-04", "at-once", "keeps both secrets of two rotations at once", bothAtOnce),
  wireMutant(
    "AUTH-17",
    "maker",
    "takes a key that a user made for that user who changes settings",
    asMaker("updateNotifications"),
  ),
  wireMutant(
    "AUTH-18",
    "maker",
    "takes a key that a user made for that user who accepts",
    asMaker("createLegalAcceptance"),
  ),
  mutant(
    "AUTH-21",
    "user",
    "overlooks the header of users",
    "http/authorize.ts",
    "return actIn(String(target), exchange);",
    'const asking = callerOf(exchange);\nif (asking.kind === "session" && !asking.staff) return null;\nreturn actIn(String(target), exchange);',
  ),
  wireMutant(
    "ENV-27",
    "captured",
    "shows the time of a consent as it was sent",
    onData("captureConsent", (data, request) => ({
      ...data,
      captured_at: Object(bodyOf(request)).captured_at ?? data.captured_at,
    })),
  ),
  wireMutant("TEN-31", "user-cancels", "has users alone cancel what a user sent", ofUsersAlone("cancelMessage")),
  wireMutant("TEN-31", "user-reads", "shows a lookup of a user to users alone", ofUsersAlone("getLookup")),
];
