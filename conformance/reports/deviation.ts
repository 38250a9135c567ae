import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RuleResult } from "../runner/run-result.ts";
import { abstracted } from "./abstracted.ts";

/** In which way an answer departs from what is admitted, without what is of one run alone. */
export interface Deviation {
  /** Number of the exchange that shows it; null where none does. */
  readonly exchange: number | null;
  /** The operation that it is an answer of; null for none of the contract's. */
  readonly operation: string | null;
  /** Status and code that came, such as "404 NOT_FOUND" or "200 success"; null where they are not what is wrong. */
  readonly came: string | null;
  /** What was admitted in its place: codes, or else statuses, or else in words. */
  readonly admitted: string;
  /** Headers and members that are wrong: `header retry-after`, `/data/*​/id`; empty where none is known. */
  readonly parts: readonly string[];
  readonly expected: string;
  readonly actual: string;
}

export function deviationOf({ expected, actual, message, exchanges }: ToldFinding): Deviation {
  const last = exchanges.at(-1);
  const [admits, seen] = [expected ?? "", actual ?? message];
  const parts = partsNamed(`${admits}\n${seen}`);
  return {
    exchange: last?.number ?? null,
    operation: last?.operation ?? null,
    // With a status that is admitted, something else is wrong.
    came: parts.length > 0 ? null : cameIn(seen, last),
    admitted: admittedIn(admits),
    parts,
    ...{ expected: abstracted(admits), actual: abstracted(seen) },
  };
}

const rows = new Map(Object.entries<ErrorRow>(errorRows));

/**
 * How exactly a rule says what is wrong with an answer of these operations: of its member, of the one operation, of the
 * refusal that came, of another one, or of all answers. A rule of another operation tells what follows.
 */
export function exactnessOf(
  { rule: { about } }: RuleResult,
  { came }: Deviation,
  at: ReadonlySet<string | null>,
): number {
  // Where several operations are concerned, what is said of all of them is more exact than what is said of one.
  if (Object.hasOwn(operations, about)) return !at.has(about) ? 0 : at.size === 1 ? 5 : 1;
  if (about.includes(".")) return 6;
  const code = rows.get(about)?.code;
  if (code === undefined) return 2;
  return came?.endsWith(` ${code}`) ? 4 : 3;
}

/** A status with its code, a success or what else is told of an answer: of that which shows it, where several are told. */
function cameIn(words: string, exchange: Exchange | undefined): string | null {
  const told = words.match(/\b[1-5]\d\d (?:[A-Z][A-Z_]+|success|without the envelope)\b/g) ?? [];
  const status = exchange === undefined ? null : statusOf(exchange);
  return told.find((one) => one.startsWith(String(status))) ?? told[0] ?? null;
}

function admittedIn(words: string): string {
  const named = (words.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []).filter((word) => codes.has(word));
  const statuses = words.match(/\b[1-5](?:\d\d|xx)\b/g) ?? [];
  const told = named.length > 0 ? named : statuses;
  return told.length > 0 ? [...new Set(told)].join(" ") : abstracted(words);
}

const codes: ReadonlySet<string> = new Set([...rows.values()].map(({ code }) => code));

function partsNamed(words: string): readonly string[] {
  const pointers = words.match(/(?<![\w/])\/(?:data|error|meta)\b[\w/~]*/g) ?? [];
  const dotted = words.match(/\b(?:data|error|meta)(?:\.\w+)+/g) ?? [];
  const headers = words.match(/\b[A-Z][A-Za-z]+(?:-[A-Z][A-Za-z]+)+\b/g) ?? [];
  return [
    ...new Set([
      ...[...pointers, ...dotted.map((way) => `/${way.replaceAll(".", "/")}`)].map(withoutPositions),
      ...headers.map((name) => `header ${name.toLowerCase()}`),
    ]),
  ];
}

const withoutPositions = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, "/*");
