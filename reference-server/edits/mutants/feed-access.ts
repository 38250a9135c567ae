import { operations } from "../../../generated/operations.ts";
import type { Change, Mutant } from "../edit.ts";
import { mutant, mutantOf } from "./mutant.ts";

const { listDeliveryAttempts, replayDelivery } = operations;

const limit = "http/rate-limit.ts";
const authorize = "http/authorize.ts";
const groups = "store/attempt-groups.ts";
const list = "routes/deliveries.ts";

const listed = "const { bucket } = routeOf(exchange).operation;";
const feedBucket = (name: string): string =>
  `const { id: operation, bucket: own } = routeOf(exchange).operation;\n    const bucket = operation === "${listDeliveryAttempts.id}" ? "${name}" : own;`;
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const also = (condition: string): string => holdsScope.replace("wanted === null", `wanted === null || ${condition}`);
const everybodys = "const ofOrganization = sql<SqlBool>`organization_id = ${organizationId}`;";
const known = "if (!(await isKnown(organizationId, filters.endpointId))) return endpointNotFound();";

/** Knows endpoints whoever owns them. */
const anyEndpoint: Change = {
  file: "store/sql-endpoints.ts",
  find: 'const row = await db\n        .selectFrom("webhook_endpoints")\n        .select("id")\n        .where("id", "=", id)\n        .where("organization_id", "=", organizationId)\n        .executeTakeFirst();\n      return row !== undefined;',
  replace:
    'const row = await db\n        .selectFrom("webhook_endpoints")\n        .select("id")\n        .where("id", "=", id)\n        .executeTakeFirst();\n      return row !== undefined;',
};

/** Servers that show the feed to the wrong callers, or keep it from the right ones. */
export const feedAccessMutants: readonly Mutant[] = [
  mutantOf("WHL-47", "limited", "limits reads of the feed", [
    { file: limit, find: listed, replace: feedBucket("reads") },
    {
      file: limit,
      find: "const bucket = isBucket(name) ? buckets[name] : undefined;",
      replace:
        'if (name === "reads") return { capacity: 150, periodSeconds: 60 };\n  const bucket = isBucket(name) ? buckets[name] : undefined;',
    },
  ]),
  mutant(
    "WHL-48",
    "one-bucket",
    "draws reads of the feed from the bucket of replays",
    limit,
    listed,
    feedBucket(replayDelivery.bucket),
  ),
  mutant(
    "WHL-49",
    "unscoped",
    "shows the feed to every key",
    authorize,
    holdsScope,
    also(`routeOf(exchange).operation.id === "${listDeliveryAttempts.id}"`),
  ),
  mutant(
    "WHL-50",
    "writers",
    "lets those read who may write",
    authorize,
    holdsScope,
    also(`(wanted === "${listDeliveryAttempts.scope}" && holds(callerOf(exchange), "${replayDelivery.scope}"))`),
  ),
  mutant(
    "TEN-04",
    "all",
    "shows everybody's attempts",
    groups,
    "return [ofOrganization];",
    "return [sql<SqlBool>`true`];",
  ),
  mutant(
    "TEN-04",
    "total",
    "counts everybody's attempts",
    "store/sql-attempts.ts",
    "      await attemptGroups(view, organizationId, filters),\n",
    "      (await attemptGroups(view, organizationId, filters)).map(() => sql`1 = 1` as AttemptGroup).slice(0, 1),\n",
  ),
  mutantOf("TEN-04", "cursor", "goes on in the feed that a cursor was made for", [
    {
      file: list,
      find: "const cursorKeyBytes = 32;",
      replace: "const cursorKeyBytes = 32;\nconst owners = new Map<string, string>();",
    },
    {
      file: list,
      find: "const { id: organizationId } = caller.organization;",
      replace: 'const organizationId = owners.get(query.cursor ?? "") ?? caller.organization.id;',
    },
    {
      file: list,
      find: "return {\n        data: attempts.map((attempt) => wireAttempt(attempt, choices)),\n        meta: { total, limit, offset, ...nextCursor },\n      };",
      replace:
        'if ("next_cursor" in nextCursor && nextCursor.next_cursor) owners.set(nextCursor.next_cursor, organizationId);\n      return {\n        data: attempts.map((attempt) => wireAttempt(attempt, choices)),\n        meta: { total, limit, offset, ...nextCursor },\n      };',
    },
  ]),
  mutantOf("TEN-04", "by-type", "shows everybody's attempts where a type is asked for", [
    {
      file: groups,
      find: everybodys,
      replace:
        "const ofOrganization = eventType === undefined ? sql<SqlBool>`organization_id = ${organizationId}` : sql<SqlBool>`true`;",
    },
  ]),
  mutantOf("TEN-04", "by-outcome", "shows everybody's attempts where an outcome is asked for", [
    {
      file: groups,
      find: everybodys,
      replace:
        "const ofOrganization = filters.outcome === undefined ? sql<SqlBool>`organization_id = ${organizationId}` : sql<SqlBool>`true`;",
    },
  ]),
  mutantOf("TEN-06", "attempts", "shows the attempts at anybody's endpoint", [
    {
      file: groups,
      find: "const ofEndpoint = sql<SqlBool>`${ofOrganization} and endpoint_id = ${endpointId}`;",
      replace: "const ofEndpoint = sql<SqlBool>`endpoint_id = ${endpointId}`;",
    },
  ]),
  mutantOf("TEN-06", "known", "does not find an endpoint that never was, and finds nothing at another's", [
    anyEndpoint,
    {
      file: list,
      find: 'endpointId === undefined ||\n    choices.unknownEndpointFilter === "empty" ||\n    webhooks.endpointExists(organizationId, endpointId)',
      replace: "endpointId === undefined ||\n    \n    webhooks.endpointExists(organizationId, endpointId)",
    },
  ]),
  mutantOf("TEN-06", "message", "says that an endpoint is another's", [
    anyEndpoint,
    {
      file: list,
      find: known,
      replace: `if (filters.endpointId !== undefined && (await webhooks.endpoint(organizationId, filters.endpointId)) === null && (await webhooks.endpointExists(organizationId, filters.endpointId))) return refuse.Forbidden("That endpoint is not yours.");\n      ${known}`,
    },
  ]),
  mutantOf("TEN-06", "total", "counts the attempts at anybody's endpoint", [
    {
      file: "store/sql-attempts.ts",
      find: "await attemptGroups(view, organizationId, filters),\n      (group) => sql<{ readonly count: number }>`\n        select count(*) as count from delivery_attempts where ${sql.join([group, ...time], sql` and `)}`",
      replace:
        "filters.endpointId === undefined ? await attemptGroups(view, organizationId, filters) : [sql`endpoint_id = ${filters.endpointId}` as AttemptGroup],\n      (group) => sql<{ readonly count: number }>`\n        select count(*) as count from delivery_attempts where ${sql.join([group, ...time], sql` and `)}`",
    },
  ]),
];
