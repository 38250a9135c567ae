/** Seconds, more than any year has: what a server keeps for a month, a quarter or a year is gone by then. */
export const overYear = 400 * 86_400;
