import { STATUS_CODES } from "node:http";
import type { Place } from "../evidence/place.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import { durationText } from "../target/duration.ts";
import { printableLine } from "./printable.ts";

/** Something that happened between kit and target, and when it began: milliseconds since the epoch. */
export type Moment =
  | { readonly kind: "exchange"; readonly at: number; readonly exchange: Exchange }
  | { readonly kind: "delivery"; readonly at: number; readonly delivery: DeliverySeen };

/**
 * What shows a finding, in order: exchanges as the check gave them, and where there are deliveries, both by the time at
 * which they began.
 */
export function timelineOf({ exchanges, deliveries }: Pick<Finding, "exchanges" | "deliveries">): readonly Moment[] {
  const sent = exchanges.map((exchange): Moment => ({ kind: "exchange", at: exchange.sentAt, exchange }));
  if (deliveries.length === 0) return sent;
  const received = deliveries.map((delivery): Moment => ({ kind: "delivery", at: delivery.receivedAt, delivery }));
  return [...sent, ...received].sort((a, b) => a.at - b.at);
}

/** The last moments of a line, with at least one exchange among them where there is one: it tells how all began. */
export function lastMoments(timeline: readonly Moment[], most: number): readonly Moment[] {
  const last = timeline.slice(-most);
  const exchange = timeline.findLast(({ kind }) => kind === "exchange");
  return exchange === undefined || last.includes(exchange) ? last : [exchange, ...last];
}

/** Moments that a finding points at, and those that are shown anyway, in their order. */
export function withPointedAt(
  timeline: readonly Moment[],
  shown: readonly Moment[],
  at: readonly Place[],
): readonly Moment[] {
  const pointed = timeline.filter((moment) => isPointedAt(moment, at));
  // Beside earlier ones, the last one alone tells how it ended.
  const others = pointed.every((moment) => shown.includes(moment)) ? shown : shown.slice(-1);
  return timeline.filter((moment) => others.includes(moment) || pointed.slice(-mostPointed).includes(moment));
}

const mostPointed = 2;

/**
 * The same for who has little room: what shows the failure stands first, so that nobody takes a call for it that went well
 * before. Where nothing is pointed at, calls of the operation that was asked last are compared.
 */
export function failingFirst(
  timeline: readonly Moment[],
  shown: readonly Moment[],
  at: readonly Place[],
): readonly Moment[] {
  const pointed = withPointedAt(timeline, shown, at);
  const first = pointed.findIndex((moment) => isPointedAt(moment, at));
  if (first >= 0) return pointed.slice(first);
  const last = pointed.at(-1);
  return last?.kind === "exchange"
    ? pointed.filter((one) => one.kind === "delivery" || one.exchange.operation === last.exchange.operation)
    : pointed;
}

/** Whether a finding points at a moment. */
export const isPointedAt = (moment: Moment, at: readonly Place[]): boolean => at.some((place) => isIn(place, moment));

const isIn = ({ in: whole }: Place, moment: Moment): boolean =>
  whole !== null &&
  whole.kind === moment.kind &&
  whole.number === (moment.kind === "exchange" ? moment.exchange.number : moment.delivery.number);

/** Who asked whom. */
export const directionOf = ({ kind }: Moment): string =>
  kind === "exchange" ? "client → server" : "server → receiver";

/** Time since the line began, such as "+35 ms". */
export const sinceStart = (timeline: readonly Moment[], { at }: Moment): string =>
  `+${durationText(at - (timeline[0]?.at ?? at))}`;

/** The moment on one line: when, who, what was asked, and what the answer was. */
export function momentLine(timeline: readonly Moment[], moment: Moment): string {
  const { method, url } = moment.kind === "exchange" ? moment.exchange.request : moment.delivery.request;
  const asked = printableLine(`${method} ${url}`);
  return `${sinceStart(timeline, moment)} ${directionOf(moment)}: ${asked} ⇒ ${outcomeOf(moment)}`;
}

function outcomeOf(moment: Moment): string {
  if (moment.kind === "delivery") return printableLine(answerText(moment.delivery));
  const { outcome } = moment.exchange;
  return outcome.kind === "lost" ? `no response: ${outcome.reason}` : String(statusOf(moment.exchange));
}

/** What the receiver answered, and how far it got with that. */
export function answerText({ answer }: DeliverySeen): string {
  const { status, remark, how } = answer;
  const ends = { open: "not ended yet", given: null, abandoned: "the sender went away", cut: "cut by the kit" }[how];
  const given = status === null ? null : `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  return [given, remark, ends].filter((part) => part !== null).join(", ");
}
