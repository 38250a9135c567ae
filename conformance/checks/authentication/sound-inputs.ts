import type { CallInput, CheckContext } from "../../check/context.ts";
import type { ApiOperationId } from "../../check/for-each-operation.ts";
import { newLabel } from "../../check/new-label.ts";
import { Blocked } from "../../check/verdict.ts";
import type { Tenant } from "../../ladder/tenant.ts";
import { readScope } from "../api-keys/grantable.ts";
import { ownDelivery } from "../deliveries/own-delivery.ts";
import { bodyLike, createEndpoint } from "../webhooks/endpoint.ts";
import { idOf } from "./own-key.ts";

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
  async rotateOrganizationSecret(_, { fresh }) {
    if (fresh) return {};
    throw new Blocked(
      "to rotate the secret of an organization that others use would cut off who verifies with it",
      "give the kit organizations of its own: a sandbox, or a new_organization hook",
    );
  },
  listDeliveryAttempts: async () => ({}),
  replayDelivery: async (t, tenant) => ({
    path: { id: (await ownDelivery(t, await tenant.main())).id },
    body: {},
  }),
};

/** Blocks where what the input speaks of cannot be made. */
export const soundInput = (operation: ApiOperationId, t: CheckContext, tenant: Tenant): Promise<CallInput> =>
  soundInputs[operation](t, tenant);
