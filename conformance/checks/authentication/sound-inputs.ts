import type { OperationId, operations } from "../../../generated/operations.ts";
import type { CallInput, CheckContext } from "../../check/context.ts";
import { newLabel } from "../../check/new-label.ts";
import type { Tenant } from "../../ladder/tenant.ts";
import { readScope } from "../api-keys/grantable.ts";
import { ownDelivery } from "../deliveries/own-delivery.ts";
import { bodyLike, createEndpoint } from "../webhooks/endpoint.ts";
import { idOf } from "./own-key.ts";

/** Operations of the API under test; the sandbox has others. */
export type ApiOperationId = {
  [Id in OperationId]: (typeof operations)[Id]["service"] extends "api" ? Id : never;
}[OperationId];

type SoundInput = (t: CheckContext, tenant: Tenant) => Promise<CallInput>;

/** An endpoint of the call's own, since others may change or delete theirs. */
const endpointPath: SoundInput = async (t, tenant) => ({
  path: { id: (await createEndpoint(t, await tenant.main())).id },
});

/** For every operation an input with which a caller of this organization who holds all scopes succeeds. */
const soundInputs: Readonly<Record<ApiOperationId, SoundInput>> = {
  createApiKey: async () => ({ body: { label: newLabel(), scopes: [readScope] } }),
  getApiKey: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope])) } }),
  // A key of its own, since its secret will be replaced.
  rotateApiKey: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope], { unused: true })) } }),
  createWebhookEndpoint: async (t, tenant) => ({
    body: t.shapeRequest("createWebhookEndpoint", bodyLike(await createEndpoint(t, await tenant.main()))),
  }),
  deleteWebhookEndpoint: endpointPath,
  rotateEndpointSecret: endpointPath,
  testWebhookEndpoint: endpointPath,
  rotateOrganizationSecret: async () => ({}),
  listDeliveryAttempts: async () => ({}),
  replayDelivery: async (t, tenant) => ({
    path: { id: (await ownDelivery(t, await tenant.main())).id },
    body: {},
  }),
};

/** Blocks where what the input speaks of cannot be made. */
export const soundInput = (operation: ApiOperationId, t: CheckContext, tenant: Tenant): Promise<CallInput> =>
  soundInputs[operation](t, tenant);

export const apiOperations = Object.keys(soundInputs) as readonly ApiOperationId[];
