import type { Bound, Bucket, LadderTier } from "../contract.ts";
import type { ChangeId } from "./change-table.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs } from "./pairs.ts";

/** Limits by name, and the bounds that bodies and counts obey. */
export function diffLimits({ base, head }: FactContext, renamed: ReadonlyMap<string, string>): readonly Draft[] {
  const found = pairs(base.buckets, head.buckets, ({ name }) =>
    head.buckets.some((b) => b.name === name) ? name : (renamed.get(name) ?? name),
  );
  const at = (side: "base" | "head", bucket: Bucket): Where => {
    return factAt(side, pointerOf("buckets", bucket.name), ["Bucket", bucket.name], bucket.place);
  };
  return [
    ...found.removed.map((bucket) =>
      draft("limit-removed", at("base", bucket), `The limit ${bucket.name} is gone: no client is refused for it.`),
    ),
    ...found.added.map((bucket) =>
      draft(
        "limit-added",
        at("head", bucket),
        `The limit ${bucket.name} is new: what draws from it is refused when it is empty.`,
      ),
    ),
    ...found.both.flatMap(([before, after]) => diffBucket(before, after, at("head", after))),
    ...diffBounds(base.bounds, head.bounds),
  ];
}

function diffBucket(base: Bucket, head: Bucket, where: Where): readonly Draft[] {
  if (base.kind !== head.kind) {
    return [
      draft(
        "limit-kind-changed",
        where,
        `The limit ${head.name} is a ${head.kind}, not a ${base.kind}: a client that keeps to the old one may be refused.`,
      ),
    ];
  }
  const drafts: Draft[] = [...diffSizes(base, head, where)];
  if (base.unit !== head.unit) {
    drafts.push(
      draft(
        "limit-unit-changed",
        where,
        `The limit ${head.name} counts each ${head.unit}, not each ${base.unit}: a client that counts as before is refused early or waits too long.`,
      ),
    );
  }
  if (base.adjustable && !head.adjustable) {
    drafts.push(
      draft(
        "limit-fixed",
        where,
        `The limit ${head.name} can be adjusted no longer: a client whose limit was raised is refused.`,
      ),
    );
  }
  if (!base.adjustable && head.adjustable) {
    drafts.push(draft("limit-adjustable", where, `The limit ${head.name} can be adjusted now: nobody breaks.`));
  }
  if (base.question !== head.question) {
    drafts.push(
      draft(
        "limit-question-changed",
        where,
        `The open question on the limit ${head.name} is ${head.question ?? "none"}, not ${base.question ?? "none"}: what servers may do about it differs.`,
      ),
    );
  }
  return drafts;
}

/** Compares what is admitted at every amount of lifetime spend at which either takes a step. */
function diffSizes(base: Bucket, head: Bucket, where: Where): readonly Draft[] {
  const [before, after] = [tiersOf(base), tiersOf(head)];
  const steps = [...new Set([...before, ...after].map(({ fromCents }) => fromCents))].sort((one, other) => one - other);
  const sizes = steps.map((cents) => ({ cents, before: tierAt(before, cents), after: tierAt(after, cents) }));
  const first = (is: (before: LadderTier, after: LadderTier) => boolean) =>
    sizes.find(({ before, after }) => is(before, after));
  const rates = (one: LadderTier, other: LadderTier) => [
    one.capacity / base.periodSeconds,
    other.capacity / head.periodSeconds,
  ];
  const less = first((old, now) => {
    const [rate = 0, newRate = 0] = rates(old, now);
    return now.capacity < old.capacity || newRate < rate;
  });
  const more = first((old, now) => {
    const [rate = 0, newRate = 0] = rates(old, now);
    return now.capacity > old.capacity || newRate > rate;
  });
  const renumbered = first((old, now) => old.tier !== now.tier);
  const text = ({ cents, before: old, after: now }: (typeof sizes)[number]): string =>
    `${cents > 0 ? `from ${cents} cents: ` : ""}${old.capacity} in ${base.periodSeconds} s → ${now.capacity} in ${head.periodSeconds} s`;
  return [
    ...(less
      ? [
          draft(
            "limit-tightened",
            where,
            `The limit ${head.name} admits less (${text(less)}): a client that used all of it is refused.`,
          ),
        ]
      : []),
    ...(more
      ? [
          draft(
            "limit-loosened",
            where,
            `The limit ${head.name} admits more (${text(more)}): no client that kept to it is refused.`,
          ),
        ]
      : []),
    ...(renumbered
      ? [
          draft(
            "limit-tiers-renumbered",
            where,
            `Tier ${renumbered.before.tier} of the limit ${head.name} is tier ${renumbered.after.tier} from ${renumbered.cents} cents: who speaks of tiers by number is misunderstood.`,
          ),
        ]
      : []),
  ];
}

/** A bucket of one size is one tier. */
const tiersOf = (bucket: Bucket): readonly LadderTier[] =>
  bucket.kind === "ladder" ? bucket.tiers : [{ tier: 1, fromCents: 0, capacity: bucket.capacity }];

const noTier: LadderTier = { tier: 0, fromCents: 0, capacity: 0 };

const tierAt = (tiers: readonly LadderTier[], cents: number): LadderTier =>
  tiers
    .filter(({ fromCents }) => fromCents <= cents)
    .reduce((best, tier) => (tier.fromCents >= best.fromCents ? tier : best), noTier);

function diffBounds(base: readonly Bound[], head: readonly Bound[]): readonly Draft[] {
  const found = pairs(base, head, ({ name }) => name);
  return [
    ...found.removed.map((bound) =>
      draft(
        "bound-removed",
        factAt("base", pointerOf("bounds", bound.name), [bound.name]),
        `The bound ${bound.name} is gone: who made room for ${bound.value} ${bound.unit} may meet more.`,
      ),
    ),
    ...found.added.map((bound) =>
      draft(
        "bound-added",
        factAt("head", pointerOf("bounds", bound.name), [bound.name]),
        `The bound ${bound.name} (${bound.value} ${bound.unit}) is new: a client beyond it is refused.`,
      ),
    ),
    ...found.both.flatMap(([before, after]): readonly Draft[] => {
      if (before.value === after.value && before.unit === after.unit) return [];
      const where = factAt("head", pointerOf("bounds", after.name), [after.name]);
      return [draft(boundChange(before, after), where, boundText(before, after))];
    }),
  ];
}

/** A name that ends in Max or Min tells which way a bound narrows; of any other no direction is declared. */
function boundChange(base: Bound, head: Bound): ChangeId {
  const side = /(Max|Min)$/.exec(head.name)?.[1];
  if (base.unit !== head.unit || side === undefined) return "bound-changed";
  const narrows = side === "Max" ? head.value < base.value : head.value > base.value;
  return narrows ? "bound-tightened" : "bound-loosened";
}

function boundText(base: Bound, head: Bound): string {
  const change = `The bound ${head.name} is ${head.value} ${head.unit}, not ${base.value} ${base.unit}`;
  switch (boundChange(base, head)) {
    case "bound-tightened":
      return `${change}: a client that went up to the old one is refused.`;
    case "bound-loosened":
      return `${change}: who made room for the old one may meet what exceeds it.`;
    default:
      return `${change}: which way it narrows is not declared, so who relied on the old one may break.`;
  }
}
