import { operations } from "../../../generated/operations.ts";

/** Scope that changing endpoints and their secrets needs. */
export const webhookWriteScope: string = operations.rotateEndpointSecret.scope;

/** Scope that reading the feed of attempts needs. */
export const webhookReadScope: string = operations.listDeliveryAttempts.scope;
