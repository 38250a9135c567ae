import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { rotating } from "../rotations.ts";
import { seeing } from "../seen.ts";
import { dataOf, isRefusal, onRequest, withData, withHeaders, withMessage } from "../wire.ts";
import { bodyOf, withKey, withRequestBody } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { createApiKey, getApiKey, rotateApiKey } = operations;
const tokenOf = (header: string | undefined): string => header?.replace(/^bearer +/i, "") ?? "";

/** Servers that keep keys and check credentials with faults that a careless change may bring. */
export const plausibleKeyMutants: readonly Mutant[] = [
  wireMutant(
    "KEYC-15",
    "blank",
    "overlooks scopes that are empty texts",
    onRequest(createApiKey.id, (request) => {
      const body = Object(bodyOf(request));
      return Array.isArray(body.scopes) && body.scopes.length > 1
        ? withRequestBody(request, { ...body, scopes: body.scopes.filter((scope: unknown) => scope !== "") })
        : request;
    }),
  ),
  wireMutant(
    "KEYC-18",
    "users",
    "overlooks that a user asks for a scope twice",
    onRequest(createApiKey.id, (request) => {
      const body = Object(bodyOf(request));
      const isUser = !tokenOf(request.headers.authorization).startsWith(constants.liveKeyPrefix);
      return isUser && Array.isArray(body.scopes)
        ? withRequestBody(request, { ...body, scopes: [...new Set(body.scopes)] })
        : request;
    }),
  ),
  wireMutant(
    "KEYC-26",
    "rotated",
    "lets a rotated key grant what another key of its organization holds",
    seeing((seen) => (serve) => {
      const rotated = new Set<unknown>();
      return async (request) => {
        const { organization = "" } = seen.callerOf(request) ?? {};
        const widest = seen.widestKeyOf(organization);
        const isLent = request.operation === createApiKey.id && rotated.has(tokenOf(request.headers.authorization));
        const answer = await serve(isLent && widest !== undefined ? withKey(request, widest) : request);
        if (request.operation === rotateApiKey.id) rotated.add(dataOf(answer)?.plaintext);
        return answer;
      };
    }),
  ),
  wireMutant(
    "KEYC-38",
    "astral",
    "drops characters that take four bytes from labels",
    onRequest(createApiKey.id, (request) => {
      const body = Object(bodyOf(request));
      return typeof body.label === "string"
        ? withRequestBody(request, { ...body, label: body.label.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, "") })
        : request;
    }),
  ),
  wireMutant("KEYG-06", "writes", "notes no use but reads", (serve) => {
    const ids = new Map<string, unknown>();
    const readers = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      if (request.method === "GET") readers.add(ids.get(tokenOf(request.headers.authorization)));
      const data = dataOf(answer);
      if (data !== null && typeof data.plaintext === "string") ids.set(data.plaintext, data.id);
      return request.operation === getApiKey.id && data !== null && !readers.has(data.id)
        ? withData(answer, { ...data, last_used_at: null })
        : answer;
    };
  }),
  mutantOf("KEYR-04", "first", "accepts the first secret again when a key is rotated a second time", [
    rotating((rotations, find) => async (hash) => {
      const once = rotations.find(({ before }) => before === hash);
      const twice = rotations.find(({ before }) => before === once?.next);
      const renewed = twice === undefined ? null : await find(twice.next);
      return renewed === null ? find(hash) : { ...renewed, key: { ...renewed.key, secretHash: hash } };
    }),
  ]),
  wireMutant("AUTH-07", "long", "words the refusal of a long credential in another way", (serve) => async (request) => {
    const answer = await serve(request);
    const isLong = (request.headers.authorization ?? "").length > 200;
    return isLong && isRefusal(answer, "Unauthorized") ? withMessage(answer, "It is too long.") : answer;
  }),
  wireMutant("AUTH-02", "basic-password", "takes a key as the password of the Basic scheme", (serve) => (request) => {
    const [, encoded] = /^basic +(.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (encoded === undefined) return serve(request);
    const key = Buffer.from(encoded, "base64")
      .toString("latin1")
      .split(":")
      .findLast((part) => part !== "");
    return serve(key !== undefined && /^\w+$/.test(key) ? withKey(request, key) : request);
  }),
  wireMutant("LIM-12", "later", "says when to come back in the first refusal of a caller alone", (serve) => {
    const told = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (!isRefusal(answer, "RateLimited")) return answer;
      const token = tokenOf(request.headers.authorization);
      if (told.has(token)) return withHeaders(answer, { "retry-after": undefined });
      told.add(token);
      return answer;
    };
  }),
];
