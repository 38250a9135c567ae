import { eventType } from "../../../generated/events.ts";
import type { Change, Mutant } from "../edit.ts";
import { remembering, storingWebhooks } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const endpoints = "store/sql-endpoints.ts";
const outbox = "store/sql-outbox.ts";
const deliveryWork = "store/sql-delivery-work.ts";
const validation = "http/validate-request.ts";

const inserted = "return (await webhooks.insertEndpoint(endpoint, mostEndpoints))";
const missedTest = "if (endpoint === null) return endpointNotFound();";
const deletion = "const deleted = await webhooks.deleteEndpoint(caller.organization.id, path.id, nowOf(caller));";
const full = "if (active && (await countActive(transaction, organizationId)) >= most) return false;";
const insert = 'await transaction.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)).execute();';
const ofOrganization = '.where("organization_id", "=", organizationId)';
const notDeleted = '.where("deleted_at", "is", null)';
const isActive = '.where("active", "=", 1)';
/** How many endpoints meet the conditions. */
const counted = (...conditions: readonly string[]): string =>
  `db.selectFrom("webhook_endpoints").select(({ fn }) => fn.countAll<number>().as("count"))${conditions.join("")}.executeTakeFirstOrThrow()`;
const emitted = "(await webhooks.emit(event, { endpointId: endpoint.id }))";
const violations = "const violations = [...query, ...body];";
const refusedUrl = 'if (says !== null) return refuseFields([{ pointer: "/url", says }], choices);';
const addressed = "endpointIds: meant.map(({ id }) => id),";
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
    file: endpoints,
    find: "{ active: 0, deleted_at: at, updated_at: at }",
    replace: "{ deleted_at: at, updated_at: at }",
  },
  { file: deliveryWork, find: "active === 1 && deleted_at === null", replace: "active === 1" },
];

