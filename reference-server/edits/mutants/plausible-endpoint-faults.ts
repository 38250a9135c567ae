import { setTimeout } from "node:timers/promises";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { OrganizationSecrets } from "../../domain/organizations/organization-secrets.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { remembered, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { seeing } from "../seen.ts";
import { enqueueing, keepingEndpoints, working } from "../unit-changes.ts";
import { onRequest, type Wire } from "../wire.ts";
import { bodyOf, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** With an endpoint deletes others of its organization that have this in common with it. */
const deletingAlike = (common: (url: URL) => string): PortChange =>
  keepingEndpoints(() => {
    const made: { readonly id: string; readonly organizationId: string; readonly url: string }[] = [];
    return (endpoints) => ({
      async insert(endpoint) {
        made.push(endpoint);
        await endpoints.insert(endpoint);
      },
      async update(endpoint) {
        await endpoints.update(endpoint);
        if (endpoint.deletedAt === null) return;
        for (const { id, organizationId, url } of made) {
          const isAlike = common(new URL(url)) === common(new URL(endpoint.url));
          if (id === endpoint.id || organizationId !== endpoint.organizationId || !isAlike) continue;
          const other = await endpoints.find(id);
          if (other !== null) await endpoints.update({ ...other, active: false, deletedAt: endpoint.deletedAt });
        }
      },
    });
  });

/** After each call of an operation makes another one, of the same caller, that draws on a limit; null for none. */
const drawingToo = (
  operation: OperationId,
  another: (last: string | undefined) => { readonly path: string; readonly body: unknown } | null,
): Wire =>
  seeing((seen) => (serve) => async (request) => {
    const answer = await serve(request);
    const organization = seen.callerOf(request)?.organization;
    const last = [...seen.records.keys()].findLast((id) => seen.owners.get(id) === organization);
    const other = request.operation === operation ? another(last) : null;
    if (other !== null)
      await serve(
        withRequestHeader(
          withRequestBody({ ...request, method: "POST", path: other.path }, other.body),
          "content-type",
          "application/json",
        ),
      );
    return answer;
  });

/** Rotations of endpoints' secrets that meet: `keep` gives the secret that is stored, of the one shown. */
const meeting = (keep: (secret: string) => string): PortChange =>
  storing((store) => {
    const underWay: string[] = [];
    return {
      async atomically(organizationId, work) {
        underWay.push(organizationId);
        await setTimeout(20);
        const isAlone = underWay.filter((other) => other === organizationId).length === 1;
        const result = await store.atomically(organizationId, (tx) => {
          const update: typeof tx.endpoints.update = async (endpoint) => {
            const isRotation = (await tx.endpoints.find(endpoint.id))?.secret !== endpoint.secret;
            const secret = isAlone || !isRotation ? endpoint.secret : keep(endpoint.secret);
            await tx.endpoints.update({ ...endpoint, secret });
          };
          return work(withMembers(tx, { endpoints: withMembers(tx.endpoints, { update }) }));
        });
        await setTimeout(20);
        underWay.splice(underWay.indexOf(organizationId), 1);
        return result;
      },
    };
  });

/** Servers that keep endpoints and their secrets with faults that a careless change may bring. */
export const plausibleEndpointMutants: readonly Mutant[] = [
  mutantOf("WHE-18", "address", "deletes all endpoints at an address with one of them", [
    deletingAlike(({ href }) => href),
  ]),
  mutantOf("WHE-18", "host", "deletes all endpoints of a host with one of them", [deletingAlike(({ host }) => host)]),
  mutantOf("WHE-14", "new", "sends nothing of types that have happened before to new endpoints", [
    remembered(() => {
      const happened = new Map<string, Set<string>>();
      return {
        ports: (ports) =>
          enqueueing(() => (event, to, tx) => {
            const types = happened.get(event.organizationId) ?? new Set();
            if (to === "subscribed") happened.set(event.organizationId, types.add(event.type));
            return tx.enqueue(event, to);
          }).ports(
            keepingEndpoints(() => (endpoints) => ({
              insert: (endpoint) =>
                endpoints.insert({
                  ...endpoint,
                  events: endpoint.events.filter((type) => !happened.get(endpoint.organizationId)?.has(type)),
                }),
            })).ports(ports),
          ),
      };
    }),
  ]),
  mutantOf("WHO-06", "one-for-all", "keeps one secret for all organizations", [
    working(() => {
      let one: OrganizationSecrets | null = null;
      return (tx) => ({
        secrets: {
          find: async () => one,
          async put(secrets) {
            one = secrets;
            await tx.secrets.put(secrets);
          },
        },
      });
    }),
  ]),
  mutantOf("WHO-04", "endpoint", "has the rotation of an endpoint's secret replace that of the organization", [
    keepingEndpoints(() => (endpoints, tx) => ({
      async update(endpoint) {
        const before = await endpoints.find(endpoint.id);
        await endpoints.update(endpoint);
        const own = await tx.secrets.find();
        if (own !== null && before?.secret !== endpoint.secret)
          await tx.secrets.put({ ...own, current: endpoint.secret });
      },
    })),
  ]),
  mutantOf("WHR-12", "at-once", "answers rotations at once with secrets of which it keeps none", [
    meeting((secret) => Buffer.from(secret, "base64").reverse().toString("base64")),
  ]),
  wireMutant(
    "WHE-09",
    "blank",
    "overlooks empty types",
    onRequest("createWebhookEndpoint", (request) => {
      const body = Object(bodyOf(request));
      return Array.isArray(body.events) && body.events.length > 1
        ? withRequestBody(request, { ...body, events: body.events.filter((type: unknown) => type !== "") })
        : request;
    }),
  ),
  wireMutant(
    "WHP-22",
    "tests-draw",
    "counts tests of endpoints as replays",
    drawingToo("testWebhookEndpoint", (last) =>
      last === undefined ? null : { path: operations.replayDelivery.path.replace("{id}", last), body: {} },
    ),
  ),
  wireMutant(
    "KEYC-29",
    "endpoints-draw",
    "counts creations of endpoints as creations of keys",
    drawingToo("createWebhookEndpoint", () => ({
      path: operations.createApiKey.path,
      body: { label: "beside", scopes: [operations.getApiKey.scope] },
    })),
  ),
];
