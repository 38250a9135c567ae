import { randomFrom } from "../../conformance/context/seeded-random.ts";
import { operationList } from "../../generated/operations.ts";
import type { Answer, Distortion } from "./start-distorted.ts";

/** Mangles so large a share of the answers, chosen by the seed. */
export function mangle(seed: number, share: number): Distortion {
  const random = randomFrom(seed);
  return (_, answer) => (random() < share ? mangled(answer, random) : answer);
}

/** Mangles every answer of some operations, each in a way of its own: what differs always, no check may rely upon. */
export function mangleAlways(seed: number, share: number): Distortion {
  const random = randomFrom(seed);
  const seeds = new Map(operationList.map(({ id }) => [id, random() < share ? random() * 2 ** 31 : null]));
  return ({ method, path }, answer) => {
    const operation = operationList.find((o) => o.method === method && formOf(o.path).test(path));
    const own = seeds.get(operation?.id ?? "") ?? null;
    return own === null || answer.status >= 400 ? answer : mangled(answer, randomFrom(own));
  };
}

/** Paths of an operation. */
export const formOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

type Random = () => number;

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

/** An answer of another shape: a member is missing or of another type, or the whole body is. */
function mangled({ status, body }: Answer, random: Random): Answer {
  const other = random() < 0.1 ? pick(random, [200, 201, 204, 400, 404, 409, 500]) : status;
  return { status: other, body: changedAt(body, placeIn(body, random), (value) => misfit(value, random)) };
}

type Place = readonly string[];

/** How often a walk into a body stops at each value on its way. */
const stop = 0.3;

/** Where some value of a body stands, the few near its root as often as the many below. */
function placeIn(value: unknown, random: Random): Place {
  const keys = isContainer(value) ? Object.keys(value) : [];
  const key = keys[Math.floor(random() * keys.length)];
  if (!isContainer(value) || key === undefined || random() < stop) return [];
  return [key, ...placeIn(value[key], random)];
}

/** Something of another type than the value, or nothing. */
const misfit = (value: unknown, random: Random): unknown =>
  pick<unknown>(random, [
    undefined,
    null,
    typeof value === "string" ? 7 : "text",
    Array.isArray(value) ? { ...value } : [value],
    isContainer(value) ? {} : { value },
    true,
    [],
    "",
    -1.5,
  ]);

function changedAt(value: unknown, [key, ...rest]: Place, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? changedAt(item, rest, change) : item));
  if (!isContainer(value)) return value;
  return { ...value, [key]: changedAt(value[key], rest, change) };
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
