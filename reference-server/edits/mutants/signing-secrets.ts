import type { Delivery } from "../../domain/delivery.ts";
import type { OrganizationSecrets } from "../../domain/organization-secrets.ts";
import type { Change, Mutant } from "../edit.ts";
import { delivering, remembering, storingWebhooks } from "../port-changes.ts";
import { dataOf, withData, withMessage } from "../wire.ts";
import { alternating } from "./alternating.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const request = "domain/delivery-request.ts";
const callback = "domain/organization-callback.ts";

const rotation =
  "const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));";
const missed = "if (rotated === null) return endpointNotFound();";
const answered = "return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };";
const signed = "[endpoint.secret]";
const grace = "bounds.organizationSecretGraceSeconds * 1000";
const isValid = "now <= validUntil";

/** Signs all deliveries that have something in common with the secret of the first of them. */
function signedAtFirst(common: (delivery: Delivery) => string): (delivery: Delivery) => Delivery {
  const first = new Map<string, string>();
  return (delivery) => {
    const secret = first.get(common(delivery)) ?? delivery.endpoint.secret;
    first.set(common(delivery), secret);
    return { ...delivery, endpoint: { ...delivery.endpoint, secret } };
  };
}

/** Remembers secrets in the file that signs. */
const rememberSecrets = remembering(
  request,
  'import { timestamp } from "./clock.ts";',
  "const secrets = new Map<string, string>();",
);

/** A deletion that shows more. */
const deletionWith = (member: string): Change => ({
  file: routes,
  find: "afterDeletion(wireEndpoint(deleted, precision), choices.deletedData)",
  replace: `{ ...wireEndpoint(deleted, precision), ${member} }`,
});

