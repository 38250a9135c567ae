import type { Mutant } from "../edit.ts";
import { drawingTogether, storing } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const envelope = "http/envelope.ts";
const size = "size: sizeOf(bucket, caller.organization),";
const draw = "const drawn = await store.draw(id, bucket, draw);";
const header = '{ "Retry-After": String(seconds) }';
const bucketOf = "const { bucket } = routeOf(exchange).operation;";

/** Servers that break a rule of the limits. */
export const limitMutants: readonly Mutant[] = [
  mutant(
    "KEYC-29",
    "one-less",
    "admits one less than the limit",
    rateLimit,
    size,
    "size: { ...sizeOf(bucket, caller.organization), capacity: sizeOf(bucket, caller.organization).capacity - 1 },",
  ),
  mutant(
    "KEYC-29",
    "hour",
    "keeps the limit for an hour",
    rateLimit,
    size,
    "size: { ...sizeOf(bucket, caller.organization), periodSeconds: 3600 },",
  ),
  mutant(
    "KEYC-36",
    "half-minute",
    "refills in half the time",
    rateLimit,
    size,
    "size: { ...sizeOf(bucket, caller.organization), periodSeconds: 30 },",
  ),
  mutant(
    "KEYC-36",
    "a-bit-fast",
    "refills in seven eighths of the time",
    rateLimit,
    draw,
    "Object.assign(draw, { now: Math.floor((draw.now * 8) / 7) });\n    const drawn = await store.draw(id, bucket, draw);",
  ),
  mutant(
    "KEYC-30",
    "refund",
    "gives a unit back with every refusal",
    rateLimit,
    "if (!drawn.admitted) return exhausted(draw.size, retryAfterSeconds(drawn.level, draw));",
    "if (!drawn.admitted) await store.giveBack(id, bucket, draw);\n    if (!drawn.admitted) return exhausted(draw.size, retryAfterSeconds(drawn.level, draw));",
  ),
  mutant(
    "KEYC-30",
    "one-more",
    "admits one more than the limit",
    rateLimit,
    size,
    "size: { ...sizeOf(bucket, caller.organization), capacity: sizeOf(bucket, caller.organization).capacity + 1 },",
  ),
  mutantOf("KEYC-30", "concurrent", "counts only one of several concurrent calls", [
    storing((store) => {
      const busy = new Set<string>();
      return {
        async draw(organizationId, bucket, draw) {
          if (busy.has(organizationId)) return { admitted: true };
          busy.add(organizationId);
          await new Promise((resolve) => setTimeout(resolve, 20));
          const drawn = await store.draw(organizationId, bucket, draw);
          busy.delete(organizationId);
          return drawn;
        },
      };
    }),
  ]),
  mutant("KEYC-31", "missing", "sends no Retry-After", rateLimit, header, "{} as never"),
  mutant(
    "KEYC-32",
    "apart",
    "keeps a bucket for each operation",
    rateLimit,
    draw,
    "const drawn = await store.draw(id, `${bucket}:${routeOf(exchange).operation.id}`, draw);",
  ),
  mutant(
    "KEYC-32",
    "reset",
    "fills the bucket with every rotation",
    rateLimit,
    draw,
    `if (routeOf(exchange).operation.id === "rotateApiKey") for (let i = 0; i < 5; i += 1) await store.giveBack(id, bucket, draw);\n    ${draw}`,
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
    "    !limitFirst && limit,\n    handle,",
    "    handle,\n    !limitFirst && limit,",
  ),
  mutant(
    "KEYC-35",
    "reads-draw",
    "counts reads",
    rateLimit,
    bucketOf,
    'const bucket = routeOf(exchange).operation.bucket ?? "apiKeyWrites";',
  ),
  mutant(
    "KEYR-01",
    "rotation-free",
    "does not count rotations",
    rateLimit,
    "    if (bucket === null) return null;",
    '    if (bucket === null || routeOf(exchange).operation.id === "rotateApiKey") return null;',
  ),
  mutant(
    "KEYR-01",
    "per-key",
    "counts the rotations of each key apart",
    rateLimit,
    draw,
    'const drawn = await store.draw(id, `${bucket}:${exchange.request.params.id ?? ""}`, draw);',
  ),
  mutant(
    "TEN-17",
    "replays",
    "keeps a bucket of replays for every key",
    rateLimit,
    draw,
    'const key = bucket === "deliveryReplays" && caller.kind === "key" ? caller.id : "";\n    const drawn = await store.draw(id, `${bucket}${key}`, draw);',
  ),
  mutantOf("TEN-16", "replays", "keeps one bucket of replays for all organizations", [
    drawingTogether((bucket) => bucket === "deliveryReplays"),
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
