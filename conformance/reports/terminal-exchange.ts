import { STATUS_CODES } from "node:http";
import { constants } from "../../generated/constants.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { durationText } from "../target/duration.ts";
import type { Paint } from "./paint.ts";
import { printableLine, readableBody } from "./printable.ts";
import { answerText, directionOf, type Moment, sinceStart } from "./timeline.ts";

/** A moment of a time line as lines of text, with when and who where the line has deliveries. */
export function momentLines(
  timeline: readonly Moment[],
  moment: Moment,
  paint: Paint,
  bodyLimit: number,
): readonly string[] {
  const lines =
    moment.kind === "exchange"
      ? exchangeLines(moment.exchange, paint, bodyLimit)
      : deliveryLines(moment.delivery, paint, bodyLimit);
  if (!timeline.some(({ kind }) => kind === "delivery")) return lines;
  return [`${paint.bold(directionOf(moment))} ${paint.dim(sinceStart(timeline, moment))}`, ...lines];
}

/** An exchange as lines of text: what was sent, what came back. `bodyLimit` in characters of each body. */
function exchangeLines(exchange: Exchange, paint: Paint, bodyLimit: number): readonly string[] {
  const { request, outcome } = exchange;
  const took = durationText(exchange.answeredAt - exchange.sentAt);
  const sent = [
    `${paint.cyan("→")} ${paint.bold(`${printableLine(request.method)} ${printableLine(request.url)}`)}`,
    ...headerLines(Object.entries(request.headers), (name) => !plumbing.has(name), paint),
    ...headerLines(request.repeatedHeaders ?? [], () => true, paint),
    ...bodyLines(request.body, bodyLimit),
  ];
  if (outcome.kind === "lost") {
    const why = `no response: ${outcome.reason}, ${printableLine(outcome.message)}`;
    return [...sent, `${paint.cyan("←")} ${paint.bold(why)} ${paint.dim(`after ${took}`)}`];
  }
  const status = `${outcome.status} ${STATUS_CODES[outcome.status] ?? ""}`.trim();
  return [
    ...sent,
    `${paint.cyan("←")} ${paint.bold(status)} ${paint.dim(`after ${took}`)}`,
    ...headerLines(Object.entries(outcome.headers), (name) => telling.test(name), paint),
    ...bodyLines(outcome.text, bodyLimit),
    ...(outcome.truncated ? [`  ${paint.dim("(the kit read no further)")}`] : []),
  ];
}

function deliveryLines(delivery: DeliverySeen, paint: Paint, bodyLimit: number): readonly string[] {
  const { request, answer, receivedAt } = delivery;
  const took = answer.endedAt === null ? "" : ` ${paint.dim(`after ${durationText(answer.endedAt - receivedAt)}`)}`;
  return [
    `${paint.cyan("→")} ${paint.bold(`${printableLine(request.method)} ${printableLine(request.url)}`)}`,
    ...headerLines(Object.entries(request.headers), (name) => name === "user-agent" || !plumbing.has(name), paint),
    ...bodyLines(request.body, bodyLimit),
    ...(request.truncated ? [`  ${paint.dim(`(${request.bytes} bytes came; the kit does not have them all)`)}`] : []),
    `${paint.cyan("←")} ${paint.bold(printableLine(answerText(delivery)))}${took}`,
    ...bodyLines(answer.body, bodyLimit),
  ];
}

/** Request headers that say nothing about the request. */
const plumbing: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "user-agent"],
  ...["accept", "accept-encoding", "accept-language", "sec-fetch-mode"],
]);

/** Response headers that a rule may speak of. */
const telling = new RegExp(
  `^(content-type|${constants.requestIdHeader}|retry-after|location|allow|www-authenticate|.*ratelimit.*)$`,
  "i",
);

const headerLines = (
  headers: readonly (readonly [name: string, value: string])[],
  shows: (name: string) => boolean,
  paint: Paint,
): readonly string[] =>
  headers
    .filter(([name]) => shows(name.toLowerCase()))
    .map(
      ([name, value]) =>
        `  ${paint.dim(`${printableLine(name).toLowerCase()}:`)} ${printableLine(value).slice(0, 300)}`,
    );

const bodyLines = (body: string | null, limit: number): readonly string[] =>
  body === null || body === ""
    ? []
    : readableBody(body, limit)
        .split("\n")
        .map((line) => `  ${line}`);
