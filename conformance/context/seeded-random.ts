import { createHash } from "node:crypto";

/** Each check has a seed of its own, so that leaving one out does not change the values of another. */
export const seedOf = (runSeed: number, check: string): number =>
  createHash("sha256").update(`${runSeed} ${check}`).digest().readInt32BE(0);

/** A small seeded generator (mulberry32): numbers from 0 up to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
