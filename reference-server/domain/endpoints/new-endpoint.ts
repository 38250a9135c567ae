import type { Choices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import { newSigningSecret } from "../signatures/delivery-signature.ts";
import type { World } from "../world.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

/** How many active endpoints an organization may have. */
export const mostEndpoints = bounds.activeWebhookEndpoints;

/** An endpoint without history. It has a secret from the start, which nobody sees before it is rotated. */
export function newEndpoint(
  wanted: Pick<WebhookEndpoint, "organizationId" | "url" | "events" | "createdAt">,
  world: Pick<World, "newId" | "randomBytes">,
  choices: Pick<Choices, "endpointVersion">,
): WebhookEndpoint {
  return {
    ...wanted,
    id: world.newId(),
    active: true,
    apiVersion: choices.endpointVersion,
    secret: newSigningSecret(world.randomBytes),
    updatedAt: wanted.createdAt,
    deletedAt: null,
  };
}

/** One answer for an unknown endpoint, another organization's and a deleted one. */
export const endpointNotFound = () => refuse.NotFound("There is no such webhook endpoint.");

export const endpointInactive = () => refuse.Conflict("The webhook endpoint is not active, so nothing is sent to it.");

export const tooManyEndpoints = () =>
  refuse.LimitExceeded(`There are ${mostEndpoints} active webhook endpoints already. Delete one first.`);
