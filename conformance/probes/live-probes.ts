import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { operations } from "../../generated/operations.ts";
import { atPart, type Place } from "../evidence/place.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../exchange/exchange.ts";
import { pathOf } from "../story/names.ts";
import type { Step } from "../story/step.ts";
import { ownersIn } from "./owners.ts";
import { type Case, dataIn, exchangeIn, placeAmong, tokenOf, wronglyServed } from "./probe.ts";

/** What of a request is to be another. */
export interface Change {
  readonly headers?: Readonly<Record<string, string>>;
  /** With its query. */
  readonly path?: string;
  readonly body?: string;
}

/** Sends a request again, with something else in place of its own where that is given. Throws where it may not. */
export type Again = (exchange: Exchange, change?: Change) => Promise<Exchange>;

/** What a probe asks the target: what is likely wrong and what shows it, or null. */
export type Question = (again: Again, wait: Wait) => Promise<string | null>;

export type Wait = (milliseconds: number) => Promise<void>;

/**
 * A guess at what is wrong behind a breach for which the target is asked once more, when the check has ended and what it
 * made is still there. Nothing that comes of it is judged, so that it can change no verdict.
 */
export interface LiveProbe {
  readonly id: string;
  /** What to ask; null where the breach is of another kind. The case holds all that the check did, also afterwards. */
  readonly asks: (seen: Case) => Question | null;
}

/** Milliseconds between one try of a read and the next. */
const pauses = [50, 250, 700];

/** A read that is answered as it should be when it comes again. */
export const lateAnswer: LiveProbe = {
  id: "late-answer",
  asks(seen) {
    const exchange = exchangeIn(seen);
    const place = seen.finding.at?.find((one) => one.in?.kind === "exchange" && one.in.number === exchange?.number);
    if (exchange === null || place === undefined || !isRead(exchange) || isThrottled(exchange)) return null;
    if (seen.steps.slice(placeAmong(exchange, seen.steps) + 1).some(mayChange)) return null;
    return async (again, wait) => {
      for (const milliseconds of pauses) {
        await wait(milliseconds);
        const answer = await again(exchange);
        if (isMended(place, exchange, answer))
          return `it takes effect late, or fails at times: ${askedAgain(exchange, answer)}, what was admitted came: ${cameAt(place, answer)}`;
      }
      return null;
    };
  },
};

/** A read that is answered as before a change, and as after it when it comes again later. */
export const keptAnswer: LiveProbe = {
  id: "kept-answer",
  asks(seen) {
    const exchange = exchangeIn(seen);
    const place = seen.finding.at?.find((one) => one.in?.kind === "exchange" && one.in.number === exchange?.number);
    if (exchange === null || place === undefined || place.part.kind === "status" || !isRead(exchange)) return null;
    const before = sameBefore(exchange, seen.steps);
    if (before === null) return null;
    return async (again, wait) => {
      for (const milliseconds of longPauses) {
        await wait(milliseconds);
        const answer = await again(exchange);
        if (isSuccess(answer) && atPart(answer, place.part, null).seen !== place.seen)
          return `an answer is kept for a while, or a change takes effect late: ${exchange.number} is the same as ${before.exchange}, from before the change; ${askedAgain(exchange, answer)}, ${cameAt(place, answer)} came`;
      }
      return null;
    };
  },
};

/** Milliseconds between one try and the next of a read whose answer may be kept: about five seconds in all. */
const longPauses = [300, 900, 1800, 2000];

/** The step of the same read, before something that changes, whose answer is the same; null for none. */
function sameBefore(exchange: Exchange, steps: readonly Step[]): Step | null {
  const { request, outcome } = exchange;
  const earlier = steps.slice(0, Math.max(0, placeAmong(exchange, steps)));
  const isSame = (step: Step): boolean =>
    step.request?.method === request.method &&
    step.request.url === request.url &&
    step.request.headers.authorization === request.headers.authorization &&
    step.outcome?.kind === "response" &&
    outcome.kind === "response" &&
    isDeepStrictEqual(step.outcome.json, outcome.json);
  const change = earlier.findLastIndex(mayChange);
  return earlier.slice(0, Math.max(0, change)).findLast(isSame) ?? null;
}

