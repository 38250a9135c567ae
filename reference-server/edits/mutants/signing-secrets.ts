import type { Delivery } from "../../domain/deliveries/delivery.ts";
import type { Change, Mutant, PortChange } from "../edit.ts";
import { delivering, remembering } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { keepingEndpoints, working } from "../unit-changes.ts";
import { dataOf, withData, withMessage } from "../wire.ts";
import { alternating } from "./alternating.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const request = "domain/deliveries/delivery-request.ts";
const callback = "domain/organizations/organization-callback.ts";

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
  'import { timestamp } from "../clock.ts";',
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
  mutant(
    "WHR-24",
    "dropped",
    "drops what waits for another attempt with every rotation",
    routes,
    "await tx.endpoints.update(rotated);",
    `await tx.endpoints.update({ ...rotated, active: false, deletedAt: now });
        await tx.endpoints.update(rotated);`,
  ),
  mutantOf("WHR-12", "first", "keeps the secret of the first rotation", [
    keepingEndpoints(() => {
      const initial = new Map<string, string>();
      const first = new Map<string, string>();
      return (endpoints) => ({
        async insert(endpoint) {
          initial.set(endpoint.id, endpoint.secret);
          await endpoints.insert(endpoint);
        },
        async update(endpoint) {
          if (endpoint.secret !== initial.get(endpoint.id) && !first.has(endpoint.id))
            first.set(endpoint.id, endpoint.secret);
          await endpoints.update({ ...endpoint, secret: first.get(endpoint.id) ?? endpoint.secret });
        },
      });
    }),
  ]),
  mutantOf("WHR-12", "cached", "goes on signing with the secret that it first signed with", [
    delivering(() => signedAtFirst(({ endpoint }) => endpoint.id)),
  ]),
  mutantOf("WHR-12", "off", "keeps no secret that an endpoint is given while it is not active", [
    keepingEndpoints(() => (endpoints) => ({
      async update(endpoint) {
        const before = await endpoints.find(endpoint.id);
        const secret = before?.active === false ? before.secret : endpoint.secret;
        await endpoints.update({ ...endpoint, secret });
      },
    })),
  ]),
  mutantOf("WHR-12", "retries", "signs retries with the secret of the first attempt", [
    delivering(() => signedAtFirst(({ id }) => id)),
  ]),
  mutantOf("WHR-12", "shared-address", "gives the secret to every endpoint at the address", [
    keepingEndpoints(() => {
      const made = new Map<string, string[]>();
      return (endpoints) => ({
        async insert(endpoint) {
          made.set(endpoint.url, [...(made.get(endpoint.url) ?? []), endpoint.id]);
          await endpoints.insert(endpoint);
        },
        async update(endpoint) {
          for (const id of made.get(endpoint.url) ?? []) {
            const other = await endpoints.find(id);
            if (other !== null && endpoint.deletedAt === null)
              await endpoints.update({ ...other, secret: endpoint.secret });
          }
          await endpoints.update(endpoint);
        },
      });
    }),
  ]),
  mutantOf("WHR-12", "all", "gives the secret to every endpoint of the organization", [
    keepingEndpoints(() => {
      const made: string[] = [];
      return (endpoints) => ({
        async insert(endpoint) {
          made.push(endpoint.id);
          await endpoints.insert(endpoint);
        },
        async update(endpoint) {
          for (const id of made) {
            const other = await endpoints.find(id);
            if (other !== null && endpoint.deletedAt === null)
              await endpoints.update({ ...other, secret: endpoint.secret });
          }
          await endpoints.update(endpoint);
        },
      });
    }),
  ]),
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
    "return { endpoint_id: endpoint.id, event_id: id, event_type: event.type, enqueued_at: enqueued };",
    "return { signed_with: endpoint.secret, endpoint_id: endpoint.id, event_id: id, event_type: event.type, enqueued_at: enqueued };",
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
    "delivery_id: found.attempt.id,",
    "endpoint,\n          delivery_id: found.attempt.id,",
  ),
  mutant(
    "WHR-14",
    "next-rotation",
    "shows the secret before at the next rotation",
    routes,
    answered,
    answered.replace("secret,", "previous_secret: endpoint.secret, secret,"),
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

/** Has all previous secrets of an organization end together. */
const endingWith = (choose: (ends: readonly number[]) => number): PortChange =>
  working(() => ({ secrets }) => ({
    secrets: withMembers(secrets, {
      async put({ current, previous }) {
        const validUntil = choose(previous.map((each) => each.validUntil));
        await secrets.put({ current, previous: previous.map((each) => ({ ...each, validUntil })) });
      },
    }),
  }));

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
  mutant(
    "WHO-02",
    "users",
    "ends the previous secret at once when a user rotates",
    routes,
    "now + graceMilliseconds",
    'caller.kind === "session" ? now - 1 : now + graceMilliseconds',
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
    endingWith((ends) => Math.max(...ends)),
  ]),
  mutantOf("WHO-02", "dropped", "ends the previous secret when an older one ends", [
    endingWith((ends) => Math.min(...ends)),
  ]),
  mutantOf("WHO-05", "all", "gives its endpoints the new secret of the organization", [
    working(() => {
      const made = new Map<string, readonly string[]>();
      return (tx) => ({
        endpoints: withMembers(tx.endpoints, {
          async insert(endpoint) {
            const { id, organizationId } = endpoint;
            made.set(organizationId, [...(made.get(organizationId) ?? []), id]);
            await tx.endpoints.insert(endpoint);
          },
        }),
        secrets: withMembers(tx.secrets, {
          async put(secrets) {
            for (const id of made.get(tx.organization?.id ?? "") ?? []) {
              const endpoint = await tx.endpoints.find(id);
              if (endpoint !== null) await tx.endpoints.update({ ...endpoint, secret: secrets.current });
            }
            await tx.secrets.put(secrets);
          },
        }),
      });
    }),
  ]),
  mutantOf("WHO-04", "first", "keeps the secret of the first rotation", [
    working(() => {
      const first = new Map<string | undefined, string>();
      return ({ organization, secrets }) => ({
        secrets: withMembers(secrets, {
          async put(rotated) {
            const current = first.get(organization?.id) ?? rotated.current;
            first.set(organization?.id, current);
            await secrets.put({ ...rotated, current });
          },
        }),
      });
    }),
  ]),
];

/** Servers that break a rule on the secrets that sign what is delivered. */
export const signingSecretMutants: readonly Mutant[] = [...endpointSecretMutants, ...organizationSecretMutants];
