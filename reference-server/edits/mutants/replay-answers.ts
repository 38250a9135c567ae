import { eventType } from "../../../generated/events.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Event } from "../../domain/event.ts";
import type { Change, Mutant } from "../edit.ts";
import { storingWebhooks } from "../port-changes.ts";
import { onData } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/deliveries.ts";
const store = "store/sql-replay.ts";
const validation = "http/validate-request.ts";
const time = "enqueued_at: timestamp(event.createdAt, precision),";
const refusal = 'if (replayed.kind !== "replayed") return refuseReplay(replayed.kind);';
const missing = 'if (!owner || !attempt) return { kind: "missing" };';
const notFound = 'return refuse.NotFound("There is no such delivery.");';
const violations = "const violations = [...query, ...body];";
const badPath = "if (violations.length > 0) return rows.path(operation, fieldDetails(violations, naming));";
const wanted = "const wanted = routeOf(exchange).operation.scope;";
const begin = "const now = callerTime(caller, world.now());";

/** A mutant that answers one member of a replay in another way. */
const answering = (rule: RuleId, name: string, does: string, find: string, replace: string): Mutant =>
  mutant(rule, name, does, routes, find, replace);

/** A mutant that overlooks some faults of a replay's body. */
const overlooking = (rule: RuleId, name: string, does: string, fault: string): Mutant =>
  mutant(
    rule,
    name,
    does,
    validation,
    violations,
    `const isReplay = routeOf(exchange).operation.id === "replayDelivery";\n    const sent = exchange.input.body as any;\n    const violations = [...query, ...body].filter((at) => !(isReplay && ${fault}));`,
  );

/** A mutant that wants another scope of a caller who replays. */
const scoped = (name: string, does: string, scope: string): Mutant =>
  mutant(
    "WHP-32",
    name,
    does,
    "http/authorize.ts",
    wanted,
    `const { id, scope: declared } = routeOf(exchange).operation;\n  const wanted = id === "replayDelivery" ? ${scope} : declared;`,
  );

/** The store finds any organization's deliveries. */
const anyOwner: readonly Change[] = [
  {
    file: store,
    find: 'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where("id", "=", id)\n    .where("organization_id", "=", organizationId)',
    replace: 'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where("id", "=", id)',
  },
  {
    file: store,
    find: "living(db, organizationId, attempt.endpoint_id)",
    replace: "living(db, attempt.organization_id, attempt.endpoint_id)",
  },
];

const isForeign = "attempt?.organization_id !== organizationId";

