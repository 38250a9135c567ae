import { type Aim, isReached, type Section, spreadOf } from "./figure.ts";
import type { Machine } from "./machine.ts";

/** All that a run measured, samples included, for programs. No aim is judged by a quick run. */
export function benchJson(machine: Machine, quick: boolean, sections: readonly Section[]): string {
  const judged = (aim: Aim | null, samples: readonly number[]) =>
    aim === null ? null : { ...aim, reached: quick ? null : isReached(aim, samples) };
  const told = sections.map(({ title, notes, figures, ratios, aims }) => ({
    title,
    notes,
    figures: figures.map(({ name, unit, samples }) => ({
      ...{ name, unit, ...spreadOf(samples), samples },
      aim: judged(aims[name] ?? null, samples),
    })),
    ratios: ratios.map(({ of, to, samples, aim }) => ({
      ...{ of, to, ...spreadOf(samples), samples },
      aim: judged(aim, samples),
    })),
  }));
  return `${JSON.stringify({ machine, quick, sections: told }, null, 2)}\n`;
}
