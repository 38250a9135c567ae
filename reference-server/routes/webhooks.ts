import type { Choices } from "../../generated/choices.ts";
import { bounds } from "../../generated/limits.ts";
import type { WebhooksHandlers } from "../../generated/server/webhooks.ts";
import { type AddressPolicy, refuseUrl } from "../delivery/address-guard.ts";
import { type Caller, callerTime } from "../domain/caller.ts";
import { timestamp } from "../domain/clock.ts";
import { newSigningSecret } from "../domain/delivery-signature.ts";
import {
  endpointInactive,
  endpointNotFound,
  mostEndpoints,
  newEndpoint,
  tooManyEndpoints,
} from "../domain/new-endpoint.ts";
import { newEvent } from "../domain/new-event.ts";
import type { WebhookEndpoint } from "../domain/webhook-endpoint.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { wireEndpoint } from "./wire-endpoint.ts";

export interface WebhooksParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  /** Which receivers there may be. */
  readonly policy: AddressPolicy;
}

const graceMilliseconds = bounds.organizationSecretGraceSeconds * 1000;

export function webhooksHandlers({ store, world, choices, policy }: WebhooksParts): WebhooksHandlers<Caller> {
  const precision = choices.timestampPrecision;
  const { webhooks } = store;
  const nowOf = (caller: Caller) => callerTime(caller, world.now());
  return {
    async createWebhookEndpoint({ body }, caller) {
      const says = refuseUrl(body.url, policy);
      if (says !== null) return refuseFields([{ pointer: "/url", says }], choices);
      const { id: organizationId } = caller.organization;
      const wanted = { organizationId, url: body.url, events: body.events, createdAt: nowOf(caller) };
      const endpoint = newEndpoint(wanted, world, choices);
      return (await webhooks.insertEndpoint(endpoint, mostEndpoints))
        ? wireEndpoint(endpoint, precision)
        : tooManyEndpoints();
    },

    async deleteWebhookEndpoint({ path }, caller) {
      const deleted = await webhooks.deleteEndpoint(caller.organization.id, path.id, nowOf(caller));
      return deleted === null
        ? endpointNotFound()
        : afterDeletion(wireEndpoint(deleted, precision), choices.deletedData);
    },

    async rotateEndpointSecret({ path }, caller) {
      const secret = newSigningSecret(world.randomBytes);
      const rotated = await webhooks.replaceEndpointSecret(caller.organization.id, path.id, secret, nowOf(caller));
      if (rotated === null) return endpointNotFound();
      return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };
    },

    async testWebhookEndpoint({ path }, caller) {
      const { id: organizationId } = caller.organization;
      const endpoint = await webhooks.endpoint(organizationId, path.id);
      if (endpoint === null) return endpointNotFound();
      if (!endpoint.active) return endpointInactive();
      const about = { organizationId, type: testType(endpoint, choices), data: { test: true } };
      const event = newEvent({ ...about, createdAt: nowOf(caller) }, world);
      // Nobody gets it when the endpoint was switched off meanwhile.
      if ((await webhooks.emit(event, { endpointId: endpoint.id })) === 0) return endpointInactive();
      const enqueued = timestamp(event.createdAt, precision);
      return { endpoint_id: endpoint.id, event_id: event.id, event_type: event.type, enqueued_at: enqueued };
    },

    async rotateOrganizationSecret(_input, caller) {
      const now = nowOf(caller);
      const secret = newSigningSecret(world.randomBytes);
      const { id } = caller.organization;
      const { previous } = await webhooks.replaceOrganizationSecret(id, secret, now, now + graceMilliseconds);
      const [last] = previous;
      return {
        secret,
        secret_displayed_once: true,
        previous_valid_until: last === undefined ? null : timestamp(last.validUntil, precision),
      };
    },
  };
}

function testType({ id, events }: WebhookEndpoint, { testEventType }: Choices) {
  if (testEventType !== "first-subscribed") return testEventType;
  const [first] = events;
  if (first === undefined) throw new Error(`The endpoint ${id} subscribes to nothing.`);
  return first;
}

/** What a deletion answers. */
function afterDeletion<Resource>(resource: Resource, data: Choices["deletedData"]): Resource | null | object {
  switch (data) {
    case "resource":
      return resource;
    case "null":
      return null;
    case "empty":
      return {};
  }
}
