import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { Draw, LimitLevel } from "../../domain/limits/draw.ts";
import { costOf } from "../../domain/limits/token-bucket.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { countingOneAtATime, drawing, drawingTogether, drawsFrom, sized, storing } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const envelope = "http/envelope.ts";
const bucket = "bucket: each.bucket,";
const renamed = (more: string): string => `bucket: \`\${each.bucket} \${${more}}\`,`;
const draw = "const drawn = await store.draw(id, draw);";
const header = '{ "Retry-After": String(seconds) }';
const drawsOf = "const { draws } = routeOf(exchange).operation;";

/** The level of an evenly refilled bucket that admits a draw after a number of milliseconds. */
function levelWithWait(draw: Draw, now: number, waitMilliseconds: number): LimitLevel {
  const { cost, burst } = costOf(draw);
  return { mark: Math.ceil((now + waitMilliseconds) * 1000) + burst - cost, used: 0, earlier: 0 };
}

/** A limit that replaces one bucket. Returns the milliseconds until it admits a draw, zero if it admits it now. */
type OwnLimit = (draw: Draw, now: number) => number;

/** Replaces the limits of some buckets. */
const limitedBy = (isLimited: (draw: Draw) => boolean, makeLimit: () => OwnLimit): PortChange =>
  storing((store) => {
    const limits = new Map<string, OwnLimit>();
    const limitOf = (key: string): OwnLimit => {
      const limit = limits.get(key) ?? makeLimit();
      limits.set(key, limit);
      return limit;
    };
    return {
      async draw(organizationId, joint) {
        const limited = joint.draws.filter(isLimited);
        const draws = joint.draws.filter((draw) => !isLimited(draw));
        const drawn =
          draws.length === 0 ? { admitted: true as const } : await store.draw(organizationId, { ...joint, draws });
        if (!drawn.admitted) return drawn;
        for (const draw of limited) {
          const wait = limitOf(`${organizationId} ${draw.bucket}`)(draw, joint.now);
          if (wait <= 0) continue;
          if (draws.length > 0) await store.giveBack(organizationId, { ...joint, draws });
          return { admitted: false, levels: new Map([[draw.bucket, levelWithWait(draw, joint.now, wait)]]) };
        }
        return drawn;
      },
    };
  });

const periodMilliseconds = ({ size }: Draw): number => size.periodSeconds * 1000;

/** A counter whose expiry each call renews. */
function renewedCounter(): OwnLimit {
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  return (draw, now) => {
    if (now - last >= periodMilliseconds(draw)) count = 0;
    last = now;
    if (count + draw.units > draw.size.capacity) return periodMilliseconds(draw);
    count += draw.units;
    return 0;
  };
}

/** A bucket that refills by whole units, from the call before, and drops the rest. */
function flooredBucket(): OwnLimit {
  let [units, last]: [number | null, number] = [null, 0];
  return (draw, now) => {
    const { capacity } = draw.size;
    const unitMilliseconds = periodMilliseconds(draw) / capacity;
    // Sums of fractions fall short of whole numbers.
    units = Math.min(capacity, (units ?? capacity) + Math.floor((now - last) / unitMilliseconds + 1e-9));
    last = now;
    if (units < draw.units) return (draw.units - units) * unitMilliseconds;
    units -= draw.units;
    return 0;
  };
}

/** A bucket that refills by whole seconds since the call before, and drops the rest. */
function secondsBucket(): OwnLimit {
  let [units, last]: [number | null, number] = [null, 0];
  return (draw, now) => {
    const { capacity } = draw.size;
    const unitsInSecond = capacity / draw.size.periodSeconds;
    units = Math.min(capacity, (units ?? capacity) + Math.floor((now - last) / 1000) * unitsInSecond);
    last = now;
    if (units < draw.units) return Math.ceil((draw.units - units) / unitsInSecond) * 1000;
    units -= draw.units;
    return 0;
  };
}

