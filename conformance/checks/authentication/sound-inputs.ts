import type { OperationId, operations } from "../../../generated/operations.ts";
import type { CallInput } from "../../check/context.ts";
import { newLabel } from "../../check/new-label.ts";
import type { Tenant } from "../../ladder/tenant.ts";
import { readScope } from "../api-keys/grantable.ts";
import { idOf } from "./own-key.ts";

/** Operations of the API under test; the sandbox has others. */
export type ApiOperationId = {
  [Id in OperationId]: (typeof operations)[Id]["service"] extends "api" ? Id : never;
}[OperationId];

/** For every operation an input with which a caller of this organization who holds all scopes succeeds. */
const soundInputs: Readonly<Record<ApiOperationId, (tenant: Tenant) => Promise<CallInput>>> = {
  createApiKey: async () => ({ body: { label: newLabel(), scopes: [readScope] } }),
  getApiKey: async (tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope])) } }),
  // A key of its own, since its secret will be replaced.
  rotateApiKey: async (tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope], { unused: true })) } }),
};

export const soundInput = (operation: ApiOperationId, tenant: Tenant): Promise<CallInput> =>
  soundInputs[operation](tenant);

export const apiOperations = Object.keys(soundInputs) as readonly ApiOperationId[];
