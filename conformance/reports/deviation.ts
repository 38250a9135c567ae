import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import { abstracted } from "../evidence/abstracted.ts";
import { type Admitted, isOfWhole, type Misanswer } from "../evidence/misanswer.ts";
import type { Place } from "../evidence/place.ts";
import { rowNamed } from "../exchange/admits.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import { answerShapes } from "../monitor/answer-shapes.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RuleResult } from "../runner/run-result.ts";

/** In which way an answer departs from what is admitted, without what is of one run alone. */
export interface Deviation {
  /** The exchange that shows it; null where none does. */
  readonly exchange: Exchange | null;
  /** The operation that it is an answer of; null for none of the contract's. */
  readonly operation: string | null;
  /** What came; null where the whole of an answer is not what is wrong. */
  readonly came: Misanswer | null;
  /** What was admitted in its place; empty where words alone tell. */
  readonly admits: readonly Admitted[];
  /** The same as text: codes, or else words. Two that are alike admit the same. */
  readonly admitted: string;
  /** Headers and members that are wrong, of an answer or a delivery; empty where none is known. */
  readonly parts: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
  /** What was waited for never came. */
  readonly isSilence: boolean;
  /** What came was to come elsewhere. */
  readonly isAstray: boolean;
  /** A call that was refused changed something all the same. */
  readonly isDoneThoughRefused: boolean;
  readonly expected: string;
  readonly actual: string;
}

export function deviationOf({
  expected,
  actual,
  message,
  exchanges,
  at,
  came = null,
  admits = [],
  isSilence = false,
  isAstray = false,
  isEffect = false,
}: ToldFinding): Deviation {
  const pointedAt = at.flatMap(({ in: where }) => (where?.kind === "exchange" ? [where.number] : []));
  const exchange = exchanges.find(({ number }) => number === pointedAt[0]) ?? exchanges.at(-1) ?? null;
  const inside = at.filter((place) => place.in !== null && !isOfWhole(place));
  const words = abstracted(expected ?? "");
  return {
    ...{ exchange, came, admits, isSilence, isAstray },
    isDoneThoughRefused: isEffect && exchange !== null && (statusOf(exchange) ?? 0) >= 400,
    operation: exchange?.operation ?? null,
    admitted: admits.length > 0 ? [...new Set(admits.map(codeOf))].join(" ") : words,
    parts: [...new Set(inside.map(partOf))],
    missing: [...new Set(inside.filter((place) => place.seen === null).map(partOf))],
    ...{ expected: words, actual: abstracted(actual ?? message) },
  };
}

/** Rows with one code admit the same. */
const codeOf = (one: Admitted): string => (one === "success" ? one : rowNamed(one).code);

/** What came as text: answers that are wrong in one way as a whole have the same. */
export const cameText = ({ status, code, isSuccess }: Misanswer): string => `${status} ${code ?? isSuccess}`;

/** Whether two admit the same, however often, or of whichever step of a ladder. */
export const isAdmittedAlike = (one: Deviation, other: Deviation): boolean =>
  withoutFigures(one.admitted) === withoutFigures(other.admitted);

/** Whether both are about what one refusal of one operation left behind, and not about the answer itself. */
export const isAfterSameRefusal = (one: Deviation, other: Deviation): boolean =>
  one.operation === other.operation &&
  [one, other].every(({ came, parts, isSilence }) => came === null && parts.length === 0 && !isSilence) &&
  refusalOf(one) !== null &&
  refusalOf(one) === refusalOf(other);

/** Status and code of the refusal that shows it; null for any other answer. Reports keep the text alone. */
function refusalOf({ exchange }: Deviation): string | null {
  if (exchange?.outcome.kind !== "response" || exchange.outcome.status < 400) return null;
  return `${exchange.outcome.status} ${/"code"\s*:\s*"(\w+)"/.exec(exchange.outcome.text)?.[1] ?? ""}`;
}

const withoutFigures = (text: string): string => text.replace(/\b\d+\b|‹figure›/g, "·");

/** A place in any answer or delivery, whatever its position in a list. */
function partOf({ in: where, part }: Place): string {
  const whole = where?.kind === "delivery" ? "delivery " : "";
  if (part.kind === "status") return `${whole}status`;
  return whole + (part.kind === "header" ? `header ${part.name}` : part.pointer.replace(/\/\d+(?=\/|$)/g, "/*"));
}

/** Whether it was to be served. */
export const admitsSuccess = ({ admits }: Deviation): boolean => admits.includes("success");

const rows = new Map(Object.entries<ErrorRow>(errorRows));

/** The code of an error row that a rule is about; undefined for anything else. */
export const codeOfRow = (about: string): string | undefined => rows.get(about)?.code;

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
  const code = codeOfRow(about);
  if (code === undefined) return 2;
  return came?.code === code ? 4 : 3;
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
