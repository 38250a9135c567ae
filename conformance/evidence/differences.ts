import { diff, isDeepStrictEqual } from "node:util";
import { childPointer } from "./json-pointer.ts";

/** Where two values of JSON differ; undefined where one of them has nothing. */
export interface Difference {
  /** JSON Pointer into the actual value; of what it lacks, where that would stand. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The innermost differences, in order; of lists what is there too much and what is lacking, wherever it stands. */
export function differences(expected: unknown, actual: unknown, pointer = ""): readonly Difference[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return inLists(expected, actual, pointer);
  if (isRecord(expected) && isRecord(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((name) =>
      differences(expected[name], actual[name], childPointer(pointer, name)),
    );
  return [{ pointer, expected, actual }];
}

/** An item that one of two lists lacks; `at` is its position in the actual one. */
interface Found extends Pick<Difference, "expected" | "actual"> {
  readonly at: number;
}

function inLists(expected: readonly unknown[], actual: readonly unknown[], pointer: string): readonly Difference[] {
  const found: Found[] = [];
  let [before, at] = [0, 0];
  for (const [kept] of diff(actual.map(textOf), expected.map(textOf))) {
    if (kept === 0) {
      before += 1;
      at += 1;
    } else if (kept === 1) {
      found.push({ at, expected: undefined, actual: actual[at] });
      at += 1;
    } else {
      found.push({ at, expected: expected[before], actual: undefined });
      before += 1;
    }
  }
  return paired(found).flatMap((one) => differences(one.expected, one.actual, childPointer(pointer, String(one.at))));
}

/** What stands in the place of another item is told as a change of that, unless items only changed places. */
function paired(found: readonly Found[]): readonly Found[] {
  const lacking = found.filter(({ actual }) => actual === undefined);
  const added = found.filter(({ expected }) => expected === undefined);
  const isMoved = lacking.some((one) => added.some((other) => isDeepStrictEqual(one.expected, other.actual)));
  if (isMoved || lacking.length !== added.length) return found;
  return added.map((one, index) => ({ ...one, expected: lacking[index]?.expected }));
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? String(value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
