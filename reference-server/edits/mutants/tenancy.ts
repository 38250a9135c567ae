import type { Change, Mutant } from "../edit.ts";
import { drawingTogether, storingWebhooks } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

/** The store hands out foreign keys, so that the route can tell them apart. */
const anyOwner: Change = {
  file: "store/sql-store.ts",
  find: "await this.#readKey(id, organizationId)",
  replace: 'await this.#db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst()',
};

const read = "return key === null ? keyNotFound() : wireKey(key, precision);";
const foreign = "key !== null && key.organizationId !== caller.organization.id";

/** Servers that tell organizations about each other, or mix them up. */
export const tenancyMutants: readonly Mutant[] = [
  mutantOf("TEN-05", "message", "words the refusal of a foreign id in another way", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) { const refusal = keyNotFound(); Object.assign(refusal, { message: "That key is not yours." }); return refusal; }\n      ${read}`,
    },
  ]),
  mutantOf("TEN-19", "header", "adds a header to the refusal of a foreign id", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) { const refusal = keyNotFound(); Object.assign(refusal, { headers: { "X-Owner": "other" } }); return refusal; }\n      ${read}`,
    },
  ]),
  mutantOf("TEN-19", "header-value", "says in a header how old another organization's key is", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `const refusal = keyNotFound();\n      Object.assign(refusal, { headers: { "Last-Modified": new Date(key?.createdAt ?? 0).toUTCString() } });\n      if (key === null || ${foreign}) return refusal;\n      ${read}`,
    },
  ]),
  mutantOf("TEN-19", "member", "adds a member to the refusal of a foreign id", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) { const refusal = keyNotFound(); Object.assign(refusal, { hint: "ask its owner" }); return refusal; }\n      ${read}`,
    },
    {
      file: "http/envelope.ts",
      find: "error: { code: rowOf(refusal).code, message: refusal.message, request_id: requestId, ...details },\n    ...data",
      replace:
        "error: { code: rowOf(refusal).code, message: refusal.message, request_id: requestId, ...details, hint: (refusal as any).hint },\n    ...data",
    },
  ]),
  mutantOf("TEN-05", "details", "details the refusal of a foreign id", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) { const refusal = keyNotFound(); Object.assign(refusal, { details: { id: "is another's" } }); return refusal; }\n      ${read}`,
    },
  ]),
  mutantOf("TEN-05", "upper", "tells a foreign id that is written in upper case", [
    {
      file: "routes/api-keys.ts",
      find: "const key = await store.key(caller.organization.id, path.id);",
      replace:
        'const key = await store.key(caller.organization.id, path.id);\n      const lower = path.id.toLowerCase();\n      if (lower !== path.id && (await store.key("any", lower)) !== null) return keyRevoked() as never;',
    },
    {
      file: "store/sql-store.ts",
      find: "await this.#readKey(id, organizationId)",
      replace:
        'organizationId !== "any" ? await this.#readKey(id, organizationId) : await this.#db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst()',
    },
  ]),
  mutantOf("TEN-20", "rotated", "does not find another organization's key and rotates it all the same", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: "const refusal = refuseRotation(caller, key);",
      replace:
        'const refusal = refuseRotation(caller, key);\n      if (key !== null && key.organizationId !== organizationId) {\n        const stolen = newKeySecret(world, choices);\n        const event = keyEvent("rotated", key, callerTime(caller, world.now()), world, choices);\n        await store.replaceSecret(key.organizationId, path.id, stolen, path.id, event);\n        return keyNotFound();\n      }',
    },
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) return keyNotFound();\n      ${read}`,
    },
  ]),
  mutantOf("TEN-05", "rotation", "rotates any organization's key", [
    anyOwner,
    {
      file: "routes/api-keys.ts",
      find: "const rotated = await store.replaceSecret(organizationId, path.id, secret, nextId, event);",
      replace:
        "const owned = await store.key(organizationId, path.id);\n      const rotated = await store.replaceSecret(owned?.organizationId ?? organizationId, path.id, secret, nextId, event);",
    },
    {
      file: "routes/api-keys.ts",
      find: read,
      replace: `if (${foreign}) return keyNotFound();\n      ${read}`,
    },
  ]),
  mutantOf("TEN-16", "one-bucket", "keeps one bucket for all organizations", [drawingTogether(() => true)]),
  mutant(
    "TEN-16",
    "endpoints-together",
    "counts the active endpoints of all organizations together",
    "store/sql-endpoints.ts",
    "if (active && (await countActive(transaction, organizationId)) >= most) return false;",
    'const { count } = await transaction.selectFrom("webhook_endpoints").select((e) => e.fn.countAll().as("count")).where("active", "=", 1).executeTakeFirstOrThrow();\n        if (active && Number(count) >= most) return false;',
  ),
  mutant(
    "TEN-18",
    "endpoint",
    "names another organization in an endpoint",
    "routes/wire-endpoint.ts",
    "org_id: endpoint.organizationId,",
    "org_id: endpoint.id,",
  ),
  mutant(
    "TEN-17",
    "per-key",
    "keeps a bucket for every key",
    "http/rate-limit.ts",
    "await store.draw(id, bucket, draw)",
    'await store.draw(id, `${bucket}${caller.kind === "key" ? [...caller.scopes].join() : ""}`, draw)',
  ),
  mutantOf("TEN-06", "combined", "counts another organization's attempts where an endpoint and an outcome are named", [
    storingWebhooks((webhooks) => {
      const owners = new Map<string, string>();
      return {
        insertEndpoint(endpoint, most) {
          owners.set(endpoint.id, endpoint.organizationId);
          return webhooks.insertEndpoint(endpoint, most);
        },
        countAttempts(organizationId, filters) {
          const owner = filters.outcome === undefined ? undefined : owners.get(filters.endpointId ?? "");
          return webhooks.countAttempts(owner ?? organizationId, filters);
        },
      };
    }),
  ]),
];
