import type { Figure } from "./figure.ts";

/** Something to measure; each call gives one sample. */
export interface Subject {
  readonly name: string;
  readonly unit: Figure["unit"];
  readonly sample: () => Promise<number>;
}

/**
 * Measures all subjects once a round, one after the other, so that a slow spell of the machine meets all of them. Each
 * round begins with another one.
 */
export async function inRounds(
  subjects: readonly Subject[],
  rounds: number,
  done: (round: number) => void,
): Promise<readonly Figure[]> {
  const samples = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % subjects.length;
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)])
      samples.get(subject)?.push(await subject.sample());
    done(round + 1);
  }
  return subjects.map((subject) => ({
    name: subject.name,
    unit: subject.unit,
    samples: samples.get(subject) ?? [],
  }));
}
