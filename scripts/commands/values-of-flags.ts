import { randomInt } from "node:crypto";
import { InvalidArgumentError } from "commander";
import type { Effect } from "../../conformance/arrangements/effect.ts";
import { listed } from "./listed.ts";
import { wholeFrom } from "./whole-from.ts";

/** The same values are tried in every run that asks for no others, so that two runs can be compared. */
export const usualSeed = 1;

const grantable: readonly Effect[] = ["spends", "sends", "exhausts"];

export function effectsFrom(value: string, before: ReadonlySet<Effect> = new Set()): ReadonlySet<Effect> {
  const effects = listed(value).map((name) => {
    const effect = grantable.find((e) => e === name);
    if (effect === undefined) throw new InvalidArgumentError(`It is a list of ${grantable.join(", ")}.`);
    return effect;
  });
  return new Set([...before, ...effects]);
}

/** Seeds are what both a property and its replay can be given: whole numbers of 31 bits. */
const seeds = 2 ** 31;

export function seedFrom(text: string): number {
  if (text === "random") return randomInt(seeds);
  return wholeFrom(0, seeds - 1)(text);
}

export function pathFrom(text: string): string {
  if (/^\d+(:\d+)*$/.test(text) && text.length <= 4096) return text;
  throw new InvalidArgumentError("It looks like 3:1:0, as the report of a failure gives it.");
}
