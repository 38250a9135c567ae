import { keyRevoked } from "../../domain/keys/api-keys.ts";
import { forAnyone, onceForAnyone } from "../as-owner.ts";
import type { Change, Mutant } from "../edit.ts";
import { drawingTogether, storingWebhooks } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { idIn, seeing } from "../seen.ts";
import { countingAll, keepingEndpoints } from "../unit-changes.ts";
import { onAnswer, refusedWith } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

/** The store hands out foreign keys, so that the route can tell them apart. */
const anyOwner: Change = {
  file: "store/keys/keys.ts",
  find: "await selectKey.first(on, { id, organizationId })",
  replace: 'await on.db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst()',
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
      wire: seeing((seen) =>
        onAnswer("getApiKey", (answer, request) =>
          seen.otherOwner(request) !== undefined && request.parameters.id !== idIn(request)
            ? refusedWith(answer, keyRevoked())
            : answer,
        ),
      ),
    },
  ]),
  mutantOf("TEN-20", "rotated", "does not find another organization's key and rotates it all the same", [
    {
      ports({ store, ...others }) {
        const owners = new Map<string, string>();
        const spoil = (organizationId: string, id: string) =>
          store.atomically(organizationId, async ({ keys }) => {
            const key = await keys.find(id);
            if (key !== null) await keys.update(id, { ...key, secretHash: `other than ${key.secretHash}` });
          });
        const members: Partial<typeof store> = {
          async atomically(organizationId, work) {
            const missed: string[] = [];
            const result = await store.atomically(organizationId, ({ keys, ...tx }) => {
              const noted: Partial<typeof keys> = {
                async find(id) {
                  const key = await keys.find(id);
                  if (key === null) missed.push(id);
                  return key;
                },
                async insert(key) {
                  owners.set(key.id, organizationId);
                  await keys.insert(key);
                },
              };
              return work({ ...tx, keys: withMembers(keys, noted) });
            });
            for (const id of missed) {
              const owner = owners.get(id);
              if (owner !== undefined) await spoil(owner, id);
            }
            return result;
          },
        };
        return { ...others, store: withMembers(store, members) };
      },
    },
  ]),
  mutantOf("TEN-05", "rotation", "rotates any organization's key", [{ wire: forAnyone("rotateApiKey") }]),
  mutantOf("TEN-16", "one-bucket", "keeps one bucket for all organizations", [drawingTogether(() => true)]),
  mutantOf("TEN-16", "endpoints-together", "counts the active endpoints of all organizations together", [countingAll]),
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
    "bucket: each.bucket,",
    'bucket: `${each.bucket}${caller.kind === "key" ? [...caller.scopes].join() : ""}`,',
  ),
  mutantOf("TEN-06", "combined", "counts another organization's attempts where an endpoint and an outcome are named", [
    {
      ports(ports) {
        const owners = new Map<string, string>();
        const noting = keepingEndpoints(() => (endpoints) => ({
          async insert(endpoint) {
            owners.set(endpoint.id, endpoint.organizationId);
            await endpoints.insert(endpoint);
          },
        }));
        const counting = storingWebhooks((webhooks) => ({
          async attempts(organizationId, filters, page) {
            const owner = filters.outcome === undefined ? undefined : owners.get(filters.endpointId ?? "");
            const found = await webhooks.attempts(organizationId, filters, page);
            const { total } = await webhooks.attempts(owner ?? organizationId, filters, page);
            return { ...found, total };
          },
        }));
        return counting.ports(noting.ports(ports));
      },
    },
  ]),
  ...(
    [
      ["TEN-02", "rotateEndpointSecret"],
      ["TEN-03", "replayDelivery"],
      ["TEN-08", "updatePhoneNumber"],
      ["TEN-08", "releasePhoneNumber"],
      ["TEN-09", "attachCampaign"],
      ["TEN-09", "detachCampaign"],
      ["TEN-12", "deleteWebhookEndpoint"],
      ["TEN-12", "testWebhookEndpoint"],
      ["TEN-13", "cancelMessage"],
      ["TEN-21", "rotateApiKey"],
      ["TEN-05", "deleteWebhookEndpoint"],
      ["TEN-05", "cancelMessage"],
      ["TEN-05", "rotateApiKey"],
    ] as const
  ).map(([rule, id]) =>
    mutantOf(rule, `${id}-once`, `performs the first ${id} on another organization's record`, [
      { wire: onceForAnyone(id) },
    ]),
  ),
];