/** Servers that break a rule on creating and deleting endpoints. */
const endpointLifeMutants: readonly Mutant[] = [
  mutant(
    "WHE-01",
    "unstored",
    "creates nothing",
    routes,
    "return (await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints();",
    "return mostEndpoints > 0\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints();",
  ),
  mutant(
    "WHE-01",
    "other-id",
    "shows another id than it keeps",
    routes,
    "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints()",
    "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint({ ...endpoint, id: world.newId() }, precision)\n        : tooManyEndpoints()",
  ),
  mutant(
    "WHE-01",
    "untested",
    "does not find an endpoint to test before its secret was rotated",
    routes,
    missedTest,
    "if (endpoint === null || endpoint.updatedAt === endpoint.createdAt) return endpointNotFound();",
  ),
  mutant("WHE-02", "off-by-one", "admits one endpoint less", endpoints, full, full.replace(">= most", ">= most - 1")),
  mutant(
    "WHE-02",
    "every-organization",
    "counts the endpoints of all organizations",
    endpoints,
    counted(ofOrganization, notDeleted, isActive),
    counted(notDeleted, isActive),
  ),
  mutant("WHE-03", "one-more", "admits one endpoint more", endpoints, full, full.replace(">= most", "> most")),
  mutant("WHE-03", "unlimited", "admits any number of endpoints", endpoints, full, ""),
  mutant(
    "WHE-03",
    "code",
    "calls one endpoint too many a conflict",
    "domain/new-endpoint.ts",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
    "refuse.Conflict(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
  ),
  mutant(
    "WHE-03",
    "details",
    "details the limit",
    "domain/new-endpoint.ts",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`)",
    "refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`, { details: { limit: String(mostEndpoints) } } as never)",
  ),
  mutant(
    "WHE-03",
    "raced",
    "counts endpoints before it stores one, and not in one step",
    endpoints,
    'return db.transaction().execute(async (transaction) => {\n        await holdOrganization(transaction, locks, organizationId);\n        if (active && (await countActive(transaction, organizationId)) >= most) return false;\n        await transaction.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)).execute();\n        return true;\n      });',
    'if (active && (await countActive(db, organizationId)) >= most) return false;\n      await new Promise((resolve) => setTimeout(resolve, 20));\n      return db.transaction().execute(async (transaction) => {\n        await transaction.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)).execute();\n        return true;\n      });',
  ),
  mutant(
    "WHE-04",
    "ever",
    "counts deleted endpoints too",
    endpoints,
    counted(ofOrganization, notDeleted, isActive),
    counted(ofOrganization),
  ),
  mutant(
    "WHE-04",
    "inactive",
    "counts endpoints that are switched off too",
    endpoints,
    counted(ofOrganization, notDeleted, isActive),
    counted(ofOrganization, notDeleted),
  ),
  mutant(
    "WHE-05",
    "stored",
    "stores an endpoint too many all the same",
    endpoints,
    full,
    full.replace("return false;", `{ ${insert} return false; }`),
  ),
  mutant(
    "WHE-05",
    "switched-off",
    "stores an endpoint too many as one that is not active",
    endpoints,
    full,
    full.replace(
      "return false;",
      `{ ${insert.replace("(endpoint)", "({ ...endpoint, active: false })")} return false; }`,
    ),
  ),
  mutant(
    "WHE-06",
    "shown",
    "shows the first secret",
    routes,
    "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints()",
    "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? { ...wireEndpoint(endpoint, precision), secret: endpoint.secret }\n        : tooManyEndpoints()",
  ),
  mutant(
    "WHE-06",
    "masked",
    "shows a masked secret",
    routes,
    "(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints()",
    '(await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? { ...wireEndpoint(endpoint, precision), secret: "********" }\n        : tooManyEndpoints()',
  ),
  {
    ...mutantOf("WHE-07", "referenced", "cannot delete an endpoint that something was sent to", [
      storingWebhooks((webhooks) => {
        const sentTo = new Set<string>();
        return {
          emit(event, to) {
            if (to !== "subscribed") sentTo.add(to.endpointId);
            return webhooks.emit(event, to);
          },
          async deleteEndpoint(organizationId, id, at) {
            if (sentTo.has(id)) throw new Error("A row of deliveries refers to it.");
            return webhooks.deleteEndpoint(organizationId, id, at);
          },
        };
      }),
    ]),
    throws: "A database answers a deletion that a foreign key forbids with an error.",
  },
  mutant(
    "WHE-07",
    "active",
    "deletes only endpoints that are switched off",
    routes,
    deletion,
    `if ((await webhooks.endpoint(caller.organization.id, path.id))?.active) return endpointInactive();\n      ${deletion}`,
  ),
  mutant(
    "WHE-13",
    "again",
    "deletes a deleted endpoint again",
    routes,
    deletion,
    `${deletion}\n      if (await webhooks.endpointExists(caller.organization.id, path.id)) return {};`,
  ),
  mutant(
    "WHE-13",
    "tested",
    "answers the test of a deleted endpoint with a conflict",
    routes,
    missedTest,
    "if (endpoint === null)\n        return (await webhooks.endpointExists(organizationId, path.id)) ? endpointInactive() : endpointNotFound();",
  ),
  mutantOf("WHE-12", "address", "stores an endpoint before it looks at the address", [
    {
      file: routes,
      find: refusedUrl,
      replace: `const early = { organizationId: caller.organization.id, url: body.url, events: body.events, createdAt: nowOf(caller) };\n      if (says !== null) await webhooks.insertEndpoint(newEndpoint(early, world, choices), mostEndpoints);\n      ${refusedUrl}`,
    },
  ]),
  mutantOf("WHE-12", "events", "stores an endpoint before it looks at the subscriptions", [
    overlooking("true"),
    {
      file: routes,
      find: "return (await webhooks.insertEndpoint(endpoint, mostEndpoints))\n        ? wireEndpoint(endpoint, precision)\n        : tooManyEndpoints();",
      replace: `const known = ["${eventType.lookupCompleted}"];\n      const fine = body.events.filter((type) => known.includes(type));\n      if (fine.length < body.events.length) {\n        await webhooks.insertEndpoint({ ...endpoint, events: fine }, mostEndpoints);\n        return refuseFields([{ pointer: "/events", says: "must be known" }], choices);\n      }\n      ${inserted}
        ? wireEndpoint(endpoint, precision)
        : tooManyEndpoints();`,
    },
  ]),
];

