import { constants } from "../../../generated/constants.ts";
import type { BucketName } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Drawn } from "../../store/store.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { countingOneAtATime, drawing, drawsFrom, sized, storing } from "../port-changes.ts";
import { onRetryAfter } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const refusal = "if (!drawn.admitted) return exhausted(draw, drawn);";
const replays = "deliveryReplays";
const keys = "apiKeyWrites";
const isReplay = `draws.some(({ bucket }) => bucket === "${replays}")`;

/** A call that draws from one bucket draws from another too, whether or not that one has room. */
const drawingAlso = (bucket: BucketName, other: BucketName): PortChange =>
  storing((store) => ({
    async draw(organizationId, draw) {
      const also = draw.draws.map((one) => ({ ...one, bucket: other }));
      if (drawsFrom(draw, bucket)) await store.draw(organizationId, { ...draw, draws: also });
      return store.draw(organizationId, draw);
    },
  }));

/** The header of a throttled replay; others keep theirs. */
const retryAfter = (rule: RuleId, name: string, does: string, value: (seconds: number) => string | undefined): Mutant =>
  wireMutant(rule, name, does, onRetryAfter("replayDelivery", value));

/** Servers that limit replays otherwise than the contract says. */
export const replayLimitMutants: readonly Mutant[] = [
  mutantOf("WHP-22", "one-less", "admits a replay less than the limit", [
    drawing(
      replays,
      sized(({ capacity }) => ({ capacity: capacity - 1 })),
    ),
  ]),
  mutant(
    "WHP-22",
    "reads-draw",
    "counts looks at the feed as replays",
    rateLimit,
    "const { draws } = routeOf(exchange).operation;",
    'const { operation } = routeOf(exchange);\n    const draws = operation.id === "listDeliveryAttempts" ? [{ bucket: "deliveryReplays", records: null, tooMany: null }] : operation.draws;',
  ),
  mutantOf("WHP-23", "one-more", "admits a replay more than the limit", [
    drawing(
      replays,
      sized(({ capacity }) => ({ capacity: capacity + 1 })),
    ),
  ]),
  mutant(
    "WHP-23",
    "per-delivery",
    "keeps a limit for every delivery",
    rateLimit,
    "bucket: each.bucket,",
    `bucket: each.bucket === "${replays}" ? \`\${each.bucket} \${exchange.parameters.id}\` : each.bucket,`,
  ),
  mutantOf("WHP-23", "concurrent", "counts only one of several concurrent replays", [
    countingOneAtATime((draw) => drawsFrom(draw, replays)),
  ]),
  mutantOf("WHP-23", "fast", "refills in seven eighths of the time", [
    storing((store) => ({
      draw: (organizationId, draw) =>
        store.draw(organizationId, drawsFrom(draw, replays) ? { ...draw, now: Math.floor((draw.now * 8) / 7) } : draw),
    })),
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
        async draw(organizationId, draw) {
          const drawn = await store.draw(organizationId, draw);
          if (!drawsFrom(draw, replays)) return drawn;
          if (!drawn.admitted) refused.set(organizationId, { until: draw.now + 60_000, drawn });
          const before = refused.get(organizationId);
          return before !== undefined && before.until > draw.now ? before.drawn : drawn;
        },
      };
    }),
  ]),
  mutantOf("WHP-24", "one-bucket", "has replays and keys share a bucket", [
    drawing(replays, (draw) => ({ ...draw, bucket: keys })),
  ]),
  mutantOf("WHP-24", "replays-draw-both", "has a replay draw on the bucket of keys too", [drawingAlso(replays, keys)]),
  mutantOf("WHP-24", "keys-draw-both", "has a key draw on the bucket of replays too", [drawingAlso(keys, replays)]),
  mutant(
    "WHP-25",
    "sent",
    "refuses a replay and sends it all the same",
    rateLimit,
    refusal,
    `if (!drawn.admitted && ${isReplay}) await routeOf(exchange).handle(exchange.input, caller);\n    ${refusal}`,
  ),
  mutant(
    "WHP-25",
    "put-off",
    "refuses a replay and sends it a minute later",
    rateLimit,
    refusal,
    `if (!drawn.admitted && ${isReplay}) await store.atomically(id, async (tx) => {
        const attempt = await tx.attempts.find((exchange.input.path as any).id);
        const event = attempt && (await tx.events.find(attempt.eventId));
        if (attempt && event) await tx.enqueue({ ...event, id: "${constants.eventIdPrefix}" + crypto.randomUUID(), createdAt: draw.now + 60_000 }, { endpointId: attempt.endpointId });
      });\n    ${refusal}`,
  ),
];
