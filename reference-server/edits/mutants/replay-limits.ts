import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Drawn } from "../../store/store.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { onAnswer, withHeaders } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const size = "size: sizeOf(bucket, caller.organization),";
const draw = "const drawn = await store.draw(id, bucket, draw);";
const refusal = "if (!drawn.admitted) return exhausted(";
const isReplay = 'bucket === "deliveryReplays"';

const sized = (rule: RuleId, name: string, does: string, change: string): Mutant =>
  mutant(
    rule,
    name,
    does,
    rateLimit,
    size,
    `size: { ...sizeOf(bucket, caller.organization), ...(${isReplay} ? { ${change} } : {}) },`,
  );

const drawing = (rule: RuleId, name: string, does: string, replace: string): Mutant =>
  mutant(rule, name, does, rateLimit, draw, replace);

/** The header of a throttled replay; others keep theirs. */
const retryAfter = (rule: RuleId, name: string, does: string, value: (seconds: number) => string | undefined): Mutant =>
  mutantOf(rule, name, does, [
    {
      wire: onAnswer("replayDelivery", (answer) => {
        const seconds = answer.headers["retry-after"];
        return seconds === undefined ? answer : withHeaders(answer, { "retry-after": value(Number(seconds)) });
      }),
    },
  ]);

/** Servers that limit replays otherwise than the contract says. */
export const replayLimitMutants: readonly Mutant[] = [
  sized(
    "WHP-22",
    "one-less",
    "admits a replay less than the limit",
    "capacity: sizeOf(bucket, caller.organization).capacity - 1",
  ),
  mutant(
    "WHP-22",
    "reads-draw",
    "counts looks at the feed as replays",
    rateLimit,
    "const { bucket } = routeOf(exchange).operation;",
    'const { operation } = routeOf(exchange);\n    const bucket = operation.id === "listDeliveryAttempts" ? "deliveryReplays" : operation.bucket;',
  ),
  sized(
    "WHP-23",
    "one-more",
    "admits a replay more than the limit",
    "capacity: sizeOf(bucket, caller.organization).capacity + 1",
  ),
  drawing(
    "WHP-23",
    "per-delivery",
    "keeps a limit for every delivery",
    `const drawn = await store.draw(id, ${isReplay} ? \`\${bucket} \${(exchange.input.path as any).id}\` : bucket, draw);`,
  ),
  mutantOf("WHP-23", "concurrent", "counts only one of several concurrent replays", [
    storing((store) => {
      const busy = new Set<string>();
      return {
        async draw(organizationId, bucket, draw) {
          if (bucket === operations.replayDelivery.bucket && busy.has(organizationId)) return { admitted: true };
          busy.add(organizationId);
          await new Promise((resolve) => setTimeout(resolve, 20));
          const drawn = await store.draw(organizationId, bucket, draw);
          busy.delete(organizationId);
          return drawn;
        },
      };
    }),
  ]),
  retryAfter("WHP-23", "no-header", "does not say when to replay again", () => undefined),
  retryAfter("WHP-23", "date", "says when to replay again as a date", () => new Date().toUTCString()),
  retryAfter("WHP-23", "zero", "says that a replay may be asked for again at once", () => "0"),
  retryAfter("WHP-26", "half", "says half of the time until a replay is admitted", (seconds) =>
    String(Math.max(1, Math.ceil(seconds / 2))),
  ),
  mutantOf("WHP-26", "penalty", "admits no replay for a minute after one that was refused", [
    storing((store) => {
      const refused = new Map<string, { readonly until: number; readonly drawn: Drawn }>();
      return {
        async draw(organizationId, bucket, draw) {
          const drawn = await store.draw(organizationId, bucket, draw);
          if (bucket !== operations.replayDelivery.bucket) return drawn;
          if (!drawn.admitted) refused.set(organizationId, { until: draw.now + 60_000, drawn });
          const before = refused.get(organizationId);
          return before !== undefined && before.until > draw.now ? before.drawn : drawn;
        },
      };
    }),
  ]),
  drawing(
    "WHP-24",
    "one-bucket",
    "has replays and keys share a bucket",
    `const drawn = await store.draw(id, ${isReplay} ? "apiKeyWrites" : bucket, draw);`,
  ),
  drawing(
    "WHP-24",
    "replays-draw-both",
    "has a replay draw on the bucket of keys too",
    `${draw}\n    if (${isReplay}) await store.draw(id, "apiKeyWrites", draw);`,
  ),
  drawing(
    "WHP-24",
    "keys-draw-both",
    "has a key draw on the bucket of replays too",
    `${draw}\n    if (!(${isReplay})) await store.draw(id, "deliveryReplays", draw);`,
  ),
  mutant(
    "WHP-25",
    "sent",
    "refuses a replay and sends it all the same",
    rateLimit,
    "if (!drawn.admitted) return exhausted(draw.size, retryAfterSeconds(drawn.level, draw));",
    `if (!drawn.admitted && ${isReplay}) await routeOf(exchange).handle(exchange.input, caller);\n    ${refusal}draw.size, retryAfterSeconds(drawn.level, draw));`,
  ),
  mutant(
    "WHP-25",
    "put-off",
    "refuses a replay and sends it a minute later",
    rateLimit,
    "if (!drawn.admitted) return exhausted(draw.size, retryAfterSeconds(drawn.level, draw));",
    `if (!drawn.admitted && ${isReplay}) await store.atomically(id, async (tx) => {
        const attempt = await tx.attempts.find((exchange.input.path as any).id);
        const event = attempt && (await tx.events.find(attempt.eventId));
        if (attempt && event) await tx.enqueue({ ...event, id: \`evt_\${crypto.randomUUID()}\`, createdAt: draw.now + 60_000 }, { endpointId: attempt.endpointId });
      });\n    ${refusal}draw.size, retryAfterSeconds(drawn.level, draw));`,
  ),
];
