import type { Place } from "../evidence/place.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { BodyMark } from "./body-lines.ts";
import { printableLine } from "./printable.ts";

/** What of one exchange's answer, or of one delivery, a finding points at. */
export interface Marks {
  /** What is admitted in place of the status; null where it is not pointed at. */
  readonly status: Note | null;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, Note>;
  readonly members: readonly BodyMark[];
}

interface Note {
  /** Such as `expected: true`; empty where there is no short word for it. */
  readonly note: string;
  /** Nothing stands there. */
  readonly missing: boolean;
}

export const noMarks: Marks = { status: null, headers: new Map(), members: [] };

/** What a finding points at in this exchange or delivery. */
export function marksOf(at: readonly Place[], kind: "exchange" | "delivery", number: number): Marks {
  const here = at.filter((place) => place.in?.kind === kind && place.in.number === number);
  const status = here.find(({ part }) => part.kind === "status");
  return {
    status: status === undefined ? null : noteOn(status),
    headers: new Map(here.flatMap((place) => (place.part.kind === "header" ? [[place.part.name, noteOn(place)]] : []))),
    members: here.flatMap((place) =>
      place.part.kind === "member" ? [{ pointer: place.part.pointer, ...noteOn(place) }] : [],
    ),
  };
}

/** Characters of what is admitted that stand beside what came; more is told above it. */
const noteLimit = 70;

function noteOn({ admitted, seen }: Place): Note {
  const missing = seen === null;
  if (admitted === null) return { missing, note: "not expected" };
  return { missing, note: admitted.length > noteLimit ? "" : `expected: ${printableLine(admitted)}` };
}

/** A place in words, such as "/data/label of answer 12". */
export function placeText(place: Place): string {
  const { in: whole } = place;
  const where = whole === null ? "" : ` of ${whole.kind === "exchange" ? "answer" : "delivery"} ${whole.number}`;
  return printableLine(`${partText(place)}${where}`);
}

function partText({ part }: Place): string {
  switch (part.kind) {
    case "status":
      return "status";
    case "header":
      return `header ${part.name}`;
    case "member":
      return part.pointer === "" ? "all" : part.pointer;
  }
}

/**
 * The places of a finding that say more than its expectation and observation do: where members differ. What words say of
 * the one place that they point at needs no second telling.
 */
export const differing = ({ at, expected }: Pick<ToldFinding, "at" | "expected">): readonly Place[] =>
  at.filter(({ part, in: whole, admitted }) => {
    const isAll = whole === null && part.kind === "member" && part.pointer === "";
    return part.kind === "member" && !isAll && admitted !== expected;
  });
