import { randomUUID } from "node:crypto";
import { basePaths, constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { seeing } from "../seen.ts";
import {
  dataOf,
  onAnswer,
  onData,
  parsed,
  refusedWith,
  type Serve,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
  withHeaders,
  withMessage,
} from "../wire.ts";
import { bodyOf, withKey, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf } from "./mutant.ts";

const create = operations.createApiKey.id;
const read = operations.getApiKey.id;
const rotate = operations.rotateApiKey.id;
const replay = operations.replayDelivery.id;
const feed = operations.listDeliveryAttempts.id;
const rotateEndpoint = operations.rotateEndpointSecret.id;
const requestId = constants.requestIdHeader.toLowerCase();
const staffHeader = constants.targetOrganizationHeader.toLowerCase();
const month = 2_592_000_000;

/** Changes the answers with a status. */
const onStatus =
  (status: number, change: (answer: WireAnswer, request: WireRequest) => WireAnswer): Wire =>
  (serve: Serve) =>
  async (request) => {
    const answer = await serve(request);
    return answer.status === status && request.path.startsWith(basePaths.api) ? change(answer, request) : answer;
  };

/** Changes the members of an error. */
const withError = (answer: WireAnswer, change: (error: Readonly<Record<string, unknown>>) => object): WireAnswer => {
  const { error, ...others } = Object(parsed(answer.bytes));
  return withBody(answer, { ...others, error: change(Object(error)) });
};

const tokenOf = ({ headers }: WireRequest): string => headers.authorization?.replace(/^Bearer /, "") ?? "";

/** Reads a token in another way before it looks whose it is. */
const readingTokens = (change: (token: string) => string): Wire => {
  return (serve) => (request) => {
    const token = tokenOf(request);
    return serve(token === "" ? request : withKey(request, change(token)));
  };
};

/** Servers with a fault in a corner: in one kind of answer, of caller or of value alone. */
export const cornerCaseMutants: readonly Mutant[] = [
  mutantOf("ENV-27", "no-zone", "tells the time of last use without a zone", [
    {
      wire: onData(read, (data) => ({
        ...data,
        last_used_at: typeof data.last_used_at === "string" ? data.last_used_at.replace("Z", "") : null,
      })),
    },
  ]),
  mutantOf("ENV-16", "several", "explains several bad fields in lists", [
    {
      wire: onStatus(422, (answer) =>
        withError(answer, ({ details, ...error }) => {
          const fields = Object.entries(Object(details));
          const told = fields.length > 1 ? fields.map(([name, why]) => [name, [why]]) : fields;
          return { ...error, details: Object.fromEntries(told) };
        }),
      ),
    },
  ]),
  mutantOf("ENV-18", "cursor", "names no field where a cursor is bad", [
    {
      wire: onStatus(422, (answer, { path }) =>
        path.includes("cursor=") ? withError(answer, (error) => ({ ...error, details: {} })) : answer,
      ),
    },
  ]),
  mutantOf("ENV-17", "endpoint", "details which endpoint is not there", [
    {
      wire: onAnswer(rotateEndpoint, (answer, { parameters }) =>
        answer.status === 404
          ? withError(answer, (error) => ({ ...error, details: { id: `${parameters.id} is unknown` } }))
          : answer,
      ),
    },
  ]),
  mutantOf("ENV-03", "throttled", "calls the refusal of an empty bucket plain text", [
    { wire: onStatus(429, (answer) => withHeaders(answer, { "content-type": "text/plain" })) },
  ]),
  mutantOf("ENV-13", "throttled", "sends no request id when a bucket is empty", [
    { wire: onStatus(429, (answer) => withHeaders(answer, { [requestId]: undefined })) },
  ]),
  mutantOf("ENV-11", "forbidden", "shortens the request id in the body where a scope is missing", [
    {
      wire: onStatus(403, (answer) =>
        withError(answer, (error) => ({ ...error, request_id: String(error.request_id).slice(0, 8) })),
      ),
    },
  ]),
  mutantOf("ENV-14", "round", "gives out a hundred request ids and begins again", [
    {
      wire: (serve) => {
        let count = 0;
        return async (request) => {
          const answer = await serve(request);
          const id = `req_${(count++ % 100) + 1}`;
          const named = withHeaders(answer, { [requestId]: id });
          return answer.status < 400 ? named : withError(named, (error) => ({ ...error, request_id: id }));
        };
      },
    },
  ]),
  mutantOf("ENV-28", "unscoped", "answers a missing scope with 401 at one operation", [
    { wire: onAnswer(rotateEndpoint, (answer) => (answer.status === 403 ? { ...answer, status: 401 } : answer)) },
  ]),
  mutantOf("AUTH-12", "writer", "shows the feed to whoever may write webhooks", [
    {
      wire: seeing((seen) => (serve) => (request) => {
        const caller = seen.callerOf(request);
        const key = caller === undefined ? undefined : seen.widestKeyOf(caller.organization);
        const lends = request.operation === feed && caller?.scopes.includes(operations.replayDelivery.scope);
        return serve(lends && key !== undefined ? withKey(request, key) : request);
      }),
    },
  ]),
  mutantOf("AUTH-13", "unheld", "details which requested scope is not held", [
    {
      wire: onAnswer(create, (answer) =>
        answer.status === 403
          ? withError(answer, (error) => ({ ...error, details: { scopes: "not all are yours" } }))
          : answer,
      ),
    },
  ]),
  mutantOf("AUTH-22", "malformed", "words the refusal of a staff header that is no UUID in another way", [
    {
      wire: onStatus(403, (answer, { headers }) => {
        const named = headers[staffHeader];
        return typeof named === "string" && !/^[0-9a-f-]{36}$/i.test(named)
          ? withMessage(answer, "That is no organization.")
          : answer;
      }),
    },
  ]),
  mutantOf("AUTH-21", "own-upper", "lets a key name its own organization in upper case", [
    {
      wire: seeing((seen) => (serve) => (request) => {
        const own = seen.callerOf(request)?.organization.toUpperCase();
        const isOwn = own !== undefined && request.headers[staffHeader] === own;
        return serve(isOwn ? withRequestHeader(request, staffHeader, undefined) : request);
      }),
    },
  ]),
  mutantOf("KEYC-15", "star", "grants the scope *", [
    {
      wire: (serve) => async (request) => {
        const body = Object(request.operation === create ? bodyOf(request) : undefined);
        if (!Array.isArray(body.scopes) || !body.scopes.includes("*")) return serve(request);
        const answer = await serve(withRequestBody(request, { ...body, scopes: [operations.getApiKey.scope] }));
        const data = dataOf(answer);
        return data === null ? answer : withData(answer, { ...data, scopes: ["*"] });
      },
    },
  ]),
  mutantOf("KEYC-12", "same-body", "answers the same creation by the same caller with the same key", [
    {
      wire: (serve) => {
        const made = new Map<string, WireAnswer>();
        return async (request) => {
          if (request.operation !== create) return serve(request);
          const asked = `${request.headers.authorization} ${request.bytes}`;
          const before = made.get(asked);
          const answer = await serve(request);
          if (answer.status >= 300) return answer;
          made.set(asked, before ?? answer);
          return before === undefined ? answer : withData(answer, dataOf(before));
        };
      },
    },
  ]),
  mutantOf("LIM-12", "replays", "sends no Retry-After where replays are throttled", [
    {
      wire: onAnswer(replay, (answer) =>
        answer.status === 429 ? withHeaders(answer, { "retry-after": undefined }) : answer,
      ),
    },
  ]),
  mutantOf("KEYG-06", "revoked", "shows no last use of a revoked key", [
    { wire: onData(read, (data) => (data.revoked_at === null ? data : { ...data, last_used_at: null })) },
  ]),
  mutantOf("KEYG-15", "rotated", "shows a rotated key as revoked", [
    {
      wire: (serve) => {
        const rotated = new Set<unknown>();
        return async (request) => {
          const answer = await serve(request);
          const data = dataOf(answer);
          if (request.operation === rotate) rotated.add(data?.id);
          const isRotated = request.operation === read && data !== null && rotated.has(data.id);
          return isRotated ? withData(answer, { ...data, revoked_at: data.created_at }) : answer;
        };
      },
    },
  ]),
  mutantOf("TEN-18", "by-child", "names another organization in a key that a narrow key created", [
    {
      wire: seeing((seen) => (serve) => async (request) => {
        const answer = await serve(request);
        const data = request.operation === create ? dataOf(answer) : null;
        const isNarrow = (seen.callerOf(request)?.scopes.length ?? 9) < 3;
        return data !== null && isNarrow ? withData(answer, { ...data, org_id: randomUUID() }) : answer;
      }),
    },
  ]),
  mutantOf("TEN-05", "revoked", "forbids to read another organization's revoked key, as if it were there", [
    {
      wire: (serve) => {
        const revoked = new Set<string>();
        return async (request) => {
          const answer = await serve(request);
          if (request.operation === "revokeOrganizationKey") revoked.add(request.parameters.key_id ?? "");
          const isRevoked = request.operation === read && revoked.has(request.parameters.id ?? "");
          return isRevoked && answer.status === 404 ? refusedWith(answer, refuse.Forbidden("Not yours.")) : answer;
        };
      },
    },
  ]),
  mutantOf("AUTH-05", "once-more", "lets a revoked key in once more", [
    storing((store) => {
      const tried = new Set<string>();
      return {
        async keyByHash(hash) {
          const found = await store.keyByHash(hash);
          if (found === null || found.key.revokedAt === null || tried.has(hash)) return found;
          tried.add(hash);
          return { ...found, key: { ...found.key, revokedAt: null } };
        },
      };
    }),
  ]),
  mutantOf("AUTH-03", "semicolon", "overlooks a semicolon behind a key", [
    { wire: readingTokens((token) => token.replace(/;$/, "")) },
  ]),
  mutantOf("AUTH-04", "escapes", "decodes the escapes in a key", [
    {
      wire: readingTokens((token) =>
        token.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
    },
  ]),
  mutantOf("KEYC-11", "month", "ends a key a month after it was created", [
    {
      ports: ({ store, world, ...others }) => {
        const changed = storing((inner) => ({
          async keyByHash(hash) {
            const found = await inner.keyByHash(hash);
            const now = found === null ? 0 : timeOf(found.organization.clock, world.now());
            return found !== null && now - found.key.createdAt > month ? null : found;
          },
        }));
        return changed.ports({ store, world, ...others });
      },
    },
  ]),
  mutant(
    "TEN-17",
    "sessions",
    "keeps a bucket for sessions beside that of keys",
    "http/rate-limit.ts",
    "bucket: each.bucket,",
    'bucket: caller.kind === "key" ? each.bucket : `${each.bucket}:sessions`,',
  ),
];
