import { invariants } from "../../conformance/monitor/invariants.ts";

const watched: ReadonlySet<string> = new Set(invariants.map(({ rule }) => rule));

/** Whether the monitor judges the rule, whatever check runs. */
export const isWatched = (rule: string): boolean => watched.has(rule);