/** Whether a call asks for something and changes and draws nothing. */
export function isRead({ operation, request }: Exchange): boolean {
  const declared = Object.values(operations).find(({ id }) => id === operation);
  return request.method === "GET" && declared !== undefined && declared.draws.length === 0;
}

/** Whether the target may lawfully answer otherwise after a step. */
export function mayChange({ through, request, outcome }: Step): boolean {
  if (request?.method === "GET") return false;
  return through !== "api" || outcome?.kind !== "response" || outcome.status < 400;
}

/** Whether what was wrong at that place of an answer is right in another one, as far as can be told. */
export function isMended(place: Place, before: Exchange, answer: Exchange): boolean {
  const { admitted, part } = place;
  const [was, is] = [statusOf(before), statusOf(answer)];
  if (admitted === null || was === null || is === null) return false;
  if (part.kind !== "status") return is === was && atPart(answer, part, admitted).seen === admitted;
  const isRefusalWanted = /^[45]/.test(admitted);
  if (!isRefusalWanted) return was >= 400 && is < 300;
  // One status may have several codes.
  const [, wanted] = /^\S+ ([A-Z][A-Z_]+)\b/.exec(admitted) ?? [];
  return wanted === undefined ? is !== was && admitted.startsWith(String(is)) : codeOf(answer) === wanted;
}

const cameAt = (place: Place, answer: Exchange): string =>
  place.part.kind === "status" ? summaryOf(answer) : (atPart(answer, place.part, null).seen ?? "nothing");

/** A credential whose end was seen and that is served all the same, not just for a moment. */
export const outlivingCredential: LiveProbe = {
  id: "outliving-credential",
  asks(seen) {
    const exchange = wronglyServed(seen);
    const token = exchange === null ? null : tokenOf(exchange.request.headers);
    if (exchange === null || token === null) return null;
    const end = endOf(token, seen.steps);
    const endsAt = end === null ? -1 : seen.steps.indexOf(end);
    if (endsAt < 0 || endsAt > placeAmong(exchange, seen.steps)) return null;
    const used = seen.steps.slice(0, endsAt).findLast((step) => tokenOf(step.request?.headers ?? {}) === token);
    const before =
      used?.exchange == null ? "it had never been used before" : `it had been used before, in answer ${used.exchange}`;
    return async (again, wait) => {
      await wait(Math.max(0, exchange.answeredAt + lasting - Date.now()));
      const answer = await again(exchange);
      return isLetIn(answer)
        ? `a revoked key is let in for more than a moment: ${askedAgain(exchange, answer)}, ${token} still is: ${summaryOf(answer)}; ${before}`
        : null;
    };
  },
};

/** Milliseconds after which what a server remembered for a moment is forgotten. */
const lasting = 1000;

/** Whether a caller was told more than one who is unknown or may not: what is done once may be refused the second time. */
function isLetIn(answer: Exchange): boolean {
  const status = statusOf(answer) ?? 500;
  const isRefused = [rowNamed("Unauthorized"), rowNamed("Forbidden")].some((row) => rowAllows(row, status));
  return status < 500 && !isRefused && !isThrottled(answer);
}

/** The step that revoked the key with this secret; null where none did. */
function endOf(token: string, steps: readonly Step[]): Step | null {
  const made = steps.find((step) => objectOf(dataIn(step))?.plaintext === token);
  const id = made === undefined ? undefined : objectOf(dataIn(made))?.id;
  if (typeof id !== "string") return null;
  return steps.find(({ through, request }) => through === "sandbox" && request?.url.endsWith(`/${id}/revoke`)) ?? null;
}

