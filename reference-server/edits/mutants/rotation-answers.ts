import { refuse } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { dataOf, onAnswer, onData, refusedWith, withData } from "../wire.ts";
import { alternating } from "./alternating.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const wire = "routes/wire-endpoint.ts";
const changes = "domain/endpoints/endpoint-changes.ts";

const answered = "return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };";
const stored = "secret,\n  updatedAt: at,";
const url = "    url: endpoint.url,";
const deletedAt = "    deleted_at: endpoint.deletedAt === null ? null : timestamp(endpoint.deletedAt, precision),";
const version = "    api_version: endpoint.apiVersion,";

/** The answer with members that stand in front of the secret. */
const answeredWith = (members: string): string => answered.replace("secret,", `${members}, secret,`);
const showing = (secret: string): string => answered.replace("secret,", `secret: ${secret},`);

type Data = Readonly<Record<string, unknown>>;

/** A mutant that answers rotations with other data. */
const rotation = (breaks: RuleId, name: string, does: string, change: (data: Data) => unknown): Mutant =>
  mutantOf(breaks, name, does, [{ wire: onData("rotateEndpointSecret", change) }]);

const eventsOf = ({ events }: Data): readonly string[] => (Array.isArray(events) ? events.map(String) : []);

/** Servers that break a rule on what the rotation of an endpoint's secret answers. */
export const rotationAnswerMutants: readonly Mutant[] = [
  rotation("WHR-01", "no-owner", "leaves the organization out", ({ org_id: _, ...data }) => data),
  rotation("WHR-01", "null-left-out", "leaves out what is null", (data) =>
    Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
  ),
  rotation("WHR-01", "nested", "answers with endpoint and secret side by side", ({ secret, ...endpoint }) => ({
    endpoint,
    secret,
    secret_displayed_once: true,
  })),
  rotation("WHR-01", "epoch", "writes a time as a number", (data) => ({
    ...data,
    created_at: Date.parse(String(data.created_at)),
  })),
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
    "domain/signatures/delivery-signature.ts",
    'Buffer.from(randomBytes(secretBytes)).toString("base64")',
    'Buffer.from(randomBytes(64)).toString("base64url")',
  ),
  mutant("WHR-02", "cut", "cuts the first character off the secret", routes, answered, showing("secret.slice(1)")),
  mutant("WHR-02", "line-end", "ends the secret with a line feed", routes, answered, showing("`${secret}\\n`")),
  rotation("WHR-03", "text", "writes the mark as a text", (data) => ({ ...data, secret_displayed_once: "true" })),
  mutantOf("WHR-03", "later", "says otherwise of an endpoint that was rotated before", [
    {
      wire: (serve) => {
        const rotated = new Set<unknown>();
        return onData("rotateEndpointSecret", (data) => {
          const first = !rotated.has(data.id);
          rotated.add(data.id);
          return { ...data, secret_displayed_once: first };
        })(serve);
      },
    },
  ]),
  mutantOf("WHR-04", "idempotent", "gives whoever rotates twice the same secret", [
    { wire: alternating("rotateEndpointSecret", ({ parameters }) => parameters.id, 1) },
  ]),
  mutantOf("WHR-04", "two-slots", "goes back and forth between two secrets", [
    { wire: alternating("rotateEndpointSecret", ({ parameters }) => parameters.id, 2) },
  ]),
  mutant("WHR-05", "new", "gives the endpoint another id", routes, answered, answeredWith("id: world.newId()")),
  mutantOf("WHR-05", "first", "answers with the id of the organization's first endpoint", [
    {
      wire: (serve) => {
        const first = new Map<unknown, unknown>();
        return async (request) => {
          const answer = await serve(request);
          const data = dataOf(answer);
          if (data === null) return answer;
          const isCreation = request.operation === "createWebhookEndpoint";
          if (isCreation && !first.has(data.org_id)) first.set(data.org_id, data.id);
          const isRotation = request.operation === "rotateEndpointSecret";
          return isRotation ? withData(answer, { ...data, id: first.get(data.org_id) }) : answer;
        };
      },
    },
  ]),
  rotation("WHR-06", "constants", "names event types as constants", (data) => ({
    ...data,
    events: eventsOf(data).map((type) => type.replaceAll(".", "_").toUpperCase()),
  })),
  rotation("WHR-06", "extra", "adds a type", (data) => ({ ...data, events: [...eventsOf(data), "endpoint.test"] })),
  rotation("WHR-06", "two-parts", "cuts types of three parts", (data) => ({
    ...data,
    events: eventsOf(data).map((type) => type.split(".").slice(0, 2).join(".")),
  })),
  rotation("WHR-06", "text", "writes the list as a text", (data) => ({ ...data, events: eventsOf(data).join(",") })),
  mutant(
    "WHR-07",
    "no-scheme",
    "shows an address without its scheme",
    wire,
    url,
    '    url: endpoint.url.replace(/^https?:/, ""),',
  ),
  mutant("WHR-07", "path", "shows the path of an address", wire, url, "    url: new URL(endpoint.url).pathname,"),
  rotation("WHR-08", "number", "writes a boolean as a number", (data) => ({ ...data, active: data.active ? 1 : 0 })),
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
    changes,
    stored,
    "secret,\n  createdAt: at + 1,",
  ),
  mutant("WHR-10", "never", "dates a change to the beginning of time", changes, stored, "secret,\n  updatedAt: 0,"),
  mutantOf("WHR-11", "media-type", "wants the body declared where there is none", [
    {
      wire: onAnswer("rotateEndpointSecret", (answer, { headers }) =>
        dataOf(answer) !== null && headers["content-type"] === undefined
          ? refusedWith(answer, refuse.InvalidInput("The body is not declared as JSON."))
          : answer,
      ),
    },
  ]),
  mutant(
    "VER-01",
    "latest",
    "pins an endpoint to a later version when its secret is rotated",
    changes,
    stored,
    `${stored}\n  apiVersion: "2026-07-01",`,
  ),
  mutantOf("VER-01", "rotations", "moves an endpoint on with every rotation", [
    {
      wire: (serve) => {
        const rotations = new Map<unknown, number>();
        return onData("rotateEndpointSecret", (data) => {
          const count = (rotations.get(data.id) ?? 0) + 1;
          rotations.set(data.id, count);
          return { ...data, api_version: `2026-01-0${count}` };
        })(serve);
      },
    },
  ]),
  mutantOf("WHR-19", "rotated", "tells the time of the rotation as that of the creation", [
    { wire: onData("rotateEndpointSecret", (data) => ({ ...data, created_at: data.updated_at })) },
  ]),
  rotation("WHR-20", "epoch", "takes milliseconds of its creation for seconds", (data) => ({
    ...data,
    created_at: new Date(Date.parse(String(data.created_at)) / 1000).toISOString(),
  })),
  rotation("WHR-21", "ahead", "dates the next change in place of the last", (data) => ({
    ...data,
    updated_at: new Date(Date.parse(String(data.updated_at)) + 90 * 86_400_000).toISOString(),
  })),
];
