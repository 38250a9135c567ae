const first = 50;
const longest = 10_000;

/** Milliseconds to wait after so many failures in a row; each doubles it, up to ten seconds. */
export const backOff = (failures: number): number => Math.min(longest, first * 2 ** Math.min(failures - 1, 20));
