import { type RawBuilder, sql } from "kysely";
import type { Draw, LimitLevel } from "../domain/draw.ts";
import { windowOf } from "../domain/fixed-window.ts";
import { bucketDraw } from "../domain/token-bucket.ts";

/** A draw as one statement: the level that it makes of an unused limit, and of a used one where `admitted` holds. */
export interface LimitUpdate {
  readonly fresh: LimitLevel;
  readonly next: { readonly [Column in keyof LimitLevel]: RawBuilder<number> };
  readonly admitted: RawBuilder<boolean>;
}

/** A given-back draw as one statement. */
export interface LimitReturn {
  readonly next: { readonly [Column in keyof LimitLevel]?: RawBuilder<number> };
  readonly where: RawBuilder<boolean>;
}

const mark = sql.ref<number>("limits.mark");
const used = sql.ref<number>("limits.used");
const earlier = sql.ref<number>("limits.earlier");

export function limitUpdate(draw: Draw): LimitUpdate {
  switch (draw.algorithm) {
    case "token-bucket":
      return tokenBucket(draw);
    case "fixed-window":
      return fixedWindow(draw);
    case "sliding-window":
      return slidingWindow(draw);
  }
}

export function limitReturn(draw: Draw): LimitReturn {
  switch (draw.algorithm) {
    case "token-bucket":
      return { next: { mark: sql`${mark} - ${bucketDraw(draw).cost}` }, where: sql`1 = 1` };
    case "fixed-window":
    case "sliding-window":
      return { next: { used: sql`${used} - ${draw.units}` }, where: sql`${mark} = ${windowOf(draw).start}` };
  }
}

function tokenBucket(draw: Draw): LimitUpdate {
  const { now, cost, burst } = bucketDraw(draw);
  const next = sql<number>`(case when ${mark} > ${now} then ${mark} else ${now} end) + ${cost}`;
  return {
    fresh: { mark: now + cost, used: 0, earlier: 0 },
    next: { mark: next, used, earlier },
    admitted: sql`${next} <= ${now + burst}`,
  };
}

function fixedWindow(draw: Draw): LimitUpdate {
  const { start } = windowOf(draw);
  // A mark ahead of this process's clock was set by another process: its window holds.
  const before = sql<number>`(case when ${mark} < ${start} then 0 else ${used} end)`;
  return {
    fresh: { mark: start, used: draw.units, earlier: 0 },
    next: { mark: later(start), used: sql`${before} + ${draw.units}`, earlier },
    admitted: sql`${before} + ${draw.units} <= ${draw.size.capacity}`,
  };
}

function slidingWindow(draw: Draw): LimitUpdate {
  const { start, period } = windowOf(draw);
  const left = period - (draw.now - start);
  const before = sql<number>`(case when ${mark} < ${start} then 0 else ${used} end)`;
  const previous = sql<number>`(case when ${mark} >= ${start} then ${earlier} when ${mark} = ${start - period} then ${used} else 0 end)`;
  return {
    fresh: { mark: start, used: draw.units, earlier: 0 },
    next: { mark: later(start), used: sql`${before} + ${draw.units}`, earlier: previous },
    admitted: sql`${previous} * ${left} + (${before} + ${draw.units}) * ${period} <= ${draw.size.capacity * period}`,
  };
}

const later = (start: number) => sql<number>`(case when ${mark} < ${start} then ${start} else ${mark} end)`;
