import type { Contrarian } from "../edit.ts";
import { remembering, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";

const routes = "routes/webhooks.ts";
const deliveryWork = "store/work/delivery-work.ts";
const changes = "domain/endpoints/endpoint-changes.ts";
const callback = "domain/organizations/organization-callback.ts";
const validation = "http/validate-request.ts";

/** An address with scheme and host in upper case, and with the port that goes without saying. */
const loud = (url: string): string =>
  `${url}.replace(/^(https?:..)([^/:]+)(?=([:/]))/, (_, scheme, host, next) => scheme.toUpperCase() + host.toUpperCase() + (next === ":" ? "" : scheme === "https://" ? ":443" : ":80"))`;

/** Servers that answer the questions on endpoints and on secrets in other ways. */
export const webhookContrarians: readonly Contrarian[] = [
  {
    id: "Q57-shape",
    does: "shows the organization's secret under another name",
    answers: "Q57",
    shapes: { rotateOrganizationSecret: { request: {}, response: { secret: "signing.key" } } },
    changes: [
      {
        file: routes,
        find: "        secret,\n        secret_displayed_once: true,",
        replace: "...({ signing: { key: secret } } as object as { secret: string }),",
      },
    ],
  },
  {
    id: "Q57-own-way",
    does: "signs callbacks with their address, in a way of their own",
    answers: "Q57",
    changes: [
      {
        file: callback,
        find: "seconds: Math.floor(now / 1000), body",
        replace: "seconds: Math.floor(now / 1000), body: Buffer.concat([Buffer.from(url), body])",
      },
    ],
  },
  {
    id: "Q57-other-dialect",
    does: "signs callbacks in another way than deliveries",
    answers: "Q57",
    changes: [
      {
        file: callback,
        find: "secrets, dialect",
        replace:
          'secrets, { key: dialect.key === "raw" ? "decoded" : "raw", content: "time-body", encoding: dialect.encoding === "hex" ? "base64" : "hex" }',
      },
    ],
  },
  {
    id: "Q58-headers",
    does: "gives each signature of a callback a header of its own",
    answers: "Q58",
    changes: [
      {
        file: callback,
        symbol: "callbackRequest",
        find: "signatureHeader({ eventId: id, seconds: Math.floor(now / 1000), body }, secrets, dialect)",
        replace:
          "(secrets.map((secret) => signatureHeader({ eventId: id, seconds: Math.floor(now / 1000), body }, [secret], dialect)) as never)",
      },
    ],
  },
  {
    id: "Q58-last",
    does: "keeps one previous secret of an organization and none before it",
    answers: "Q58",
    changes: [
      {
        file: "domain/organizations/organization-secrets.ts",
        find: "[{ secret: before.current, validUntil: previousUntil }, ...before.previous]",
        replace: "[{ secret: before.current, validUntil: previousUntil }]",
      },
    ],
  },
  {
    id: "Q59-length",
    does: "makes secrets of another length, and leaves out what fills them up",
    answers: "Q59",
    changes: [
      {
        file: "domain/signatures/delivery-signature.ts",
        find: 'Buffer.from(randomBytes(secretBytes)).toString("base64")',
        replace: 'Buffer.from(randomBytes(50)).toString("base64").replace(/=+$/, "")',
      },
    ],
  },
  {
    id: "Q64-deleted",
    does: "goes on trying what was on its way when an endpoint was deleted",
    answers: "Q64",
    changes: [
      {
        file: changes,
        find: "active: false,\n  updatedAt: at,\n  deletedAt: at,",
        replace: "updatedAt: at,\n  deletedAt: at,",
      },
      {
        file: "store/sql-units.ts",
        find: "const deleted = (id: string) => void followUps.push(() => dropWaiting(main, id));",
        replace: "const deleted = (id: string) => void [id, dropWaiting];",
      },
      { file: deliveryWork, find: "active === 1 && deleted_at === null", replace: "active === 1" },
    ],
  },
  {
    id: "Q66-switched-off",
    does: "switches an endpoint off that failed for a day",
    answers: "Q66",
    changes: [
      storing((store) => ({
        dueWork: withMembers(store.dueWork, {
          async settle(settlements) {
            const settled = await store.dueWork.settle(settlements);
            for (const settlement of settlements) {
              if (!("attempt" in settlement)) continue;
              const { attempt, claim } = settlement;
              const { organizationId, endpointId, occurredAt: at, outcome } = attempt;
              if (outcome === "dead" && at - claim.delivery.event.createdAt > 24 * 3_600_000)
                await store.atomically(organizationId, async (tx) => {
                  const endpoint = await tx.endpoints.find(endpointId);
                  if (endpoint !== null) await tx.endpoints.update({ ...endpoint, active: false, updatedAt: at });
                });
            }
            return settled;
          },
        }),
      })),
    ],
  },
  {
    id: "Q78-none",
    does: "gives an endpoint no secret before its first rotation",
    answers: "Q78",
    changes: [
      {
        file: "domain/endpoints/new-endpoint.ts",
        find: "secret: newSigningSecret(world.randomBytes),",
        replace: 'secret: "",',
      },
    ],
  },
  {
    id: "Q79-shape",
    does: "takes a creation of another form, and answers in another",
    answers: "Q79",
    shapes: {
      createWebhookEndpoint: {
        request: { url: "endpoint.address", events: "endpoint.types" },
        response: { id: "endpoints.0.id" },
      },
    },
    changes: [
      {
        file: validation,
        find: "      exchange.input.body = body.value;",
        replace:
          '      if (routeOf(exchange).operation.id === "createWebhookEndpoint") {\n        const { address: url, types: events } = Object(Object(body.value).endpoint);\n        Object.assign(body, { value: JSON.parse(JSON.stringify({ url, events })) });\n      }\n      exchange.input.body = body.value;',
      },
      {
        file: routes,
        find: "wireEndpoint(endpoint, precision)",
        replace: "({ endpoints: [wireEndpoint(endpoint, precision)] } as never)",
      },
    ],
  },
  {
    id: "Q79-reserved",
    does: "wants an address that is not reserved for examples",
    answers: "Q79",
    changes: [
      {
        file: routes,
        find: "const says = refuseUrl(body.url, policy);",
        replace: 'const says = /[.]example/i.test(body.url) ? "must be real" : refuseUrl(body.url, policy);',
      },
    ],
  },
  {
    id: "Q79-once",
    does: "wants another address for every endpoint",
    answers: "Q79",
    changes: [
      remembering(
        routes,
        'import { refuseFields } from "../http/refuse-fields.ts";',
        "const taken = new Map<string, string>();",
      ),
      {
        file: routes,
        find: "const endpoint = newEndpoint(wanted, world, choices);",
        replace:
          'const endpoint = newEndpoint(wanted, world, choices);\n      const place = `${organizationId} ${body.url}`;\n      const there = taken.get(place);\n      if (there !== undefined && (await store.atomically(organizationId, (tx) => tx.endpoints.find(there))))\n        return refuseFields([{ pointer: "/url", says: "has an endpoint" }], choices);\n      taken.set(place, endpoint.id);',
      },
    ],
  },
  {
    id: "Q79-all",
    does: "takes an empty list of subscriptions for all, and one type twice for once",
    answers: "Q79",
    changes: [
      {
        file: validation,
        find: "return body.bytes > thoroughBytes ? validators.largeBody(body.value) : validators.body(body.value);",
        replace:
          'const faults = body.bytes > thoroughBytes ? validators.largeBody(body.value) : validators.body(body.value);\n      return faults.filter(({ pointer, keyword }) => pointer !== "/events" || !["minItems", "uniqueItems"].includes(keyword));',
      },
      {
        file: "store/events/outbox.ts",
        find: "rows.filter(({ events }) => eventTypesOf(events).includes(event.type))",
        replace: 'rows.filter(({ events }) => events === "[]" || eventTypesOf(events).includes(event.type))',
      },
      { file: routes, find: "const [first] = events;", replace: 'const [first = "lookup.completed"] = events;' },
    ],
  },
  {
    id: "Q79-written",
    does: "writes addresses in another way than they were sent",
    answers: "Q79",
    changes: [
      { file: "routes/wire-endpoint.ts", find: "url: endpoint.url,", replace: `url: ${loud("endpoint.url")},` },
      { file: "routes/wire-attempt.ts", find: "url: attempt.url,", replace: `url: ${loud("attempt.url")},` },
    ],
  },
  {
    id: "Q80-rotated",
    does: "does not call a rotation a change of the endpoint",
    answers: "Q80",
    changes: [
      {
        file: changes,
        find: "secret,\n  updatedAt: at,",
        replace: "secret,",
      },
    ],
  },
  {
    id: "Q81-answer",
    does: "answers a test in another form, and does not mark its event",
    answers: "Q81",
    changes: [
      {
        file: routes,
        find: "return { endpoint_id: endpoint.id, event_id: id, event_type: event.type, enqueued_at: enqueued };",
        replace: "return { queued: enqueued } as never;",
      },
      { file: routes, find: "data: { test: true }", replace: "data: {}" },
    ],
  },
  {
    id: "Q82-several",
    does: "pins endpoints to one of several versions",
    answers: "Q82",
    changes: [
      {
        file: "domain/endpoints/new-endpoint.ts",
        find: "apiVersion: choices.endpointVersion,",
        replace: 'apiVersion: world.newId() > "8" ? choices.endpointVersion : "2025-11-05",',
      },
    ],
  },
];
