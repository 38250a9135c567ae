import type { Mutant } from "../edit.ts";
import { mutant } from "./mutant.ts";

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
    "KEYC-30",
    "refund",
    "gives a unit back with every refusal",
    rateLimit,
    "    if (!drawn.admitted) return",
    "    if (!drawn.admitted) await store.giveBack(id, bucket, draw);\n    if (!drawn.admitted) return",
  ),
  mutant(
    "KEYC-30",
    "one-more",
    "admits one more than the limit",
    rateLimit,
    size,
    "size: { ...sizeOf(bucket, caller.organization), capacity: sizeOf(bucket, caller.organization).capacity + 1 },",
  ),
  mutant(
    "KEYC-30",
    "concurrent",
    "counts only one of several concurrent calls",
    rateLimit,
    draw,
    "const busy = ((globalThis as Record<string, unknown>).busy ??= new Set()) as Set<string>;\n    const free = !busy.has(id);\n    busy.add(id);\n    const drawn = free ? (await new Promise((resolve) => setTimeout(resolve, 20)), await store.draw(id, bucket, draw)) : ({ admitted: true } as const);\n    if (free) busy.delete(id);",
  ),
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
  mutant(
    "LIM-13",
    "details",
    "details throttling",
    rateLimit,
    `return refuse.RateLimited(message, ${header});`,
    `return Object.assign(refuse.RateLimited(message, ${header}), { details: { limit: String(capacity) } });`,
  ),
];
