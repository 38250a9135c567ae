import { setTimeout } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { dataOf, isRefusal, parsed, refusedWith, type Wire, type WireAnswer, withBody, withData } from "../wire.ts";
import { withKey } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const { getApiKey, listDeliveryAttempts, listMessages, rotateApiKey } = operations;
const rateLimit = "http/rate-limit.ts";

const tokenOf = (header: string | undefined): string => header?.replace(/^bearer +/i, "") ?? "";

/** The page with which a front refuses what is too large for it. */
const tooLargePage: WireAnswer = {
  status: 413,
  headers: { "content-type": "text/html" },
  bytes: Buffer.from("<html><body><h1>413 Request Entity Too Large</h1></body></html>"),
};

/** Refuses a key's calls once it was refused so often in this way. */
const lockedAfter = (times: number, isMiss: (answer: WireAnswer) => boolean): Wire => {
  return (serve) => {
    const misses = new Map<string, number>();
    return async (request) => {
      const token = tokenOf(request.headers.authorization);
      const answer = await serve(request);
      const count = (misses.get(token) ?? 0) + (isMiss(answer) ? 1 : 0);
      misses.set(token, count);
      return token !== "" && count > times && answer.status < 300
        ? refusedWith(answer, refuse.Forbidden("Too many refusals."))
        : answer;
    };
  };
};

/** Takes reads of a list that are under way at once for those of the caller who came last. */
const mixingUp =
  (list: string): Wire =>
  (serve) => {
    const underWay: string[] = [];
    return async (request) => {
      const { authorization } = request.headers;
      if (request.operation !== list || authorization === undefined) return serve(request);
      underWay.push(authorization);
      await setTimeout(100);
      const latest = underWay.at(-1) ?? authorization;
      const answer = await serve(withKey(request, tokenOf(latest)));
      underWay.splice(underWay.indexOf(authorization), 1);
      return answer;
    };
  };

/** Changes what is explained in refusals. */
const explaining = (breaks: RuleId, name: string, does: string, explain: (why: unknown) => unknown): Mutant =>
  wireMutant(breaks, name, does, (serve) => async (request) => {
    const answer = await serve(request);
    const { error, ...others } = Object(parsed(answer.bytes));
    if (error?.details === undefined) return answer;
    const details = Object.fromEntries(Object.entries(error.details).map(([field, why]) => [field, explain(why)]));
    return withBody(answer, { ...others, error: { ...error, details } });
  });

/** Servers with faults that few calls show: in one size, after some refusals, or while others are under way. */
export const rareMutants: readonly Mutant[] = [
  wireMutant(
    "ENV-03",
    "mebibyte",
    "answers a body of more than a mebibyte with a page",
    (serve) => async (request) => (request.bytes.length > 1_048_576 ? tooLargePage : serve(request)),
  ),
  wireMutant(
    "AUTH-10",
    "locked",
    "knows nobody for a while when it was asked by five in a row whom it did not know",
    (serve) => {
      let misses = 0;
      return async (request) => {
        const answer = await serve(request);
        if (isRefusal(answer, "Unauthorized")) misses += 1;
        else if (misses < 5) misses = 0;
        else {
          misses = 0;
          return serve(withKey(request, `${constants.liveKeyPrefix}nobody`));
        }
        return answer;
      };
    },
  ),
  wireMutant(
    "AUTH-33",
    "locked-fifth",
    "refuses whatever a key asks that was refused five times for its scopes",
    lockedAfter(5, (answer) => isRefusal(answer, "Forbidden")),
  ),
  wireMutant(
    "AUTH-33",
    "locked-missing",
    "refuses whatever a key asks that asked five times for what is not there",
    lockedAfter(5, (answer) => isRefusal(answer, "NotFound")),
  ),
  wireMutant(
    "TEN-04",
    "at-once",
    "mixes up the callers of reads of the feed at once",
    mixingUp(listDeliveryAttempts.id),
  ),
  wireMutant("TEN-23", "at-once", "mixes up the callers of lists at once", mixingUp(listMessages.id)),
  mutant(
    "KEYC-32",
    "self",
    "counts no key that rotates itself",
    "http/rate-limit.ts",
    "draws.length === 0",
    'draws.length === 0 || (routeOf(exchange).operation.id === "rotateApiKey" && exchange.parameters.id === callerOf(exchange).id)',
  ),
  mutantOf("KEYC-32", "at-once", "counts one at a time of the rotations that come at once", [
    remembering(rateLimit, 'import { walletFor } from "./limit-wallet.ts";', "const rotating = new Set<string>();"),
    {
      file: rateLimit,
      find: "const drawn = await store.draw(id, draw);",
      replace: `const isRotation = routeOf(exchange).operation.id === "${rotateApiKey.id}";
    if (isRotation && rotating.has(id)) return null;
    if (isRotation) rotating.add(id);
    await new Promise((resolve) => setTimeout(resolve, isRotation ? 20 : 0));
    const drawn = await store.draw(id, draw);
    if (isRotation) rotating.delete(id);`,
    },
  ]),
  wireMutant("KEYG-06", "rotated", "takes no call with a rotated secret for a use", (serve) => {
    const ids = new Map<string, unknown>();
    const rotated = new Set<string>();
    const used = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      const token = tokenOf(request.headers.authorization);
      const data = dataOf(answer);
      if (typeof data?.plaintext === "string") {
        ids.set(data.plaintext, data.id);
        if (request.operation === rotateApiKey.id) rotated.add(data.plaintext);
      }
      if (!rotated.has(token)) used.add(ids.get(token));
      return data !== null && request.operation === getApiKey.id && !used.has(data.id)
        ? withData(answer, { ...data, last_used_at: null })
        : answer;
    };
  }),
  explaining("ENV-95", "unexplained", "explains no bad field", () => ""),
];