/** Servers that break a rule on an endpoint's secret. */
const endpointSecretMutants: readonly Mutant[] = [
  mutantOf("WHR-12", "first", "keeps the secret of the first rotation", [
    storingWebhooks((webhooks) => {
      const first = new Map<string, string>();
      return {
        replaceEndpointSecret(organizationId, id, secret, at) {
          first.set(id, first.get(id) ?? secret);
          return webhooks.replaceEndpointSecret(organizationId, id, first.get(id) ?? secret, at);
        },
      };
    }),
  ]),
  mutantOf("WHR-12", "cached", "goes on signing with the secret that it first signed with", [
    delivering(() => signedAtFirst(({ endpoint }) => endpoint.id)),
  ]),
  mutantOf("WHR-12", "retries", "signs retries with the secret of the first attempt", [
    delivering(() => signedAtFirst(({ id }) => id)),
  ]),
  mutant(
    "WHR-12",
    "all",
    "gives the secret to every endpoint of the organization",
    "store/sql-endpoints.ts",
    "return change(db, organizationId, id, { secret, updated_at: at });",
    'const all = db.updateTable("webhook_endpoints").set({ secret });\n      await all.where("organization_id", "=", organizationId).execute();\n      return change(db, organizationId, id, { secret, updated_at: at });',
  ),
  mutantOf("WHR-13", "grace", "signs with the secret before too", [
    delivering(() => {
      const seen = new Map<string, readonly string[]>();
      return (delivery) => {
        const { id, secret } = delivery.endpoint;
        const all = [...new Set([secret, ...(seen.get(id) ?? [])])].slice(0, 2);
        seen.set(id, all);
        return { ...delivery, endpoint: Object.assign({ before: all[1] ?? secret }, delivery.endpoint) };
      };
    }),
    {
      file: request,
      find: signed,
      replace: "[endpoint.secret, (endpoint as typeof endpoint & { readonly before: string }).before]",
    },
  ]),
  mutantOf("WHR-13", "in-flight", "signs retries with the secret of the first attempt too", [
    rememberSecrets,
    {
      file: request,
      find: "const { event, endpoint } = delivery;",
      replace:
        "const { event, endpoint } = delivery;\n  const first = secrets.get(delivery.id) ?? endpoint.secret;\n  secrets.set(delivery.id, first);",
    },
    { file: request, find: signed, replace: "first === endpoint.secret ? [first] : [endpoint.secret, first]" },
  ]),
  mutantOf("WHR-14", "deletion", "shows the secret of a deleted endpoint", [deletionWith("secret: deleted.secret")]),
  mutantOf("WHR-14", "address", "shows an address that has the secret of a deleted endpoint in it", [
    deletionWith("restore_url: `/restore?secret=${encodeURIComponent(deleted.secret)}`"),
  ]),
  mutant(
    "WHR-14",
    "test",
    "shows the secret when the endpoint is tested",
    routes,
    "return { endpoint_id: endpoint.id, event_id: event.id, event_type: event.type, enqueued_at: enqueued };",
    "return { signed_with: endpoint.secret, endpoint_id: endpoint.id, event_id: event.id, event_type: event.type, enqueued_at: enqueued };",
  ),
  mutant(
    "WHR-14",
    "feed",
    "records the secret among the headers",
    "delivery/make-attempt.ts",
    "requestHeaders: request.headers,",
    'requestHeaders: { ...request.headers, "X-Svc-Secret": endpoint.secret },',
  ),
  mutant(
    "WHR-14",
    "replay",
    "shows the endpoint as it is kept when a delivery is replayed",
    "routes/deliveries.ts",
    "        delivery_id: attempt.id,",
    "        endpoint: await webhooks.endpoint(caller.organization.id, attempt.endpointId),\n        delivery_id: attempt.id,",
  ),
  mutant(
    "WHR-14",
    "next-rotation",
    "shows the secret before at the next rotation",
    routes,
    `${rotation}\n      ${missed}\n      ${answered}`,
    `const before = await webhooks.endpoint(caller.organization.id, path.id);\n      ${rotation}\n      ${missed}\n      ${answered.replace("secret,", "previous_secret: before?.secret, secret,")}`,
  ),
  mutantOf("WHR-14", "creation", "shows the secret of another endpoint when one is created", [
    {
      wire: (serve) => {
        const secrets = new Map<unknown, unknown>();
        return async (request) => {
          const answer = await serve(request);
          const data = dataOf(answer);
          if (data === null) return answer;
          if (request.operation === "rotateEndpointSecret") secrets.set(data.org_id, data.secret);
          const isCreation = request.operation === "createWebhookEndpoint";
          return isCreation ? withData(answer, { ...data, hint: secrets.get(data.org_id) }) : answer;
        };
      },
    },
  ]),
  mutantOf("WHR-14", "refusal", "names the secret when it no longer finds the endpoint", [
    {
      wire: (serve) => {
        const secrets = new Map<unknown, unknown>();
        return async (request) => {
          const answer = await serve(request);
          if (request.operation !== "rotateEndpointSecret") return answer;
          const { id } = request.parameters;
          const data = dataOf(answer);
          if (data !== null) secrets.set(id, data.secret);
          return data === null ? withMessage(answer, `It signed with ${secrets.get(id)}.`) : answer;
        };
      },
    },
  ]),
];