/** Servers that answer or refuse a replay wrongly. */
export const replayAnswerMutants: readonly Mutant[] = [
  mutantOf("WHP-01", "no-audit", "answers a replay without its audit record", [
    { wire: onData("replayDelivery", ({ audit_log_id: _, ...data }) => data) },
  ]),
  mutant(
    "WHP-01",
    "once",
    "replays no replay",
    store,
    missing,
    `${missing}\n  const isReplay = db.selectFrom("replays").select("id").where("event_id", "=", attempt.event_id);\n  if (await isReplay.executeTakeFirst()) return { kind: "inactive" };`,
  ),
  answering(
    "WHP-01",
    "epoch",
    "answers the time of a replay in milliseconds since 1970",
    time,
    "enqueued_at: event.createdAt as never,",
  ),
  answering(
    "WHP-01",
    "list",
    "answers a list of replays",
    "      return {\n        delivery_id: attempt.id,\n        endpoint_id: attempt.endpointId,\n        event_type: event.type,\n        new_event_id: event.id,\n        audit_log_id: auditId,\n        enqueued_at: timestamp(event.createdAt, precision),\n      };",
    "      return [{ delivery_id: attempt.id, endpoint_id: attempt.endpointId, event_type: event.type, new_event_id: event.id, audit_log_id: auditId, enqueued_at: timestamp(event.createdAt, precision) }] as never;",
  ),
  answering(
    "WHP-02",
    "internal",
    "answers the id that the delivery has inside",
    "delivery_id: attempt.id,",
    "delivery_id: attempt.deliveryId,",
  ),
  answering(
    "WHP-02",
    "fresh",
    "answers the id of the new delivery",
    "delivery_id: attempt.id,",
    "delivery_id: world.newId(),",
  ),
  answering(
    "WHP-03",
    "delivery",
    "answers the delivery's id as that of the endpoint",
    "endpoint_id: attempt.endpointId,",
    "endpoint_id: attempt.id,",
  ),
  mutantOf("WHP-03", "first", "answers the endpoint that its organization created first", [
    {
      file: store,
      find: 'return { kind: "replayed", attempt: attemptOf(attempt), event: eventOf(again) };',
      replace:
        'const first = await db.selectFrom("webhook_endpoints").select("id").where("organization_id", "=", organizationId).orderBy("created_at").limit(1).executeTakeFirst();\n  return { kind: "replayed", attempt: { ...attemptOf(attempt), endpointId: first?.id ?? "" }, event: eventOf(again) };',
    },
  ]),
  answering(
    "WHP-04",
    "replayed",
    "answers a type of its own for replays",
    "event_type: event.type,",
    'event_type: "delivery.replayed" as never,',
  ),
  mutantOf("WHP-04", "subscribed", "answers the first type that the endpoint subscribes to", [
    {
      file: store,
      find: 'living(db, organizationId, attempt.endpoint_id).select("active").executeTakeFirst()',
      replace: 'living(db, organizationId, attempt.endpoint_id).select(["active", "events"]).executeTakeFirst()',
    },
    {
      file: store,
      find: '{ kind: "replayed", attempt: attemptOf(attempt), event: eventOf(again) }',
      replace:
        '{ kind: "replayed", attempt: attemptOf(attempt), event: { ...eventOf(again), type: JSON.parse(endpoint.events)[0] } }',
    },
  ]),
  answering(
    "WHP-05",
    "bare",
    "answers the UUID of the new event alone",
    "new_event_id: event.id,",
    "new_event_id: event.id.slice(4),",
  ),
  answering(
    "WHP-05",
    "no-hyphens",
    "leaves the hyphens out of the new event's id",
    "new_event_id: event.id,",
    'new_event_id: event.id.replaceAll("-", ""),',
  ),
  answering(
    "WHP-06",
    "original",
    "answers the original's event id",
    "new_event_id: event.id,",
    "new_event_id: attempt.eventId,",
  ),
  answering(
    "WHP-06",
    "original-upper",
    "answers the original's event id in upper case",
    "new_event_id: event.id,",
    "new_event_id: `evt_${attempt.eventId.slice(4).toUpperCase()}`,",
  ),
  answering(
    "WHP-07",
    "prefixed",
    "marks the ids of audit records as such",
    "audit_log_id: auditId,",
    "audit_log_id: `aud_${auditId}`,",
  ),
  answering(
    "WHP-07",
    "no-hyphens",
    "leaves the hyphens out of ids of audit records",
    "audit_log_id: auditId,",
    'audit_log_id: auditId.replaceAll("-", ""),',
  ),
  answering(
    "WHP-08",
    "local",
    "writes the local time of a place in the east as UTC",
    time,
    "enqueued_at: timestamp(event.createdAt + 7_200_000, precision),",
  ),
  answering(
    "WHP-08",
    "original",
    "answers the time of the original",
    time,
    "enqueued_at: timestamp(attempt.occurredAt, precision),",
  ),
  answering(
    "WHP-09",
    "reason-needed",
    "wants a reason",
    begin,
    `if (body?.reason === undefined) return refuse.ValidationFailed("A reason is needed.", { reason: "is required" });\n      ${begin}`,
  ),
  answering(
    "WHP-10",
    "codes",
    "takes reasons from a list of its own alone",
    begin,
    `if (body?.reason !== undefined && !["outage", "bug", "other"].includes(body.reason)) return refuse.ValidationFailed("The reason is not known.", { reason: "must be outage, bug or other" });\n      ${begin}`,
  ),
  mutantOf("WHP-10", "once", "takes no reason for a delivery that was replayed before", [
    storingWebhooks((webhooks) => {
      const before = new Set<string>();
      return {
        async replay(organizationId, attemptId, request) {
          if (request.reason !== null && before.has(attemptId)) return { kind: "inactive" };
          before.add(attemptId);
          return webhooks.replay(organizationId, attemptId, request);
        },
      };
    }),
  ]),
  overlooking(
    "WHP-11",
    "written-out",
    "takes numbers and booleans as reasons",
    'at.pointer === "/reason" && typeof sent.reason !== "object"',
  ),
  overlooking(
    "WHP-11",
    "falsy",
    "takes a reason that is 0 or false as none",
    'at.pointer === "/reason" && !sent.reason',
  ),
  overlooking("WHP-11", "list", "takes a list of reasons", 'at.pointer === "/reason" && Array.isArray(sent.reason)'),
  mutant(
    "WHP-11",
    "unnamed",
    "does not name the reason that it refuses",
    validation,
    "if (special === undefined) return rows.fields(fieldDetails(violations, naming));",
    'if (special === undefined) return rows.fields(routeOf(exchange).operation.id === "replayDelivery" ? { body: "is not valid" } : fieldDetails(violations, naming));',
  ),
  mutant(
    "WHP-11",
    "input",
    "refuses a reason that is no text as it does broken JSON",
    validation,
    violations,
    `${violations}\n    if (violations.some((at) => at.pointer === "/reason")) return new Refusal("InvalidInput", "The reason is not valid.");`,
  ),
  overlooking("WHP-12", "list", "takes a list as a body", 'at.pointer === "" && Array.isArray(sent)'),
  overlooking("WHP-12", "text", "takes a text as a body", 'at.pointer === "" && typeof sent === "string"'),
  overlooking("WHP-12", "empty-text", "takes an empty text as no body", 'at.pointer === "" && sent === ""'),
  mutant(
    "WHP-12",
    "input",
    "refuses a body that is no object as it does broken JSON",
    validation,
    violations,
    `${violations}\n    if (violations.some((at) => at.pointer === "")) return new Refusal("InvalidInput", "The body is not valid.");`,
  ),
  answering(
    "WHP-20",
    "one-audit",
    "keeps one audit record for each delivery",
    "audit_log_id: auditId,",
    "audit_log_id: attempt.deliveryId,",
  ),
  mutantOf("WHP-20", "idempotent", "tells of the first replay again", [
    storingWebhooks((webhooks) => {
      const told = new Map<string, Event>();
      return {
        async replay(organizationId, attemptId, request) {
          const replayed = await webhooks.replay(organizationId, attemptId, request);
          if (replayed.kind !== "replayed") return replayed;
          const event = told.get(attemptId) ?? replayed.event;
          told.set(attemptId, event);
          return { ...replayed, event };
        },
      };
    }),
  ]),
  mutant(
    "WHP-30",
    "expired",
    "takes what it never had for what it no longer has",
    store,
    missing,
    'if (!owner || !attempt) return { kind: "expired" };',
  ),
  mutant(
    "WHP-30",
    "beginning",
    "compares all but the last digits of a delivery's id",
    store,
    'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where("id", "=", id)\n    .where("organization_id", "=", organizationId)',
    'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where("id", "like", `${id.slice(0, 30)}%`)\n    .where("organization_id", "=", organizationId)',
  ),
  mutant(
    "WHP-30",
    "endpoint",
    "takes the id of an endpoint for that of a delivery to it",
    store,
    'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where("id", "=", id)\n    .where("organization_id", "=", organizationId)',
    'db\n    .selectFrom("delivery_attempts")\n    .selectAll()\n    .where((where) => where.or([where("id", "=", id), where("endpoint_id", "=", id)]))\n    .where("organization_id", "=", organizationId)',
  ),
  mutant(
    "WHP-30",
    "invalid",
    "calls an unknown id invalid",
    "domain/replay.ts",
    notFound,
    'return refuse.ValidationFailed("There is no such delivery.", { id: "is not known" });',
  ),
  answering(
    "WHP-30",
    "accepted",
    "accepts a replay before it looks for the delivery",
    refusal,
    `if (replayed.kind === "missing") return { delivery_id: path.id, endpoint_id: world.newId(), event_type: "${eventType.lookupCompleted}" as never, new_event_id: newEventId(world), audit_log_id: auditId, enqueued_at: timestamp(now, precision) };\n      ${refusal}`,
  ),
  mutant(
    "WHP-31",
    "not-found",
    "looks for a delivery whatever its id looks like",
    validation,
    badPath,
    badPath.replace("violations.length > 0", 'violations.length > 0 && operation.id !== "replayDelivery"'),
  ),
  mutant(
    "WHP-31",
    "length",
    "looks at nothing of an id but its length",
    validation,
    badPath,
    badPath.replace(
      "violations.length > 0",
      'violations.length > 0 && !(operation.id === "replayDelivery" && String((values as any).id).length === 36)',
    ),
  ),
  mutant(
    "WHP-31",
    "no-details",
    "does not say what is wrong with an id",
    validation,
    badPath,
    badPath.replace(
      "fieldDetails(violations, naming)",
      'operation.id === "replayDelivery" ? {} : fieldDetails(violations, naming)',
    ),
  ),
  scoped("reads", "lets readers of the feed replay", `"${operations.listDeliveryAttempts.scope}"`),
  scoped(
    "either",
    "lets holders of either scope of webhooks replay",
    `(holds(callerOf(exchange), "${operations.listDeliveryAttempts.scope}") ? null : declared)`,
  ),
  scoped("any", "lets every key replay", "null"),
  mutant(
    "WHP-32",
    "not-found",
    "hides deliveries from keys that may not replay",
    "http/authorize.ts",
    "return refuse.Forbidden(`This needs the scope ${wanted}, which you do not hold.`);",
    'if (routeOf(exchange).operation.id === "replayDelivery") return refuse.NotFound("There is no such delivery.");\n  return refuse.Forbidden(`This needs the scope ${wanted}, which you do not hold.`);',
  ),
  mutantOf("TEN-03", "any", "replays any organization's deliveries", anyOwner),
  mutantOf("TEN-03", "conflict", "tells that a delivery is another organization's", [
    ...anyOwner.slice(0, 1),
    { file: store, find: missing, replace: `if (attempt && ${isForeign}) return { kind: "inactive" };\n  ${missing}` },
  ]),
  mutantOf("TEN-03", "expired", "takes another organization's delivery for one that is past retention", [
    ...anyOwner.slice(0, 1),
    { file: store, find: missing, replace: `if (attempt && ${isForeign}) return { kind: "expired" };\n  ${missing}` },
  ]),
];