/** A window that turns only if a whole period has no call. */
function stuckWindow(): OwnLimit {
  let [count, window] = [0, Number.NEGATIVE_INFINITY];
  return (draw, now) => {
    const present = Math.floor(now / periodMilliseconds(draw));
    if (present > window + 1) count = 0;
    window = Math.max(window, present);
    if (count + draw.units > draw.size.capacity) return (window + 2) * periodMilliseconds(draw) - now;
    count += draw.units;
    return 0;
  };
}

const drawsOn = (bucket: BucketName) => (draw: Draw) => draw.bucket === bucket;

/** Servers that refuse callers who stay below a limit. */
const steadyCallerMutants: readonly Mutant[] = [
  ...(
    ["apiKeyWrites", "deliveryReplays", "contactErasures", "consentRecords", "messageSendsPerMinute"] as const
  ).flatMap((bucket) => [
    mutantOf("LIM-24", `renewed-${bucket}`, `renews the expiry of the counter of ${bucket} with each call`, [
      limitedBy(drawsOn(bucket), renewedCounter),
    ]),
    mutantOf("LIM-24", `floored-${bucket}`, `drops fractions of units that refill in ${bucket}`, [
      limitedBy(drawsOn(bucket), flooredBucket),
    ]),
  ]),
  mutantOf("LIM-24", "stuck-window", "turns no window of a limit while calls arrive", [
    limitedBy(() => true, stuckWindow),
  ]),
  ...buckets.messageSendsPerSecond.tiers
    .slice(1)
    .map(({ tier, capacity }) =>
      mutantOf(
        "LIM-24",
        `whole-seconds-${tier}`,
        `refills the bucket of a second on tier ${tier} by whole seconds between calls`,
        [limitedBy((draw) => drawsOn("messageSendsPerSecond")(draw) && draw.size.capacity === capacity, secondsBucket)],
      ),
    ),
  mutantOf("LIM-24", "renewed-minute-2", "renews the expiry of the counter of a minute on tier 2 with each send", [
    limitedBy(
      (draw) =>
        drawsOn("messageSendsPerMinute")(draw) &&
        draw.size.capacity === buckets.messageSendsPerMinute.tiers[1].capacity,
      renewedCounter,
    ),
  ]),
];

