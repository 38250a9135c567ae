import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import type { Place } from "../evidence/place.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import { answerShapes } from "../monitor/answer-shapes.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RuleResult } from "../runner/run-result.ts";
import { abstracted } from "./abstracted.ts";

/** In which way an answer departs from what is admitted, without what is of one run alone. */
export interface Deviation {
  /** The exchange that shows it; null where none does. */
  readonly exchange: Exchange | null;
  /** The operation that it is an answer of; null for none of the contract's. */
  readonly operation: string | null;
  /** Status and code that came, such as "404 NOT_FOUND" or "200 success"; null where they are not what is wrong. */
  readonly came: string | null;
  /** What was admitted in its place: codes, or else statuses, or else in words. */
  readonly admitted: string;
  /** Headers and members that are wrong, of an answer or a delivery; empty where none is known. */
  readonly parts: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
  readonly expected: string;
  readonly actual: string;
}

export function deviationOf({ expected, actual, message, exchanges, at }: ToldFinding): Deviation {
  const pointedAt = at.flatMap(({ in: where }) => (where?.kind === "exchange" ? [where.number] : []));
  const exchange = exchanges.find(({ number }) => number === pointedAt[0]) ?? exchanges.at(-1) ?? null;
  const [admits, seen] = [expected ?? "", actual ?? message];
  const inside = at.filter((place) => place.in !== null && !isOfStatus(place));
  return {
    exchange,
    operation: exchange?.operation ?? null,
    came: inside.length > 0 ? null : cameIn(seen, exchange),
    admitted: admittedIn(admits),
    parts: [...new Set(inside.map(partOf))],
    missing: [...new Set(inside.filter((place) => place.seen === null).map(partOf))],
    ...{ expected: abstracted(admits), actual: abstracted(seen) },
  };
}

/** Whether a place tells in which way the whole request was answered. */
const isOfStatus = ({ part }: Place): boolean =>
  part.kind === "status" || (part.kind === "member" && part.pointer === "/error/code");

/** A place in any answer or delivery, whatever its position in a list. */
function partOf({ in: where, part }: Place): string {
  const whole = where?.kind === "delivery" ? "delivery " : "";
  if (part.kind === "status") return `${whole}status`;
  return whole + (part.kind === "header" ? `header ${part.name}` : part.pointer.replace(/\/\d+(?=\/|$)/g, "/*"));
}

const rows = new Map(Object.entries<ErrorRow>(errorRows));

/**
 * How exactly a rule says what is wrong with an answer of these operations: of its member, of the one operation, of the
 * refusal that came, of another one, or of all answers. A rule of another operation tells what follows.
 */
export function exactnessOf(
  { id, rule: { about } }: RuleResult,
  { came }: Deviation,
  at: ReadonlySet<string | null>,
): number {
  // Whatever else is said of a member is more exact than that it has its form.
  if (shapes.has(id)) return 1;
  // Where several operations are concerned, what is said of all of them is more exact than what is said of one.
  if (Object.hasOwn(operations, about)) return !at.has(about) ? 0 : at.size === 1 ? 5 : 1;
  if (about.includes(".")) return 6;
  const code = rows.get(about)?.code;
  if (code === undefined) return 2;
  return came?.endsWith(` ${code}`) ? 4 : 3;
}

const shapes: ReadonlySet<string> = new Set(answerShapes.map(({ rule }) => rule));

/** How far inside of an answer it is wrong: 0 for all of it, 1 for its data, its error or its meta, 2 for what they hold. */
export function depthOf({ parts }: Deviation): number {
  const depths = parts.map((part) => {
    if (part === "header content-type") return 0;
    return part.startsWith("/") || part === "" ? part.split("/").length - 1 : deepest;
  });
  return Math.min(deepest, ...depths);
}

const deepest = 2;

/** A status with its code, a success or what else is told of an answer: of that which shows it, where several are told. */
function cameIn(words: string, exchange: Exchange | null): string | null {
  const told = words.match(/\b[1-5]\d\d (?:[A-Z][A-Z_]+|success|without the envelope)\b/g) ?? [];
  const status = exchange === null ? null : statusOf(exchange);
  return told.find((one) => one.startsWith(String(status))) ?? told[0] ?? null;
}

function admittedIn(words: string): string {
  const named = (words.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []).filter((word) => codes.has(word));
  const statuses = words.match(/\b[1-5](?:\d\d|xx)\b/g) ?? [];
  const told = named.length > 0 ? named : statuses;
  return told.length > 0 ? [...new Set(told)].join(" ") : abstracted(words);
}

const codes: ReadonlySet<string> = new Set([...rows.values()].map(({ code }) => code));