/** Servers that break a rule on the organization's secret. */
const organizationSecretMutants: readonly Mutant[] = [
  mutantOf("WHO-01", "idempotent", "gives whoever rotates twice the same secret", [
    { wire: alternating("rotateOrganizationSecret", ({ headers }) => headers.authorization, 1) },
  ]),
  mutantOf("WHO-01", "two-slots", "goes back and forth between two secrets", [
    { wire: alternating("rotateOrganizationSecret", ({ headers }) => headers.authorization, 2) },
  ]),
  mutant("WHO-02", "at-once", "ends the previous secret at once", callback, isValid, "now < 0"),
  mutant(
    "WHO-02",
    "milliseconds",
    "takes the seconds of the grace for milliseconds",
    routes,
    grace,
    "bounds.organizationSecretGraceSeconds",
  ),
  mutant("WHO-02", "four-minutes", "ends the previous secret a minute early", routes, grace, `${grace} - 60_000`),
  mutant("WHO-03", "for-good", "never ends the previous secret", callback, isValid, "validUntil > 0"),
  mutant("WHO-03", "hour", "ends the previous secret after an hour", routes, grace, `${grace} * 12`),
  mutant(
    "WHO-03",
    "late",
    "ends the previous secret some seconds late",
    callback,
    isValid,
    "now <= validUntil + 5_000",
  ),
  mutant(
    "WHO-04",
    "after-grace",
    "signs with the new secret when the previous one has ended",
    callback,
    'const [first = current, ...others] =\n    choices.graceSignatures === "new-first" ? [current, ...earlier] : [...earlier, current];',
    'const [oldest, ...rest] = earlier;\n  if (oldest !== undefined) return [oldest, ...rest];\n  const [first = current, ...others] =\n    choices.graceSignatures === "new-first" ? [current, ...earlier] : [...earlier, current];',
  ),
  mutantOf("WHO-03", "renewed", "renews the time of all previous secrets at every rotation", [
    storingWebhooks((webhooks) => {
      const renewed = new Map<string, number>();
      const later = (id: string, { current, previous }: OrganizationSecrets): OrganizationSecrets => ({
        current,
        previous: previous.map((each) => ({ ...each, validUntil: renewed.get(id) ?? each.validUntil })),
      });
      return {
        async replaceOrganizationSecret(id, secret, at, until) {
          renewed.set(id, until);
          return later(id, await webhooks.replaceOrganizationSecret(id, secret, at, until));
        },
        organizationSecrets: async (id, first) => later(id, await webhooks.organizationSecrets(id, first)),
      };
    }),
  ]),
  mutantOf("WHO-02", "dropped", "ends the previous secret when an older one ends", [
    storingWebhooks((webhooks) => {
      const ends = new Map<string, number>();
      const sooner = (id: string, { current, previous }: OrganizationSecrets): OrganizationSecrets => ({
        current,
        previous: previous.map((each) => ({ ...each, validUntil: ends.get(id) ?? each.validUntil })),
      });
      return {
        async replaceOrganizationSecret(id, secret, at, until) {
          const secrets = await webhooks.replaceOrganizationSecret(id, secret, at, until);
          if (secrets.previous.length === 1 || (ends.get(id) ?? 0) < at) ends.set(id, until);
          return sooner(id, secrets);
        },
        organizationSecrets: async (id, first) => sooner(id, await webhooks.organizationSecrets(id, first)),
      };
    }),
  ]),
  mutantOf("WHO-05", "all", "gives its endpoints the new secret of the organization", [
    storingWebhooks((webhooks) => {
      const endpoints = new Map<string, string[]>();
      return {
        insertEndpoint(endpoint, most) {
          endpoints.set(endpoint.organizationId, [...(endpoints.get(endpoint.organizationId) ?? []), endpoint.id]);
          return webhooks.insertEndpoint(endpoint, most);
        },
        async replaceOrganizationSecret(organizationId, secret, at, until) {
          for (const id of endpoints.get(organizationId) ?? [])
            await webhooks.replaceEndpointSecret(organizationId, id, secret, at);
          return webhooks.replaceOrganizationSecret(organizationId, secret, at, until);
        },
      };
    }),
  ]),
  mutantOf("WHO-04", "first", "keeps the secret of the first rotation", [
    storingWebhooks((webhooks) => {
      const first = new Map<string, string>();
      return {
        replaceOrganizationSecret(organizationId, secret, at, until) {
          const kept = first.get(organizationId) ?? secret;
          first.set(organizationId, kept);
          return webhooks.replaceOrganizationSecret(organizationId, kept, at, until);
        },
      };
    }),
  ]),
];

/** Servers that break a rule on the secrets that sign what is delivered. */
export const signingSecretMutants: readonly Mutant[] = [...endpointSecretMutants, ...organizationSecretMutants];
