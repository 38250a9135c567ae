import { setTimeout as pause } from "node:timers/promises";
import type { Fleet } from "./fleet.ts";
import type { KillMoment, Moments } from "./moments.ts";
import type { Random } from "./random.ts";

/** One kill, and what it cut off. */
export interface Kill {
  readonly moment: KillMoment;
  /** Servers that went, of all that there were. */
  readonly victims: readonly number[];
  /** Requests that waited for an answer, and deliveries that the receiver had not answered, just before. */
  readonly requests: number;
  readonly deliveries: number;
}

export interface KillParts {
  readonly fleet: Fleet;
  readonly moments: Moments;
  readonly random: Random;
  /** How much is under way now. */
  readonly underway: () => Pick<Kill, "requests" | "deliveries">;
}

/** Real milliseconds that servers work undisturbed before a kill. */
const leastWork = 50;
const mostWork = 900;

/** Real milliseconds that a moment is waited for. */
const momentPatience = 1_500;

/** Real milliseconds within which a start is cut off; it is over well before on most machines. */
const longestStart = 1_500;

/** Kills servers at a moment, and leaves them dead. */
export async function kill(moment: KillMoment, { fleet, moments, random, underway }: KillParts): Promise<Kill> {
  const all = Array.from({ length: fleet.size }, (_, index) => index);
  // One of several or all of them: those that are left take over, or the next ones do.
  const victims = fleet.size > 1 && random.fraction() < 0.6 ? [random.oneOf(all)] : all;
  let met: ReturnType<typeof underway> | null = null;
  let gone: Promise<void> | null = null;
  const strike = (): void => {
    met ??= underway();
    gone ??= fleet.kill(victims);
  };
  switch (moment) {
    case "its start":
      await fleet.kill(victims);
      fleet.restart(victims);
      await pause(random.between(0, longestStart));
      break;
    case "any time":
      await pause(random.between(leastWork, mostWork));
      break;
    default:
      await pause(random.between(leastWork, mostWork));
      // In the very moment, or just after it.
      await moments.at(moment, random.fraction() < 0.5 ? strike : () => setTimeout(strike, 3), momentPatience);
      await pause(5);
  }
  strike();
  await gone;
  return { moment, victims, ...(met ?? { requests: 0, deliveries: 0 }) };
}
