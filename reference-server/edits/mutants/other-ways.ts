import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { asOwner } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { rotating } from "../rotations.ts";
import { seeing } from "../seen.ts";
import { dataOf, refused, type Serve, type Wire, type WireRequest, withData } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { createApiKey, getApiKey, rotateApiKey } = operations;

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

/** Servers that are right about keys that were created by a key, and about no others. */
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
];
