const [minute, hour] = [60, 3600];

/** Seconds by which a clock is moved on to see what a server of any schedule does next; three weeks in all. */
export const growingSteps: readonly number[] = [
  ...[10, minute, 5 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour],
  ...[24, 24, 48, 96, 96, 168].map((hours) => hours * hour),
];
