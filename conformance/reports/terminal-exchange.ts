import { STATUS_CODES } from "node:http";
import type { Exchange } from "../exchange/exchange.ts";
import { durationText } from "../target/duration.ts";
import type { Paint } from "./paint.ts";
import { printableLine, readableBody } from "./printable.ts";

/** An exchange as lines of text: what was sent, what came back. `bodyLimit` in characters of each body. */
export function exchangeLines(exchange: Exchange, paint: Paint, bodyLimit: number): readonly string[] {
  const { request, outcome } = exchange;
  const took = durationText(exchange.answeredAt - exchange.sentAt);
  const sent = [
    `${paint.cyan("→")} ${paint.bold(`${printableLine(request.method)} ${printableLine(request.url)}`)}`,
    ...headerLines(request.headers, (name) => !plumbing.has(name), paint),
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
    ...headerLines(outcome.headers, (name) => telling.test(name), paint),
    ...bodyLines(outcome.text, bodyLimit),
    ...(outcome.truncated ? [`  ${paint.dim("(the kit read no further)")}`] : []),
  ];
}

/** Request headers that say nothing about the request. */
const plumbing: ReadonlySet<string> = new Set(["host", "connection", "content-length", "user-agent", "accept"]);

/** Response headers that a rule may speak of. */
const telling = /^(content-type|x-request-id|retry-after|location|allow|www-authenticate|.*ratelimit.*)$/;

const headerLines = (
  headers: Readonly<Record<string, string>>,
  shows: (name: string) => boolean,
  paint: Paint,
): readonly string[] =>
  Object.entries(headers)
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