/** Servers that break a rule on what endpoints receive. */
const subscriptionMutants: readonly Mutant[] = [
  mutant("WHE-08", "nothing", "tests without sending anything", routes, `${emitted} === 0`, 'endpoint.id === ""'),
  mutant(
    "WHE-08",
    "elsewhere",
    "sends tests to the root of the receiver",
    "domain/delivery-request.ts",
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
    storingWebhooks((webhooks) => {
      const first = new Map<string, string>();
      return {
        insertEndpoint(endpoint, most) {
          first.set(endpoint.organizationId, first.get(endpoint.organizationId) ?? endpoint.id);
          return webhooks.insertEndpoint(endpoint, most);
        },
        emit(event, to) {
          const endpointId = first.get(event.organizationId);
          return webhooks.emit(event, to === "subscribed" || endpointId === undefined ? to : { endpointId });
        },
      };
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
    {
      file: outbox,
      find: "const hasNoEndpoint = (organizationId: string): RawBuilder<boolean> => sql`not exists (\n  select 1 from webhook_endpoints\n  where organization_id = ${organizationId} and deleted_at is null and active = 1)`;",
      replace:
        "const first = new Map<string, string>();\n\nconst hasNoEndpoint = (organizationId: string): RawBuilder<boolean> => sql`not exists (\n  select 1 from webhook_endpoints\n  where organization_id = ${organizationId} and deleted_at is null and active = 1)`;",
    },
    {
      file: outbox,
      find: subscribed,
      replace:
        "rows.filter(({ id, events }) => {\n      if (!first.has(id)) first.set(id, events);\n      return eventTypesOf(first.get(id) ?? events).includes(event.type);\n    })",
    },
  ]),
  mutant(
    "WHE-14",
    "one",
    "sends an event to one endpoint",
    outbox,
    addressed,
    "endpointIds: meant.slice(0, 1).map(({ id }) => id),",
  ),
  mutant(
    "WHE-14",
    "first-type",
    "goes by the first of an endpoint's subscriptions",
    outbox,
    subscribed,
    "rows.filter(({ events }) => eventTypesOf(events)[0] === event.type)",
  ),
  mutantOf("WHE-14", "asleep", "sends no more to what was once switched off", [
    {
      file: outbox,
      find: "const hasNoEndpoint = (organizationId: string): RawBuilder<boolean> => sql`not exists (\n  select 1 from webhook_endpoints\n  where organization_id = ${organizationId} and deleted_at is null and active = 1)`;",
      replace:
        "const off = new Set<string>();\n\nconst hasNoEndpoint = (organizationId: string): RawBuilder<boolean> => sql`not exists (\n  select 1 from webhook_endpoints\n  where organization_id = ${organizationId} and deleted_at is null and active = 1)`;",
    },
    {
      file: outbox,
      find: 'const meant = to === "subscribed" ? rows.filter(({ events }) => eventTypesOf(events).includes(event.type)) : rows;',
      replace:
        'const idle = db.selectFrom("webhook_endpoints").select("id").where("active", "=", 0);\n    for (const { id } of await idle.where("organization_id", "=", event.organizationId).execute()) off.add(id);\n    const meant = to === "subscribed" ? rows.filter(({ events }) => eventTypesOf(events).includes(event.type)) : rows;',
    },
    {
      file: outbox,
      find: subscribed,
      replace: subscribed.replace("({ events }) => ", "({ id, events }) => !off.has(id) && "),
    },
  ]),
  mutantOf("WHE-15", "sent", "sends to endpoints that are switched off", [
    {
      file: outbox,
      find: 'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      .where("webhook_endpoints.active", "=", 1)',
      replace:
        'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      ',
    },
    { file: deliveryWork, find: "active === 1 && deleted_at === null", replace: "deleted_at === null" },
  ]),
  mutantOf("WHE-16", "waiting", "makes attempts that wait when an endpoint is deleted", [
    ...keepsDeleted,
    {
      file: endpoints,
      find: "if (deleted !== null) await dropWaiting(db, locks, id);",
      replace: "void [dropWaiting, locks];",
    },
  ]),
  mutantOf("WHE-11", "returned", "sends to deleted endpoints again after a day", [
    ...keepsDeleted,
    {
      file: outbox,
      find: 'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      .where("webhook_endpoints.active", "=", 1)\n      .where("webhook_endpoints.deleted_at", "is", null)',
      replace:
        'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      .where("webhook_endpoints.active", "=", 1)\n      .where((where) =>\n        where.or([\n          where("webhook_endpoints.deleted_at", "is", null),\n          where("webhook_endpoints.deleted_at", "<", event.createdAt - 86_400_000),\n        ]),\n      )',
    },
  ]),
  mutantOf("WHE-11", "kept", "goes on sending to deleted endpoints", [
    ...keepsDeleted,
    {
      file: outbox,
      find: 'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      .where("webhook_endpoints.active", "=", 1)\n      .where("webhook_endpoints.deleted_at", "is", null)',
      replace:
        'db\n      .selectFrom("webhook_endpoints")\n      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")\n      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])\n      .where("webhook_endpoints.organization_id", "=", event.organizationId)\n      .where("webhook_endpoints.active", "=", 1)\n      ',
    },
  ]),
  mutantOf("WHE-11", "cached", "goes on sending to the endpoints that the first event had", [
    ...keepsDeleted,
    remembering(
      outbox,
      'import type { RowLocks } from "./row-locks.ts";',
      "const cached = new Map<string, readonly { readonly id: string; readonly events: string; readonly manual_clock: number | null }[]>();",
    ),
    {
      file: outbox,
      find: "return {\n      endpointIds: meant.map(({ id }) => id),\n      manual: meant.some(({ manual_clock: clock }) => clock !== null),\n    };",
      replace:
        'const key = `${event.organizationId} ${event.type}`;\n    if (to === "subscribed" && meant.length > 0 && !cached.has(key)) cached.set(key, meant);\n    const sentTo = (to === "subscribed" && cached.get(key)) || meant;\n    return {\n      endpointIds: sentTo.map(({ id }) => id),\n      manual: sentTo.some(({ manual_clock: clock }) => clock !== null),\n    };',
    },
  ]),
];

/** Servers that break a rule on endpoints. */
export const webhookEndpointMutants: readonly Mutant[] = [...endpointLifeMutants, ...subscriptionMutants];
