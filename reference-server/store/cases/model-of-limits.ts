import type { Draw, JointDraw } from "../../domain/limits/draw.ts";

/** Units drawn at an instant, in milliseconds. */
interface Taken {
  readonly at: number;
  readonly units: number;
}

/** Limits kept from all that was ever drawn, by the definition of each algorithm and with none of its shortcuts. */
export function modelOfLimits(algorithm: JointDraw["algorithm"]) {
  const taken = new Map<string, Taken[]>();
  const takenFrom = (bucket: string): Taken[] => {
    const of = taken.get(bucket) ?? [];
    taken.set(bucket, of);
    return of;
  };
  const hasRoom = ({ now, draws }: JointDraw): boolean =>
    draws.every((draw) => roomAt(now, draw, takenFrom(draw.bucket)) >= 0);

  return {
    hasRoom,
    draw(joint: JointDraw): boolean {
      if (!hasRoom(joint)) return false;
      for (const { bucket, units } of joint.draws) takenFrom(bucket).push({ at: joint.now, units });
      return true;
    },
    /** Takes the latest draw back. */
    giveBack({ draws }: JointDraw): void {
      for (const { bucket } of draws) takenFrom(bucket).pop();
    },
  };

  /** What would be left after a draw, in whatever measure the algorithm has; negative where it has no room. */
  function roomAt(now: number, { size, units }: Draw, before: readonly Taken[]): number {
    const { capacity, periodSeconds } = size;
    const period = periodSeconds * 1000;
    const inWindow = (start: number): number =>
      before.filter(({ at }) => at >= start && at < start + period).reduce((sum, one) => sum + one.units, 0);
    const start = Math.floor(now / period) * period;
    switch (algorithm) {
      case "token-bucket":
        return levelAt(now, capacity, period, before) - units * unitCost(capacity, period);
      case "fixed-window":
        return capacity - inWindow(start) - units;
      case "sliding-window": {
        const left = period - (now - start);
        return capacity * period - inWindow(start - period) * left - (inWindow(start) + units) * period;
      }
    }
  }
}

/** Microseconds in which a unit refills, in whole ones. */
const unitCost = (capacity: number, period: number): number => Math.ceil((period * 1000) / capacity);

/** Microseconds' worth of units that a bucket holds. */
function levelAt(now: number, capacity: number, period: number, before: readonly Taken[]): number {
  const full = unitCost(capacity, period) * capacity;
  let [level, then] = [full, 0];
  for (const { at, units } of [...before, { at: now, units: 0 }]) {
    level = Math.min(full, level + (at - then) * 1000) - units * unitCost(capacity, period);
    then = at;
  }
  return level;
}
