import type { Check } from "../context/check.ts";
import type { CallInput, CheckContext } from "../context/context.ts";
import type { ApiOperation, ApiOperationId } from "../context/for-each-operation.ts";
import { Blocked } from "../outcome/verdict.ts";
import { newLabel } from "../provision/new-label.ts";
import type { Tenant } from "../provision/tenant.ts";
import { bodyLike, callCreate, createEndpoint, endpointBody, isInvalid } from "./endpoint.ts";
import { readScope } from "./grantable.ts";
import { makeLookup, numbersOfUnitedStates } from "./lookup.ts";
import { ownDelivery } from "./own-delivery.ts";
import { idOf } from "./own-key.ts";

/** `holding` are scopes of whoever is to call, for what only their holder may ask for. */
type SoundInput = (t: CheckContext, tenant: Tenant, holding: readonly string[]) => Promise<CallInput>;

/** An endpoint of the call's own, since others may change or delete theirs. */
const endpointPath: SoundInput = async (t, tenant) => ({
  path: { id: (await createEndpoint(t, await tenant.main())).id },
});

/** For every operation an input with which a caller of this organization who holds all scopes succeeds. */
const soundInputs: Readonly<Record<ApiOperationId, SoundInput>> = {
  createApiKey: async (_t, _tenant, holding) => ({ body: { label: newLabel(), scopes: holding } }),
  getApiKey: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope])) } }),
  // A key of its own, since its secret will be replaced.
  rotateApiKey: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope], { unused: true })) } }),
  async createWebhookEndpoint(t, tenant) {
    const main = await tenant.main();
    const body = endpointBody({});
    // Which addresses are admitted is learnt by trial. Where the operation is not there, the call itself shows it.
    const admitted = isInvalid(await callCreate(t, main, body)) ? await createEndpoint(t, main) : body;
    return { body: t.shapeRequest("createWebhookEndpoint", bodyLike(admitted)) };
  },
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
  createLookup: async (t) => ({ body: t.shapeRequest("createLookup", { phone_number: numbersOfUnitedStates[0] }) }),
  getLookup: async (t, tenant) => ({ path: { lookup_id: (await makeLookup(t, await tenant.main())).id } }),
};

/** What it takes to make so many sound inputs of an operation, beside its calls. */
export const soundInputCost = (
  { id }: ApiOperation,
  inputs: number,
): Required<Pick<Check, "draws" | "sharedKeys">> => ({
  draws: id === "rotateApiKey" ? { apiKeyWrites: inputs } : {},
  sharedKeys: id === "getApiKey" ? [[readScope]] : [],
});

/** Blocks where what the input speaks of cannot be made. A caller who holds not all scopes says what it holds. */
export const soundInput = (
  operation: ApiOperationId,
  t: CheckContext,
  tenant: Tenant,
  holding: readonly string[] = [readScope],
): Promise<CallInput> => soundInputs[operation](t, tenant, holding);
