import { type RawBuilder, sql } from "kysely";
import type { Draw, JointDraw } from "../../domain/limits/draw.ts";
import { windowOf } from "../../domain/limits/fixed-window.ts";
import { costOf } from "../../domain/limits/token-bucket.ts";

/** The arithmetic of an algorithm over rows of `limits` joined with rows of `wanted`, one for each part of a draw. */
export interface LimitColumns {
  /** Those of `wanted` beside the name. */
  readonly columns: Readonly<Record<string, "bigint">>;
  /** What they hold for one part of a draw at this time. */
  readonly wanted: (draw: Draw, milliseconds: number) => Readonly<Record<string, number>>;
  /** The level after the draw. */
  readonly next: LevelColumns;
  readonly hasRoom: RawBuilder<boolean>;
  /** The level after the draw was taken back. */
  readonly returned: LevelColumns;
}

export interface LevelColumns {
  readonly mark: RawBuilder<number>;
  readonly used: RawBuilder<number>;
  readonly earlier: RawBuilder<number>;
}

const mark = sql.ref<number>("limits.mark");
const used = sql.ref<number>("limits.used");
const earlier = sql.ref<number>("limits.earlier");

const capacity = sql.ref<number>("wanted.capacity");
const units = sql.ref<number>("wanted.units");
const start = sql.ref<number>("wanted.start");
const period = sql.ref<number>("wanted.period");
const elapsed = sql.ref<number>("wanted.elapsed");
const cost = sql.ref<number>("wanted.cost");
const most = sql.ref<number>("wanted.most");
const now = sql.ref<number>("wanted.now");

export function limitColumns(algorithm: JointDraw["algorithm"]): LimitColumns {
  switch (algorithm) {
    case "token-bucket":
      return tokenBucket();
    case "fixed-window":
      return fixedWindow();
    case "sliding-window":
      return slidingWindow();
  }
}

function tokenBucket(): LimitColumns {
  const next = sql<number>`(case when ${mark} > ${now} then ${mark} else ${now} end) + ${cost}`;
  return {
    columns: { now: "bigint", cost: "bigint", most: "bigint" },
    wanted(draw, milliseconds) {
      const { cost, burst } = costOf(draw);
      return { now: milliseconds * 1000, cost, most: milliseconds * 1000 + burst };
    },
    next: { mark: next, used, earlier },
    hasRoom: sql`${next} <= ${most}`,
    returned: { mark: sql`${mark} - ${cost}`, used, earlier },
  };
}

/** What windows have in common: what was drawn in the one that the draw falls into, or in one ahead of it. */
const drawn = sql<number>`(case when ${mark} < ${start} then 0 else ${used} end)`;
const window = {
  // A mark ahead of this process's clock was set by another process: its window holds.
  mark: sql<number>`(case when ${mark} < ${start} then ${start} else ${mark} end)`,
  used: sql<number>`(${drawn} + ${units})`,
};
const returnedToWindow: LevelColumns = {
  mark,
  used: sql`(case when ${mark} = ${start} then ${used} - ${units} else ${used} end)`,
  earlier,
};

function fixedWindow(): LimitColumns {
  return {
    columns: { start: "bigint", units: "bigint", capacity: "bigint" },
    wanted: ({ size, units }, milliseconds) => ({
      start: windowOf(size, milliseconds).start,
      units,
      capacity: size.capacity,
    }),
    next: { ...window, earlier },
    hasRoom: sql`${window.used} <= ${capacity}`,
    returned: returnedToWindow,
  };
}

function slidingWindow(): LimitColumns {
  const before = sql<number>`(case when ${mark} >= ${start} then ${earlier} when ${mark} = ${start} - ${period} then ${used} else 0 end)`;
  return {
    columns: { start: "bigint", period: "bigint", elapsed: "bigint", units: "bigint", capacity: "bigint" },
    wanted({ size, units }, milliseconds) {
      const { start, period } = windowOf(size, milliseconds);
      return { start, period, elapsed: milliseconds - start, units, capacity: size.capacity };
    },
    next: { ...window, earlier: before },
    hasRoom: sql`${before} * (${period} - ${elapsed}) + ${window.used} * ${period} <= ${capacity} * ${period}`,
    returned: returnedToWindow,
  };
}
