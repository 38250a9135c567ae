import type { Mutant } from "../edit.ts";
import { countingOneAtATime, drawing, drawingTogether, drawsFrom, sized, storing } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const envelope = "http/envelope.ts";
const bucket = "bucket: each.bucket,";
const renamed = (more: string): string => `bucket: \`\${each.bucket} \${${more}}\`,`;
const draw = "const drawn = await store.draw(id, draw);";
const header = '{ "Retry-After": String(seconds) }';
const drawsOf = "const { draws } = routeOf(exchange).operation;";

/** Servers that break a rule of the limits. */
export const limitMutants: readonly Mutant[] = [
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