/** A limit that each caller of an organization has for itself, or each of what its calls are about. */
export const ownAllowance: LiveProbe = {
  id: "own-allowance",
  asks(seen) {
    const exchange = exchangeIn(seen);
    const drawing = Object.values(operations).find(({ id }) => id === exchange?.operation);
    if (exchange === null || drawing === undefined || drawing.draws.length === 0 || !isSuccess(exchange)) return null;
    const others = [otherCaller(seen, exchange), otherAddress(seen, exchange)].filter((one) => one !== null);
    const wanted = seen.finding.expected ?? "";
    if (others.length === 0 || !(/\brefused\b/.test(wanted) || wanted.includes(rowNamed("RateLimited").code)))
      return null;
    const { idempotencyHeader } = drawing;
    return async (again) => {
      // The first answer to such a key is given again without drawing.
      const fresh = () => (idempotencyHeader === null ? {} : { [idempotencyHeader]: randomUUID() });
      const isRefused = async () => isThrottled(await again(exchange, { headers: fresh() }));
      const isServed = async ({ change }: Other) =>
        isSuccess(await again(exchange, { ...change, headers: { ...fresh(), ...change.headers } }));
      let drawn = 0;
      for (; !(await isRefused()); drawn += 1) if (drawn >= mostDrawn) return null;
      const more = drawn === 0 ? "" : `${drawn} more ${drawn === 1 ? "call was" : "calls were"} admitted, until `;
      for (const other of others) {
        // Refused twice before and behind: a limiter that gives back what it refused has room for one, whoever comes.
        const isOwn = (await isRefused()) && (await isServed(other)) && (await isRefused()) && (await isRefused());
        if (isOwn) return `the limit is counted per ${other.per}: asked again after the check, ${more}${other.says}`;
      }
      return null;
    };
  },
};

/** Calls until a limit is taken for none. */
const mostDrawn = 20;

/** A call that differs in one thing by which a limit may be counted. */
interface Other {
  readonly per: string;
  readonly says: string;
  readonly change: Change;
}

/** How another caller of the organization showed itself to that operation; null where none did. */
function otherCaller(seen: Case, { request }: Exchange): Other | null {
  const { ofCaller } = ownersIn(seen);
  const caller = request.headers.authorization ?? "";
  const others = seen.steps
    .filter(
      ({ through, request: sent }) => through === "api" && sent?.method === request.method && sent.url === request.url,
    )
    .map((step) => step.request?.headers.authorization ?? "");
  const own = ofCaller.get(caller);
  const other = others.find((one) => one !== caller && own !== undefined && ofCaller.get(one) === own);
  if (other === undefined) return null;
  return {
    ...{ per: "caller", change: { headers: { authorization: other } } },
    says: `${tokenOf(request.headers)} was refused, and ${tokenOf({ authorization: other })} of the same organization was admitted`,
  };
}

/** Of what else that operation was asked by the same caller; null where it was about nothing else. */
function otherAddress({ steps }: Case, { operation, request }: Exchange): Other | null {
  const other = steps.find(
    (step) =>
      step.operation === operation &&
      step.request?.headers.authorization === request.headers.authorization &&
      pathOf(step.request?.url ?? "") !== pathOf(request.url),
  )?.request;
  const template = Object.values(operations).find(({ id }) => id === operation)?.path ?? "";
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (other == null || name === undefined) return null;
  const [own, its] = [request.url, other.url].map((url) => decodeURIComponent(pathOf(url)));
  return {
    ...{ per: name, change: { path: pathOf(other.url) } },
    says: `${request.method} ${own} was refused, and ${request.method} ${its} of the same caller was admitted`,
  };
}

const isThrottled = (exchange: Exchange): boolean => codeOf(exchange) === rowNamed("RateLimited").code;

const askedAgain = (before: Exchange, { answeredAt }: Exchange): string =>
  `asked again ${((answeredAt - before.answeredAt) / 1000).toFixed(1)} s later`;
