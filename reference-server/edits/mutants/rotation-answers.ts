import type { Mutant } from "../edit.ts";
import { memory } from "../memory.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const wire = "routes/wire-endpoint.ts";
const endpoints = "store/sql-endpoints.ts";

const answered = "return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };";
const newSecret = "const secret = newSigningSecret(world.randomBytes);\n      const rotated";
const stored = "return change(db, organizationId, id, { secret, updated_at: at });";
const events = "    events: endpoint.events,";
const url = "    url: endpoint.url,";
const active = "    active: endpoint.active,";
const deletedAt = "    deleted_at: endpoint.deletedAt === null ? null : timestamp(endpoint.deletedAt, precision),";
const version = "    api_version: endpoint.apiVersion,";

/** The answer with members that stand in front of the secret. */
const answeredWith = (members: string): string => answered.replace("secret,", `${members}, secret,`);
const showing = (secret: string): string => answered.replace("secret,", `secret: ${secret},`);

/** Servers that break a rule on what the rotation of an endpoint's secret answers. */
export const rotationAnswerMutants: readonly Mutant[] = [
  mutant("WHR-01", "no-owner", "leaves the organization out", wire, "    org_id: endpoint.organizationId,\n", ""),
  mutant(
    "WHR-01",
    "null-left-out",
    "leaves out what is null",
    wire,
    deletedAt,
    "    ...(endpoint.deletedAt === null ? {} : { deleted_at: timestamp(endpoint.deletedAt, precision) }),",
  ),
  mutant(
    "WHR-01",
    "nested",
    "answers with endpoint and secret side by side",
    routes,
    answered,
    "return { endpoint: wireEndpoint(rotated, precision), secret, secret_displayed_once: true };",
  ),
  mutant(
    "WHR-01",
    "epoch",
    "writes a time as a number",
    wire,
    "created_at: timestamp(endpoint.createdAt, precision),",
    "created_at: endpoint.createdAt,",
  ),
  mutant(
    "WHR-01",
    "first-event",
    "shows the first subscription only",
    routes,
    answered,
    answeredWith("events: rotated.events.slice(0, 1)"),
  ),
  mutant(
    "WHR-01",
    "host",
    "shows the host of the address only",
    routes,
    answered,
    answeredWith("url: new URL(rotated.url).origin"),
  ),
  mutant("WHR-02", "prefixed", "puts a mark before the secret", routes, answered, showing("`whsec_${secret}`")),
  mutant(
    "WHR-02",
    "url-alphabet",
    "writes secrets in the alphabet for addresses",
    "domain/delivery-signature.ts",
    'Buffer.from(randomBytes(secretBytes)).toString("base64")',
    'Buffer.from(randomBytes(64)).toString("base64url")',
  ),
  mutant("WHR-02", "line-end", "ends the secret with a line feed", routes, answered, showing("`${secret}\\n`")),
  mutant(
    "WHR-03",
    "text",
    "writes the mark as a text",
    routes,
    answered,
    answered.replace("once: true", 'once: "true"'),
  ),
  mutant(
    "WHR-03",
    "later",
    "says otherwise of an endpoint that was rotated before",
    routes,
    answered,
    `const first = ${memory}[rotated.id] === undefined;\n      ${memory}[rotated.id] = true;\n      ${answered.replace("once: true", "once: first")}`,
  ),
  mutant(
    "WHR-04",
    "idempotent",
    "gives whoever rotates twice the same secret",
    routes,
    "const secret = newSigningSecret(world.randomBytes);\n      const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));",
    `${newSecret.replace("newSigning", `${memory}[path.id] ??= newSigning`)} = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));`,
  ),
  mutant(
    "WHR-04",
    "two-slots",
    "goes back and forth between two secrets",
    routes,
    "const secret = newSigningSecret(world.randomBytes);\n      const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));",
    `const slots = (${memory}[path.id] ??= [world, world].map(({ randomBytes }) => newSigningSecret(randomBytes)));\n      const [secret] = slots.reverse();\n      const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));`,
  ),
  mutant("WHR-05", "new", "gives the endpoint another id", routes, answered, answeredWith("id: world.newId()")),
  mutantOf("WHR-05", "first", "answers with the id of the organization's first endpoint", [
    {
      file: routes,
      find: "const endpoint = newEndpoint(wanted, world, choices);",
      replace: `const endpoint = newEndpoint(wanted, world, choices);\n      ${memory}[organizationId] ??= endpoint.id;`,
    },
    { file: routes, find: answered, replace: answeredWith(`id: ${memory}[caller.organization.id]`) },
  ]),
  mutant(
    "WHR-06",
    "constants",
    "names event types as constants",
    wire,
    events,
    '    events: endpoint.events.map((type) => type.replaceAll(".", "_").toUpperCase()),',
  ),
  mutant("WHR-06", "extra", "adds a type", wire, events, '    events: [...endpoint.events, "endpoint.test"],'),
  mutant(
    "WHR-06",
    "two-parts",
    "cuts types of three parts",
    wire,
    events,
    '    events: endpoint.events.map((type) => type.split(".").slice(0, 2).join(".")),',
  ),
  mutant("WHR-06", "text", "writes the list as a text", wire, events, '    events: endpoint.events.join(","),'),
  mutant(
    "WHR-07",
    "no-scheme",
    "shows an address without its scheme",
    wire,
    url,
    '    url: endpoint.url.replace(/^https?:/, ""),',
  ),
  mutant("WHR-07", "path", "shows the path of an address", wire, url, "    url: new URL(endpoint.url).pathname,"),
  mutant("WHR-08", "number", "writes a boolean as a number", wire, active, "    active: endpoint.active ? 1 : 0,"),
  mutant(
    "WHR-08",
    "first-day",
    "writes no time as the first day of the calendar",
    wire,
    deletedAt,
    deletedAt.replace("? null :", '? "0001-01-01T00:00:00Z" :'),
  ),
  mutant(
    "WHR-09",
    "time",
    "writes a version as a time",
    wire,
    version,
    "    api_version: `${endpoint.apiVersion}T00:00:00Z`,",
  ),
  mutant(
    "WHR-09",
    "month",
    "writes a version as a month",
    wire,
    version,
    "    api_version: endpoint.apiVersion.slice(0, 7),",
  ),
  mutant(
    "WHR-10",
    "recreated",
    "dates the creation anew and not the change",
    endpoints,
    stored,
    "return change(db, organizationId, id, { secret, created_at: at + 1 });",
  ),
  mutant(
    "WHR-10",
    "never",
    "dates a change to the beginning of time",
    endpoints,
    stored,
    "return change(db, organizationId, id, { secret, updated_at: 0 });",
  ),
  mutant(
    "WHR-11",
    "media-type",
    "wants the body declared where there is none",
    "http/validate-request.ts",
    "if (validators.body === null || validators.largeBody === null) return [];",
    'const { operation } = routeOf(exchange);\n  const declared = exchange.request.headers["content-type"] !== undefined;\n  if (operation.id === "rotateEndpointSecret" && !declared) return rows.notJson("it is not declared as JSON");\n  if (validators.body === null || validators.largeBody === null) return [];',
  ),
  mutant(
    "VER-01",
    "latest",
    "pins an endpoint to a later version when its secret is rotated",
    endpoints,
    stored,
    'return change(db, organizationId, id, { secret, updated_at: at, api_version: "2026-07-01" });',
  ),
  mutant(
    "VER-01",
    "rotations",
    "moves an endpoint on with every rotation",
    routes,
    answered,
    `${memory}[path.id] = (${memory}[path.id] ?? 0) + 1;\n      ${answeredWith(`api_version: \`2026-01-0\${${memory}[path.id]}\``)}`,
  ),
];
