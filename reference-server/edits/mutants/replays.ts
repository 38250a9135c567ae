import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { DeliveryAttempt } from "../../domain/delivery.ts";
import type { Drawn } from "../../store/store.ts";
import type { Replayed, ReplayRequest } from "../../store/webhook-store.ts";
import type { Mutant } from "../edit.ts";
import { noteOriginals, originalOf, storing, storingWebhooks } from "../port-changes.ts";
import { onAnswer, withHeaders } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const store = "store/sql-replay.ts";
const request = "domain/delivery-request.ts";
const attempt = "delivery/make-attempt.ts";
const rateLimit = "http/rate-limit.ts";
const again = "const again = { ...event, id: newEventId, created_at: now };";
const enqueued =
  "await enqueue(db, again, { endpointIds: [attempt.endpoint_id], manual: owner.manual_clock !== null });";
const addressee = "endpointIds: [attempt.endpoint_id],";
const inactive = 'if (endpoint.active === 0) return { kind: "inactive" };';
const expired = 'if (!event || event.created_at < retainedSince) return { kind: "expired" };';
const ownEvent = '"X-Svc-Event-ID": event.id,';
const size = "size: sizeOf(bucket, caller.organization),";
const draw = "const drawn = await store.draw(id, bucket, draw);";
const refusal = "if (!drawn.admitted) return exhausted(";
const isReplay = 'bucket === "deliveryReplays"';

/** A mutant that sends a replay's data in another form. */
const dataAs = (name: string, does: string, data: string): Mutant =>
  mutant(
    "WHP-14",
    name,
    does,
    store,
    again,
    `const again = { ...event, id: newEventId, created_at: now, data: ${data} };`,
  );

/** A mutant that sends replays to endpoints that a query finds. */
const sentTo = (name: string, does: string, order: string): Mutant =>
  mutant(
    "WHP-15",
    name,
    does,
    store,
    addressee,
    `endpointIds: (await db.selectFrom("webhook_endpoints").select("id").where("organization_id", "=", organizationId).where("deleted_at", "is", null)${order}.execute()).map(({ id }) => id),`,
  );

/** A mutant that sends replays, and nothing else, with another header. */
const replayHeader = (rule: RuleId, name: string, does: string, find: string, replace: string): Mutant =>
  mutantOf(rule, name, does, [noteOriginals, { file: request, find, replace }]);

/** A mutant that changes the record of the attempt that is replayed. */
const recordChanged = (name: string, does: string, change: string): Mutant =>
  mutant(
    "WHP-19",
    name,
    does,
    store,
    again,
    `await db.updateTable("delivery_attempts").set(${change}).where("id", "=", attemptId).execute();\n  ${again}`,
  );

/** A mutant that replays no delivery of a certain outcome. */
const refusing = (outcome: string, does: string): Mutant =>
  mutant(
    "WHP-21",
    outcome,
    does,
    store,
    inactive,
    `if (attempt.outcome === "${outcome}") return { kind: "inactive" };\n  ${inactive}`,
  );

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

/** A mutant that answers differently once it has said, at `first`, of a delivery that it is past retention. */
const toldOnce = (
  name: string,
  does: string,
  later: (first: number, request: ReplayRequest, attempt: DeliveryAttempt) => Replayed,
): Mutant =>
  mutantOf("WHP-28", name, does, [
    storingWebhooks((webhooks) => {
      const told = new Map<string, number>();
      return {
        async replay(organizationId, attemptId, request) {
          const replayed = await webhooks.replay(organizationId, attemptId, request);
          const found = await webhooks.attempt(organizationId, attemptId);
          if (replayed.kind !== "expired" || found === null) return replayed;
          const first = told.get(attemptId);
          told.set(attemptId, first ?? request.now);
          return first === undefined ? replayed : later(first, request, found.attempt);
        },
      };
    }),
  ]);