/** Servers that break a rule of the limits. */
export const limitMutants: readonly Mutant[] = [
  ...steadyCallerMutants,
  mutantOf("KEYC-29", "one-less", "admits one less than the limit", [
    drawing(
      "any",
      sized(({ capacity }) => ({ capacity: capacity - 1 })),
    ),
  ]),
  mutantOf("KEYC-29", "hour", "keeps the limit for an hour", [
    drawing(
      "any",
      sized(() => ({ periodSeconds: 3600 })),
    ),
  ]),
  mutantOf("KEYC-36", "half-minute", "refills in half the time", [
    drawing(
      "any",
      sized(({ periodSeconds }) => ({ periodSeconds: periodSeconds / 2 })),
    ),
  ]),
  mutantOf("KEYC-36", "a-bit-fast", "refills in seven eighths of the time", [
    storing((store) => ({
      draw: (organizationId, draw) => store.draw(organizationId, { ...draw, now: Math.floor((draw.now * 8) / 7) }),
    })),
  ]),
  mutantOf("KEYC-30", "refund", "gives a unit back with every refusal", [
    storing((store) => ({
      async draw(organizationId, draw) {
        const drawn = await store.draw(organizationId, draw);
        if (!drawn.admitted) await store.giveBack(organizationId, draw);
        return drawn;
      },
    })),
  ]),
  mutantOf("KEYC-30", "one-more", "admits one more than the limit", [
    drawing(
      "any",
      sized(({ capacity }) => ({ capacity: capacity + 1 })),
    ),
  ]),
  mutantOf("KEYC-30", "concurrent", "counts only one of several concurrent calls", [countingOneAtATime(() => true)]),
  mutant("KEYC-31", "missing", "sends no Retry-After", rateLimit, header, "{} as never"),
  mutant(
    "KEYC-32",
    "apart",
    "keeps a bucket for each operation",
    rateLimit,
    bucket,
    renamed("routeOf(exchange).operation.id"),
  ),
  mutant(
    "KEYC-32",
    "reset",
    "fills the bucket with every rotation",
    rateLimit,
    draw,
    `if (routeOf(exchange).operation.id === "rotateApiKey") for (let i = 0; i < 5; i += 1) await store.giveBack(id, draw);\n    ${draw}`,
  ),
  mutant("KEYC-33", "much-too-short", "always asks to wait one second", rateLimit, header, '{ "Retry-After": "1" }'),
  mutant(
    "KEYC-33",
    "short",
    "asks to wait a second too little",
    rateLimit,
    header,
    '{ "Retry-After": String(Math.max(1, seconds - 1)) }',
  ),
  mutant(
    "KEYC-33",
    "long",
    "asks to wait five seconds too much",
    rateLimit,
    header,
    '{ "Retry-After": String(seconds + 5) }',
  ),
  mutant(
    "KEYC-34",
    "creates",
    "creates the key before it looks at the limit",
    "http/request-path.ts",
    "    onlyFor((operation) => !drawsFirst(operation), limit),\n    answerOnce(store, world, choices, handle),",
    "    answerOnce(store, world, choices, handle),\n    onlyFor((operation) => !drawsFirst(operation), limit),",
  ),
  mutant(
    "KEYC-35",
    "reads-draw",
    "counts reads",
    rateLimit,
    drawsOf,
    'const { draws: own } = routeOf(exchange).operation;\n    const draws = own.length > 0 ? own : [{ bucket: "apiKeyWrites", records: null, tooMany: null }];',
  ),
  mutant(
    "KEYR-01",
    "rotation-free",
    "does not count rotations",
    rateLimit,
    "if (draws.length === 0) return null;",
    'if (draws.length === 0 || routeOf(exchange).operation.id === "rotateApiKey") return null;',
  ),
  mutant(
    "KEYR-01",
    "per-key",
    "counts the rotations of each key apart",
    rateLimit,
    bucket,
    renamed('exchange.parameters.id ?? ""'),
  ),
  mutant(
    "TEN-17",
    "replays",
    "keeps a bucket of replays for every key",
    rateLimit,
    bucket,
    renamed('each.bucket === "deliveryReplays" && caller.kind === "key" ? caller.id : ""'),
  ),
  mutantOf("TEN-16", "replays", "keeps one bucket of replays for all organizations", [
    drawingTogether((draw) => drawsFrom(draw, "deliveryReplays")),
  ]),
  mutant(
    "LIM-11",
    "code",
    "names throttling in another way",
    envelope,
    "code: rowOf(refusal).code,",
    'code: refusal.row === "RateLimited" ? "TOO_MANY_REQUESTS" : rowOf(refusal).code,',
  ),
  mutant(
    "LIM-12",
    "date",
    "sends a date as Retry-After",
    rateLimit,
    header,
    '{ "Retry-After": new Date(Date.now() + seconds * 1000).toUTCString() }',
  ),
  mutant(
    "LIM-12",
    "fraction",
    "sends a fraction as Retry-After",
    rateLimit,
    header,
    '{ "Retry-After": (seconds - 0.5).toFixed(1) }',
  ),
  mutant("LIM-14", "day", "always asks to wait for a day", rateLimit, header, '{ "Retry-After": "86400" }'),
  mutant(
    "LIM-14",
    "milliseconds",
    "asks to wait for as many seconds as there are milliseconds",
    rateLimit,
    header,
    '{ "Retry-After": String(seconds * 1000) }',
  ),
  mutant(
    "LIM-13",
    "details",
    "details throttling",
    rateLimit,
    `return refuse.RateLimited(message, ${header});`,
    `return Object.assign(refuse.RateLimited(message, ${header}), { details: { limit: String(capacity) } });`,
  ),
];
