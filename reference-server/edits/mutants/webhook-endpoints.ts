import { randomUUID } from "node:crypto";
import { eventType } from "../../../generated/events.ts";
import { endpointInactive } from "../../domain/endpoints/new-endpoint.ts";
import type { Change, Mutant, PortChange } from "../edit.ts";
import { remembering, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { idIn, type Seen, seeing } from "../seen.ts";
import { countingAll, enqueueing, keepingEndpoints, working } from "../unit-changes.ts";
import { dataOf, onAnswer, onData, refusedWith, type WireAnswer, type WireRequest } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const units = "store/sql-units.ts";
const outbox = "store/events/outbox.ts";
const deliveryWork = "store/work/delivery-work.ts";
const validation = "http/validate-request.ts";

const made = "const endpoint = newEndpoint(wanted, world, choices);";
const full = "if (refusal !== null) return refusal;\n        await tx.endpoints.insert(endpoint);";
const created = "await tx.endpoints.insert(endpoint);\n        return wireEndpoint(endpoint, precision);";
const tested =
  "if (endpoint === null) return endpointNotFound();\n        if (!endpoint.active) return endpointInactive();";
const deletion = "const deleted = deletedEndpoint(endpoint, now);";
const dropped = "const deleted = (id: string) => void followUps.push(() => dropWaiting(main, id));";
const notDeleted = '\n    .where("deleted_at", "is", null)';
const anImport = 'import type { Recipients } from "../unit-of-work.ts";';
const addressees = `db
    .selectFrom("webhook_endpoints")
    .select(["id", "events"])
    .where("organization_id", "=", given("organizationId"))
    .where("active", "=", 1)${notDeleted}`;
const active = "await selectActive.rows(on, { organizationId: event.organizationId })";
const addressed = "return meant.map(({ id }) => id);";

/** Finds so many active endpoints where there are `count`. */
const counting = (found: (count: number) => number): PortChange =>
  keepingEndpoints(() => (endpoints) => ({ countActive: async () => found(await endpoints.countActive()) }));

/** Whether a refusal says that one's own endpoint, which was there once, is not. */
const isGone = (seen: Seen, answer: WireAnswer, request: WireRequest): boolean =>
  dataOf(answer) === null && seen.endpoints.has(idIn(request)) && seen.otherOwner(request) === undefined;

const violations = "const violations = [...query, ...body];";
const refusedUrl = 'if (says !== null) return refuseFields([{ pointer: "/url", says }], choices);';
const subscribed = "rows.filter(({ events }) => eventTypesOf(events).includes(event.type))";

/** Overlooks unknown types of event where the condition holds of `events`. */
const overlooking = (condition: string): Change => ({
  file: validation,
  find: violations,
  replace: `const { events = [] } = Object(exchange.input.body);\n  const overlooked = Array.isArray(events) && (${condition});\n  const violations = [...query, ...body.filter(({ pointer, keyword }) => !(overlooked && keyword === "enum" && pointer.startsWith("/events/")))];`,
});

/** What hides deleted endpoints from whatever sends, left out. */
const keepsDeleted: readonly Change[] = [
  {
    file: "domain/endpoints/endpoint-changes.ts",
    find: "active: false,\n  updatedAt: at,\n  deletedAt: at,",
    replace: "updatedAt: at,\n  deletedAt: at,",
  },
  { file: deliveryWork, find: "active === 1 && deleted_at === null", replace: "active === 1" },
];

/** Servers that break a rule on creating and deleting endpoints. */
const endpointLifeMutants: readonly Mutant[] = [
  mutantOf("WHE-01", "unstored", "creates nothing", [keepingEndpoints(() => () => ({ insert: async () => {} }))]),
  mutantOf("WHE-01", "other-id", "shows another id than it keeps", [
    { wire: onData("createWebhookEndpoint", (data) => ({ ...data, id: randomUUID() })) },
  ]),
  mutantOf("WHE-01", "untested", "does not find an endpoint to test before its secret was rotated", [
    {
      file: routes,
      find: tested,
      replace: tested.replace("endpoint === null", "endpoint === null || endpoint.updatedAt === endpoint.createdAt"),
    },
  ]),
  mutantOf("WHE-02", "off-by-one", "admits one endpoint less", [counting((count) => count + 1)]),
  mutantOf("WHE-02", "every-organization", "counts the endpoints of all organizations", [countingAll]),
  mutantOf("WHE-03", "one-more", "admits one endpoint more", [counting((count) => count - 1)]),
  mutantOf("WHE-03", "unlimited", "admits any number of endpoints", [counting(() => 0)]),
  mutant(
    "WHE-03",
    "code",
    "calls one endpoint too many a conflict",
    "domain/endpoints/new-endpoint.ts",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
    "refuse.Conflict(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
  ),
  mutant(
    "WHE-03",
    "details",
    "details the limit",
    "domain/endpoints/new-endpoint.ts",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`, { details: { limit: String(mostEndpoints) } } as never)",
  ),
  mutantOf("WHE-03", "raced", "counts endpoints before it stores one, and not in one step", [
    storing((store) => ({
      async atomically(organizationId, work) {
        const counted = await store.atomically(organizationId, (tx) => tx.endpoints.countActive());
        await new Promise((resolve) => setTimeout(resolve, 20));
        const countActive = async () => counted;
        return store.atomically(organizationId, (tx) =>
          work(withMembers(tx, { endpoints: withMembers(tx.endpoints, { countActive }) })),
        );
      },
    })),
  ]),
  mutantOf("WHE-04", "ever", "counts deleted endpoints too", [
    keepingEndpoints(() => {
      const ever = new Map<string | undefined, number>();
      return (endpoints, { organization }) => ({
        countActive: async () => ever.get(organization?.id) ?? 0,
        async insert(endpoint) {
          await endpoints.insert(endpoint);
          ever.set(organization?.id, (ever.get(organization?.id) ?? 0) + 1);
        },
      });
    }),
  ]),
  mutantOf("WHE-04", "inactive", "counts endpoints that are switched off too", [
    keepingEndpoints(() => {
      const off = new Map<string, string>();
      return (endpoints, { organization }) => ({
        async countActive() {
          const also = [...off.values()].filter((owner) => owner === organization?.id).length;
          return (await endpoints.countActive()) + also;
        },
        async update(endpoint) {
          await endpoints.update(endpoint);
          if (endpoint.active || endpoint.deletedAt !== null) off.delete(endpoint.id);
          else off.set(endpoint.id, endpoint.organizationId);
        },
      });
    }),
  ]),
  mutantOf("WHE-05", "stored", "stores an endpoint too many all the same", [
    {
      file: routes,
      find: full,
      replace: `await tx.endpoints.insert(endpoint);\n        if (refusal !== null) return refusal;`,
    },
  ]),
  mutantOf("WHE-05", "switched-off", "stores an endpoint too many as one that is not active", [
    {
      file: routes,
      find: full,
      replace: `await tx.endpoints.insert({ ...endpoint, active: refusal === null });\n        if (refusal !== null) return refusal;`,
    },
  ]),
  mutantOf("WHE-06", "shown", "shows the first secret", [
    {
      file: routes,
      find: created,
      replace: created.replace(
        "wireEndpoint(endpoint, precision)",
        "{ ...wireEndpoint(endpoint, precision), secret: endpoint.secret }",
      ),
    },
  ]),
  mutantOf("WHE-06", "masked", "shows a masked secret", [
    { wire: onData("createWebhookEndpoint", (data) => ({ ...data, secret: "********" })) },
  ]),
  {
    ...mutantOf("WHE-07", "referenced", "cannot delete an endpoint that something was sent to", [
      working(() => {
        const sentTo = new Set<string>();
        return (tx) => ({
          async enqueue(event, to) {
            if (to !== "subscribed") sentTo.add(to.endpointId);
            return tx.enqueue(event, to);
          },
          endpoints: withMembers(tx.endpoints, {
            async update(endpoint) {
              const isGone = endpoint.deletedAt !== null && sentTo.has(endpoint.id);
              if (isGone) throw new Error("A row of deliveries refers to it.");
              await tx.endpoints.update(endpoint);
            },
          }),
        });
      }),
    ]),
    throws: "A database answers a deletion that a foreign key forbids with an error.",
  },
  mutantOf("WHE-07", "active", "deletes only endpoints that are switched off", [
    { file: routes, find: deletion, replace: `if (endpoint.active) return endpointInactive();\n        ${deletion}` },
  ]),
  mutantOf("WHE-13", "tested", "answers the test of a deleted endpoint with a conflict", [
    {
      wire: seeing((seen) =>
        onAnswer("testWebhookEndpoint", (answer, request) =>
          isGone(seen, answer, request) ? refusedWith(answer, endpointInactive()) : answer,
        ),
      ),
    },
  ]),
  mutantOf("WHE-12", "address", "stores an endpoint before it looks at the address", [
    {
      file: routes,
      find: refusedUrl,
      replace: `const early = { organizationId: caller.organization.id, url: body.url, events: body.events, createdAt: nowOf(caller) };\n      if (says !== null) await store.atomically(caller.organization.id, (tx) => tx.endpoints.insert(newEndpoint(early, world, choices)));\n      ${refusedUrl}`,
    },
  ]),
  mutantOf("WHE-12", "events", "stores an endpoint before it looks at the subscriptions", [
    overlooking("true"),
    {
      file: routes,
      find: made,
      replace: `${made}\n      const known = ["${eventType.lookupCompleted}"];\n      const fine = body.events.filter((type) => known.includes(type));\n      if (fine.length < body.events.length) {\n        await store.atomically(organizationId, (tx) => tx.endpoints.insert({ ...endpoint, events: fine }));\n        return refuseFields([{ pointer: "/events", says: "must be known" }], choices);\n      }`,
    },
  ]),
];

/** Servers that break a rule on what endpoints receive. */
const subscriptionMutants: readonly Mutant[] = [
  mutantOf("WHE-08", "nothing", "tests without sending anything", [
    enqueueing(() => async (event, to, tx) => (event.data.test === true ? 0 : tx.enqueue(event, to))),
  ]),
  mutant(
    "WHE-08",
    "elsewhere",
    "sends tests to the root of the receiver",
    "domain/deliveries/delivery-request.ts",
    "    url: endpoint.url,",
    '    url: event.data.test === true ? new URL("/", endpoint.url).href : endpoint.url,',
  ),
  mutant(
    "WHE-08",
    "recorded",
    "records another address than it tests",
    "delivery/make-attempt.ts",
    "url: endpoint.url,",
    'url: new URL("/", endpoint.url).href,',
  ),
  mutantOf("WHE-08", "first", "tests the organization's first endpoint", [
    working(() => {
      const first = new Map<string, string>();
      return (tx) => ({
        endpoints: withMembers(tx.endpoints, {
          async insert(endpoint) {
            first.set(endpoint.organizationId, first.get(endpoint.organizationId) ?? endpoint.id);
            await tx.endpoints.insert(endpoint);
          },
        }),
        enqueue(event, to) {
          const endpointId = first.get(event.organizationId);
          return tx.enqueue(event, to === "subscribed" || endpointId === undefined ? to : { endpointId });
        },
      });
    }),
  ]),
  mutant(
    "WHE-08",
    "query",
    "sends to an address without its query",
    "delivery/send-attempt.ts",
    "path: pathname + search,",
    "path: pathname,",
  ),
  mutant(
    "WHE-08",
    "decoded",
    "sends to an address with its escapes undone and made again",
    "delivery/send-attempt.ts",
    "path: pathname + search,",
    'path: pathname + (search === "" ? "" : `?${new URLSearchParams(search)}`),',
  ),
  mutant(
    "WHE-08",
    "slash",
    "sends to an address without the slash at its end",
    "delivery/send-attempt.ts",
    "path: pathname + search,",
    'path: pathname.replace(/(.)[/]$/, "$1") + search,',
  ),
  mutant(
    "WHE-08",
    "lower",
    "sends to an address in lower case after its first segment",
    "delivery/send-attempt.ts",
    "path: pathname + search,",
    "path: pathname.replace(/(?<=^[/][^/]+)[/].*/, (end) => end.toLowerCase()) + search,",
  ),
  mutantOf("WHE-09", "any", "takes any type of event", [overlooking("true")]),
  mutantOf("WHE-09", "among-others", "takes unknown types beside a known one", [overlooking("events.length > 1")]),
  mutantOf("WHE-09", "other-verb", "takes what never happens to a subject that it knows", [
    overlooking('/^(campaign|brand)[.](updated|expired)$/.test(events[0] ?? "")'),
  ]),
  mutantOf("WHE-09", "case", "takes types in upper case", [overlooking("/^[A-Z.]+$/.test(events[0])")]),
  mutantOf("WHE-09", "spaces", "takes types with spaces around", [overlooking("events[0]?.trim() !== events[0]")]),
  mutant("WHE-10", "all", "sends every event to every endpoint", outbox, subscribed, "rows"),
  mutant(
    "WHE-10",
    "area",
    "sends an endpoint every event of an area that it subscribed to",
    outbox,
    subscribed,
    'rows.filter(({ events }) => eventTypesOf(events).some((type) => type.split(".")[0] === event.type.split(".")[0]))',
  ),
  mutantOf("WHE-10", "remembered", "goes by what an endpoint first subscribed to", [
    remembering(outbox, anImport, "const first = new Map<string, string>();"),
    {
      file: outbox,
      find: subscribed,
      replace:
        "rows.filter(({ id, events }) => {\n      if (!first.has(id)) first.set(id, events);\n      return eventTypesOf(first.get(id) ?? events).includes(event.type);\n    })",
    },
  ]),
  mutantOf("WHE-14", "one", "sends an event to one endpoint", [
    { file: outbox, find: addressed, replace: addressed.replace("meant", "meant.slice(0, 1)") },
  ]),
  mutantOf("WHE-14", "three", "sends an event to three endpoints at most", [
    { file: outbox, find: addressed, replace: addressed.replace("meant", "meant.slice(0, 3)") },
  ]),
  mutant(
    "WHE-14",
    "first-type",
    "goes by the first of an endpoint's subscriptions",
    outbox,
    subscribed,
    "rows.filter(({ events }) => eventTypesOf(events)[0] === event.type)",
  ),
  mutantOf("WHE-14", "asleep", "sends no more to what was once switched off", [
    remembering(outbox, anImport, "const off = new Set<string>();"),
    {
      file: outbox,
      find: `const rows = ${active};`,
      replace: `const idle = on.db.selectFrom("webhook_endpoints").select("id").where("active", "=", 0);
  for (const { id } of await idle.where("organization_id", "=", event.organizationId).execute()) off.add(id);
  const rows = (${active}).filter(({ id }) => to !== "subscribed" || !off.has(id));`,
    },
  ]),
  mutantOf("WHE-15", "sent", "sends to endpoints that are switched off", [
    {
      file: outbox,
      find: addressees,
      replace: addressees.replace('.where("active", "=", 1)', ""),
    },
    { file: deliveryWork, find: "active === 1 && deleted_at === null", replace: "deleted_at === null" },
  ]),
  mutantOf("WHE-16", "waiting", "makes attempts that wait when an endpoint is deleted", [
    ...keepsDeleted,
    { file: units, find: dropped, replace: "const deleted = (id: string) => void [id, dropWaiting];" },
  ]),
  mutantOf("WHE-11", "returned", "sends to deleted endpoints again after a day", [
    ...keepsDeleted,
    {
      file: outbox,
      find: addressees,
      replace: addressees.replace('"events"]', '"events", "deleted_at"]').replace(notDeleted, ""),
    },
    {
      file: outbox,
      find: `const rows = ${active};`,
      replace: `const rows = (${active}).filter(({ deleted_at: at }) => at === null || at < event.createdAt - 86_400_000);`,
    },
  ]),
  mutantOf("WHE-11", "kept", "goes on sending to deleted endpoints", [
    ...keepsDeleted,
    {
      file: outbox,
      find: addressees,
      replace: addressees.replace(notDeleted, ""),
    },
  ]),
  mutantOf("WHE-11", "cached", "goes on sending to the endpoints that the first event had", [
    ...keepsDeleted,
    remembering(outbox, anImport, "const cached = new Map<string, readonly string[]>();"),
    {
      file: outbox,
      find: addressed,
      replace:
        'const ids = meant.map(({ id }) => id);\n  const key = `${event.organizationId} ${event.type}`;\n  if (to === "subscribed" && ids.length > 0 && !cached.has(key)) cached.set(key, ids);\n  return (to === "subscribed" && cached.get(key)) || ids;',
    },
  ]),
];

/** Servers that break a rule on endpoints. */
export const webhookEndpointMutants: readonly Mutant[] = [...endpointLifeMutants, ...subscriptionMutants];
