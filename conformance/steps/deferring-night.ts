/** An organization that defers, in the evening of New York: 23:30 there, where it is quiet until the morning. */
export const deferringNight = {
  clock: "manual",
  starts_at: "2026-06-15T03:30:00.000Z",
  quiet_hours: { mode: "defer", start: "22:00", end: "06:45" },
} as const;
