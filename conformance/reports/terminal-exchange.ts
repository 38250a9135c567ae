import { STATUS_CODES } from "node:http";
import type { Place } from "../evidence/place.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { durationText } from "../target/duration.ts";
import { bodyLines } from "./body-lines.ts";
import { isPlumbing, isTelling } from "./headers.ts";
import { type Marks, marksOf, noMarks } from "./marks.ts";
import type { Paint } from "./paint.ts";
import { printableLine } from "./printable.ts";
import { answerText, directionOf, type Moment, sinceStart } from "./timeline.ts";

/**
 * A moment of a time line as lines of text, with when and who where the line has deliveries. What a finding points `at`
 * stands behind a ">".
 */
export function momentLines(
  timeline: readonly Moment[],
  moment: Moment,
  at: readonly Place[],
  paint: Paint,
  bodyLimit: number,
): readonly string[] {
  const lines =
    moment.kind === "exchange"
      ? exchangeLines(moment.exchange, marksOf(at, "exchange", moment.exchange.number), paint, bodyLimit)
      : deliveryLines(moment.delivery, marksOf(at, "delivery", moment.delivery.number), paint, bodyLimit);
  if (!timeline.some(({ kind }) => kind === "delivery")) return lines;
  return [`${paint.bold(directionOf(moment))} ${paint.dim(sinceStart(timeline, moment))}`, ...lines];
}

/** An exchange as lines of text: what was sent, what came back. `bodyLimit` in characters of each body. */
function exchangeLines(exchange: Exchange, marks: Marks, paint: Paint, bodyLimit: number): readonly string[] {
  const { request, outcome } = exchange;
  const took = durationText(exchange.answeredAt - exchange.sentAt);
  const sent = [
    `${paint.cyan("→")} ${paint.bold(`${printableLine(request.method)} ${printableLine(request.url)}`)}`,
    ...headerLines(Object.entries(request.headers), (name) => !isPlumbing(name), noMarks, paint),
    ...headerLines(request.repeatedHeaders ?? [], () => true, noMarks, paint),
    ...textLines(request.body, noMarks, paint, bodyLimit),
  ];
  if (outcome.kind === "lost") {
    const why = `no response: ${outcome.reason}, ${printableLine(outcome.message)}`;
    return [...sent, `${paint.cyan("←")} ${paint.bold(why)} ${paint.dim(`after ${took}`)}`];
  }
  const status = `${outcome.status} ${STATUS_CODES[outcome.status] ?? ""}`.trim();
  return [
    ...sent,
    marks.status === null
      ? `${paint.cyan("←")} ${paint.bold(status)} ${paint.dim(`after ${took}`)}`
      : marked(`← ${status}`, marks.status.note, paint),
    ...headerLines(Object.entries(outcome.headers), isTelling, marks, paint),
    ...textLines(outcome.text, marks, paint, bodyLimit),
    ...(outcome.truncated ? [`  ${paint.dim("(the kit read no further)")}`] : []),
  ];
}

function deliveryLines(delivery: DeliverySeen, marks: Marks, paint: Paint, bodyLimit: number): readonly string[] {
  const { request, answer, receivedAt } = delivery;
  const took = answer.endedAt === null ? "" : ` ${paint.dim(`after ${durationText(answer.endedAt - receivedAt)}`)}`;
  return [
    `${paint.cyan("→")} ${paint.bold(`${printableLine(request.method)} ${printableLine(request.url)}`)}`,
    ...headerLines(Object.entries(request.headers), (name) => name === "user-agent" || !isPlumbing(name), marks, paint),
    ...textLines(request.body, marks, paint, bodyLimit),
    ...(request.truncated ? [`  ${paint.dim(`(${request.bytes} bytes came; the kit does not have them all)`)}`] : []),
    `${paint.cyan("←")} ${paint.bold(printableLine(answerText(delivery)))}${took}`,
    ...textLines(answer.body, noMarks, paint, bodyLimit),
  ];
}

const headerLines = (
  headers: readonly (readonly [name: string, value: string])[],
  shows: (name: string) => boolean,
  marks: Marks,
  paint: Paint,
): readonly string[] => {
  const missing = [...marks.headers].filter(([name]) => !headers.some(([own]) => own.toLowerCase() === name));
  const lines = headers
    .filter(([name]) => shows(name.toLowerCase()) || marks.headers.has(name.toLowerCase()))
    .map(([name, value]) => {
      const mark = marks.headers.get(name.toLowerCase());
      const [head, text] = [`${printableLine(name).toLowerCase()}:`, printableLine(value)];
      return mark === undefined
        ? `  ${paint.dim(head)} ${text.slice(0, 300)}`
        : marked(`${head} ${text}`, mark.note, paint);
    });
  return [...lines, ...missing.map(([name, { note }]) => marked(`${printableLine(name)}: (missing)`, note, paint))];
};

const textLines = (body: string | null, marks: Marks, paint: Paint, limit: number): readonly string[] =>
  body === null || body === ""
    ? marks.members.length === 0
      ? []
      : [marked("(no body)", "", paint)]
    : bodyLines(body, limit, marks.members).map(({ text, mark }) =>
        mark === null ? `  ${text}` : marked(text, mark.note, paint),
      );

const marked = (text: string, note: string, paint: Paint): string =>
  `${paint.red(paint.bold(`> ${text}`))}${note === "" ? "" : `  ${paint.yellow(`⟵ ${note}`)}`}`;
