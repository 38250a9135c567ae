import type { Change, Mutant } from "../edit.ts";
import { memory } from "../memory.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const request = "domain/delivery-request.ts";
const callback = "domain/organization-callback.ts";

const rotation =
  "const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));";
const missed = "if (rotated === null) return endpointNotFound();";
const answered = "return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };";
const signed = "[endpoint.secret]";
const ofOrganization = "const now = nowOf(caller);\n      const secret = newSigningSecret(world.randomBytes);";
const grace = "bounds.organizationSecretGraceSeconds * 1000";
const isValid = "now <= validUntil";

/** The secret with which the first attempt of a delivery was signed. */
const atFirst = `(${memory}[delivery.id] ??= endpoint.secret)`;

/** A deletion that shows more. */
const deletionWith = (member: string): Change => ({
  file: routes,
  find: "afterDeletion(wireEndpoint(deleted, precision), choices.deletedData)",
  replace: `{ ...wireEndpoint(deleted, precision), ${member} }`,
});

/** Servers that break a rule on an endpoint's secret. */
const endpointSecretMutants: readonly Mutant[] = [
  mutant(
    "WHR-12",
    "first",
    "keeps the secret of the first rotation",
    routes,
    rotation,
    rotation.replace("secret,", `(${memory}[path.id] ??= secret),`),
  ),
  mutant(
    "WHR-12",
    "cached",
    "goes on signing with the secret that it first signed with",
    request,
    signed,
    `[${memory}[endpoint.id] ??= endpoint.secret]`,
  ),
  mutant("WHR-12", "retries", "signs retries with the secret of the first attempt", request, signed, `[${atFirst}]`),
  mutant(
    "WHR-12",
    "all",
    "gives the secret to every endpoint of the organization",
    "store/sql-endpoints.ts",
    "return change(db, organizationId, id, { secret, updated_at: at });",
    'const all = db.updateTable("webhook_endpoints").set({ secret });\n      await all.where("organization_id", "=", organizationId).execute();\n      return change(db, organizationId, id, { secret, updated_at: at });',
  ),
  mutantOf("WHR-13", "grace", "signs with the secret before too", [
    {
      file: routes,
      find: rotation,
      replace: `${memory}[path.id] = (await webhooks.endpoint(caller.organization.id, path.id))?.secret;\n      ${rotation}`,
    },
    { file: request, find: signed, replace: `[endpoint.secret, ${memory}[endpoint.id] ?? endpoint.secret]` },
  ]),
  mutant(
    "WHR-13",
    "in-flight",
    "signs retries with the secret of the first attempt too",
    request,
    signed,
    `[...new Set([endpoint.secret, ${atFirst}])]`,
  ),
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
    { file: routes, find: answered, replace: `${memory}[caller.organization.id] = secret;\n      ${answered}` },
    {
      file: routes,
      find: "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints()",
      replace: `(await webhooks.insertEndpoint(endpoint, mostEndpoints))
        ? { ...wireEndpoint(endpoint, precision), hint: ${memory}[organizationId] }
        : tooManyEndpoints()`,
    },
  ]),
  mutantOf("WHR-14", "refusal", "names the secret when it no longer finds the endpoint", [
    { file: routes, find: answered, replace: `${memory}[path.id] = secret;\n      ${answered}` },
    {
      file: routes,
      find: missed,
      replace: `if (rotated === null) {\n        const refusal = endpointNotFound();\n        Object.assign(refusal, { message: \`\${refusal.message} It signed with \${${memory}[path.id]}.\` });\n        return refusal;\n      }`,
    },
  ]),
];

/** Servers that break a rule on the organization's secret. */
const organizationSecretMutants: readonly Mutant[] = [
  mutant(
    "WHO-01",
    "idempotent",
    "gives whoever rotates twice the same secret",
    routes,
    ofOrganization,
    ofOrganization.replace("newSigning", `${memory}[caller.organization.id] ??= newSigning`),
  ),
  mutant(
    "WHO-01",
    "two-slots",
    "goes back and forth between two secrets",
    routes,
    ofOrganization,
    `const now = nowOf(caller);\n      const slots = (${memory}[caller.organization.id] ??= [world, world].map(({ randomBytes }) => newSigningSecret(randomBytes)));\n      const [secret] = slots.reverse();`,
  ),
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
  mutant(
    "WHO-04",
    "first",
    "keeps the secret of the first rotation",
    routes,
    "webhooks.replaceOrganizationSecret(id, secret, now, now + graceMilliseconds)",
    `webhooks.replaceOrganizationSecret(id, (${memory}[id] ??= secret), now, now + graceMilliseconds)`,
  ),
];

/** Servers that break a rule on the secrets that sign what is delivered. */
export const signingSecretMutants: readonly Mutant[] = [...endpointSecretMutants, ...organizationSecretMutants];
