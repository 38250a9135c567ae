import type { Json } from "../json-schema.ts";
import { isList, isObject } from "../schema-node.ts";

/** Values looked at, at most, on the way to a small one. */
const mostTries = 300;

/** A value made smaller part by part for as long as it keeps what is asked of it, within a fixed number of tries. */
export function shrunk(value: Json, keeps: (value: Json) => boolean): Json {
  let tries = 0;
  let current = value;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(current)) {
      if (tries++ >= mostTries) return current;
      if (!keeps(candidate)) continue;
      current = candidate;
      isSmaller = true;
      break;
    }
  }
  return current;
}

/** The value with one of its parts left out or made smaller: large steps first. */
function* smallerThan(value: Json): Generator<Json> {
  if (typeof value === "string") yield* smallerTexts(value);
  if (typeof value === "number")
    yield* [0, 1, -1, Math.trunc(value), Math.trunc(value / 2)].filter((n) => isNearer(n, value));
  if (isList(value)) {
    if (value.length > 1) yield [];
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries()) {
      for (const smaller of smallerThan(item)) yield value.with(index, smaller);
    }
  } else if (isObject(value)) {
    const members = Object.entries(value);
    if (members.length > 1) yield {};
    for (const index of members.keys()) yield Object.fromEntries(members.toSpliced(index, 1));
    for (const [index, [name, member]] of members.entries()) {
      for (const smaller of smallerThan(member)) yield Object.fromEntries(members.with(index, [name, smaller]));
    }
  }
}

function* smallerTexts(text: string): Generator<string> {
  const points = [...text];
  const half = Math.floor(points.length / 2);
  if (points.length > 0) yield "";
  if (half > 0) yield* [points.slice(0, half).join(""), points.slice(half).join("")];
  if (points.length > 1) yield* [points.slice(0, -1).join(""), points.slice(1).join("")];
  const plain = points.map((point) => (/[\w-]/.test(point) ? point : "a")).join("");
  const plainest = points.map(() => "a").join("");
  yield* [plainest, plain].filter((candidate) => candidate !== text && text !== plainest);
}

/** Closer to zero, or of the same distance and positive. */
const isNearer = (one: number, other: number): boolean =>
  Math.abs(one) < Math.abs(other) || (one === -other && one > other);