/** Servers that do something else with a replay than the contract says. */
export const replayMutants: readonly Mutant[] = [
  mutant(
    "WHP-13",
    "lost",
    "answers a replay and sends nothing",
    store,
    enqueued,
    'await db.insertInto("events").values(again).execute();',
  ),
  replayHeader(
    "WHP-13",
    "original",
    "sends a replay under the original's event id",
    ownEvent,
    `"X-Svc-Event-ID": ${originalOf}?.id ?? event.id,`,
  ),
  mutant(
    "WHP-13",
    "another",
    "answers another event id than it sends",
    "routes/deliveries.ts",
    "new_event_id: event.id,",
    "new_event_id: newEventId(world),",
  ),
  dataAs("empty", "sends a replay without the original's data", '"{}"'),
  dataAs(
    "no-nulls",
    "leaves out members that are null",
    "JSON.stringify(JSON.parse(event.data, (_, value) => value ?? undefined))",
  ),
  dataAs("marked", "marks the data of a replay", "JSON.stringify({ ...JSON.parse(event.data), replayed: true })"),
  dataAs(
    "trimmed",
    "trims the texts of a replay",
    'JSON.stringify(JSON.parse(event.data, (_, value) => (typeof value === "string" ? value.trim() : value)))',
  ),
  dataAs("composed", "composes the characters of a replay", 'event.data.normalize("NFC")'),
  sentTo("all", "sends a replay to every endpoint of the organization", ""),
  sentTo("newest", "sends a replay to the newest endpoint", '.orderBy("created_at", "desc").limit(1)'),
  sentTo("oldest", "sends a replay to the oldest endpoint", '.orderBy("created_at").limit(1)'),
  mutantOf("WHP-16", "filtered", "sends a replay to subscribers of its type alone", [
    {
      file: store,
      find: 'living(db, organizationId, attempt.endpoint_id).select("active").executeTakeFirst()',
      replace: 'living(db, organizationId, attempt.endpoint_id).select(["active", "events"]).executeTakeFirst()',
    },
    {
      file: store,
      find: addressee,
      replace: "endpointIds: JSON.parse(endpoint.events).includes(event.type) ? [attempt.endpoint_id] : [],",
    },
  ]),
  mutantOf("WHP-16", "refused", "refuses a replay to an endpoint that no longer subscribes to its type", [
    {
      file: store,
      find: 'living(db, organizationId, attempt.endpoint_id).select("active").executeTakeFirst()',
      replace: 'living(db, organizationId, attempt.endpoint_id).select(["active", "events"]).executeTakeFirst()',
    },
    {
      file: store,
      find: inactive,
      replace: `if (!JSON.parse(endpoint.events).includes(event.type)) return { kind: "inactive" };\n  ${inactive}`,
    },
  ]),
  mutantOf("WHP-17", "unsigned", "does not sign replays", [
    noteOriginals,
    {
      file: request,
      find: '"X-Svc-Signature": signatureHeader(signed, [endpoint.secret], manner.dialect),',
      replace: `...({
        [${originalOf} ? "X-Signature" : "X-Svc-Signature"]: signatureHeader(signed, [endpoint.secret], manner.dialect),
      } as { "X-Svc-Signature": string }),`,
    },
  ]),
  replayHeader(
    "WHP-17",
    "own-type",
    "sends replays under a type of their own",
    '"X-Svc-Event-Type": event.type,',
    `"X-Svc-Event-Type": ${originalOf} ? "delivery.replayed" : event.type,`,
  ),
  replayHeader(
    "WHP-17",
    "nameless",
    "names no sender on replays",
    '"User-Agent": manner.userAgent,',
    `...((${originalOf} ? {} : { "User-Agent": manner.userAgent }) as { "User-Agent": string }),`,
  ),
  mutantOf("WHP-18", "unrecorded", "keeps no record of attempts of replays", [
    noteOriginals,
    {
      file: "store/sql-delivery-queue.ts",
      find: 'await db.insertInto("delivery_attempts").values(rowOfAttempt(attempt)).execute()',
      replace: `const { event } = delivery;\n      if (${originalOf}) return true;\n      await db.insertInto("delivery_attempts").values(rowOfAttempt(attempt)).execute()`,
    },
  ]),
  mutantOf("WHP-18", "original", "records attempts of a replay under the original's event id", [
    noteOriginals,
    { file: attempt, find: "eventId: event.id,", replace: `eventId: ${originalOf}?.id ?? event.id,` },
  ]),
  recordChanged("time", "has the original's record show the time of the replay", "{ occurred_at: now }"),
  recordChanged("counted", "counts a replay on the original's record", "{ attempt: attempt.attempt + 1 }"),
  recordChanged("event", "has the original's record show the new event", "{ event_id: newEventId }"),
  recordChanged(
    "excerpt",
    "empties the excerpt on the original's record",
    '{ response_body_excerpt: JSON.stringify("replayed") }',
  ),
  mutant(
    "WHP-19",
    "deleted",
    "deletes the original's record",
    store,
    again,
    `await db.deleteFrom("delivery_attempts").where("id", "=", attemptId).execute();\n  ${again}`,
  ),
  refusing("success", "replays nothing that the receiver took"),
  refusing("retry", "replays nothing that will be tried again"),
  refusing("dead", "replays nothing that it gave up"),
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
    `if (!drawn.admitted && ${isReplay}) await store.webhooks.replay(id, (exchange.input.path as any).id, { newEventId: \`evt_\${crypto.randomUUID()}\`, auditId: crypto.randomUUID(), reason: null, by: caller.id, now: draw.now + 60_000, retainedSince: 0 });\n    ${refusal}draw.size, retryAfterSeconds(drawn.level, draw));`,
  ),
  mutant(
    "WHP-14",
    "twice",
    "forgets the data of what is replayed twice",
    store,
    again,
    `const isReplay = db.selectFrom("replays").select("id").where("event_id", "=", event.id);\n  ${again.replace("created_at: now", 'created_at: now, data: (await isReplay.executeTakeFirst()) ? "{}" : event.data')}`,
  ),
  mutant(
    "WHP-27",
    "not-found",
    "no longer finds a delivery whose event is past retention",
    "domain/replay.ts",
    'return refuse.EventExpired("The event of the delivery is no longer kept, so it cannot be sent again.");',
    'return refuse.NotFound("The event of the delivery is no longer kept, so it cannot be sent again.");',
  ),
  mutant(
    "WHP-27",
    "never",
    "keeps events for ever",
    "domain/retention.ts",
    "  eventsBefore: now - Number(choices.eventRetentionDays) * day,\n  attemptsBefore: now - recordDays * day,",
    "  eventsBefore: Math.min(0, now - Number(choices.eventRetentionDays) - recordDays) * day,\n  attemptsBefore: 0,",
  ),
  mutant(
    "WHP-27",
    "conflict",
    "calls what is past retention a conflict",
    "domain/replay.ts",
    'return refuse.EventExpired("The event of the delivery is no longer kept, so it cannot be sent again.");',
    'return refuse.Conflict("The event of the delivery is no longer kept, so it cannot be sent again.");',
  ),
  mutant(
    "WHP-27",
    "details",
    "explains in details what is past retention",
    "domain/replay.ts",
    'return refuse.EventExpired("The event of the delivery is no longer kept, so it cannot be sent again.");',
    'return Object.assign(refuse.EventExpired("The event is gone."), { details: { event: "is no longer kept" } });',
  ),
  toldOnce("once", "no longer finds a delivery once it has said that it is past retention", () => ({
    kind: "missing",
  })),
  toldOnce("a-day", "says for a day that an event is past retention, and something else then", (first, { now }) => ({
    kind: now > first + 43_200_000 ? "inactive" : "expired",
  })),
  toldOnce("revived", "accepts a replay that it refused before", (_, { newEventId, now }, attempt) => {
    const { organizationId, eventType: type } = attempt;
    return { kind: "replayed", attempt, event: { id: newEventId, organizationId, type, data: {}, createdAt: now } };
  }),
  ...[
    ["sent", "says that an event is past retention and sends something all the same", "now"],
    ["put-off", "says that an event is past retention and sends something an hour later", "now + 3_600_000"],
  ].map(([name = "", does = "", at = ""]) =>
    mutant(
      "WHP-29",
      name,
      does,
      store,
      expired,
      `if (!event || event.created_at < retainedSince) {\n    const gone = { id: newEventId, organization_id: organizationId, type: attempt.event_type, data: "{}", created_at: ${at} };\n    await enqueue(db, gone, { ${addressee} manual: owner.manual_clock !== null });\n    return { kind: "expired" };\n  }`,
    ),
  ),
];
