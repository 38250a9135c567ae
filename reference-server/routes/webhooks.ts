import type { Choices } from "../../generated/choices.ts";
import { bounds } from "../../generated/limits.ts";
import type { WebhooksHandlers } from "../../generated/server/webhooks.ts";
import { type AddressPolicy, refuseUrl } from "../delivery/address-guard.ts";
import { timestamp } from "../domain/clock.ts";
import { deletedEndpoint, refuseFurther, rotatedEndpoint } from "../domain/endpoints/endpoint-changes.ts";
import { endpointInactive, endpointNotFound, newEndpoint } from "../domain/endpoints/new-endpoint.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import { rotatedSecrets } from "../domain/organizations/organization-secrets.ts";
import { newSigningSecret } from "../domain/signatures/delivery-signature.ts";
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
  const nowOf = (caller: Caller) => callerTime(caller, world.now());
  return {
    async createWebhookEndpoint({ body }, caller) {
      const says = refuseUrl(body.url, policy);
      if (says !== null) return refuseFields([{ pointer: "/url", says }], choices);
      const { id: organizationId } = caller.organization;
      const wanted = { organizationId, url: body.url, events: body.events, createdAt: nowOf(caller) };
      const endpoint = newEndpoint(wanted, world, choices);
      return store.atomically(organizationId, async (tx) => {
        const refusal = refuseFurther(await tx.endpoints.countActive());
        if (refusal !== null) return refusal;
        await tx.endpoints.insert(endpoint);
        return wireEndpoint(endpoint, precision);
      });
    },

    async deleteWebhookEndpoint({ path }, caller) {
      const now = nowOf(caller);
      return store.atomically(caller.organization.id, async (tx) => {
        const endpoint = await tx.endpoints.find(path.id);
        if (endpoint === null) return endpointNotFound();
        const deleted = deletedEndpoint(endpoint, now);
        await tx.endpoints.update(deleted);
        return afterDeletion(wireEndpoint(deleted, precision), choices.deletedData);
      });
    },

    async rotateEndpointSecret({ path }, caller) {
      const now = nowOf(caller);
      const secret = newSigningSecret(world.randomBytes);
      return store.atomically(caller.organization.id, async (tx) => {
        const endpoint = await tx.endpoints.find(path.id);
        if (endpoint === null) return endpointNotFound();
        const rotated = rotatedEndpoint(endpoint, secret, now);
        await tx.endpoints.update(rotated);
        return { ...wireEndpoint(rotated, precision), secret, secret_displayed_once: true };
      });
    },

    async testWebhookEndpoint({ path }, caller) {
      const { id: organizationId } = caller.organization;
      const id = newEventId(world);
      const createdAt = nowOf(caller);
      return store.atomically(organizationId, async (tx) => {
        const endpoint = await tx.endpoints.find(path.id);
        if (endpoint === null) return endpointNotFound();
        if (!endpoint.active) return endpointInactive();
        const event = { id, organizationId, type: testType(endpoint, choices), data: { test: true }, createdAt };
        await tx.enqueue(event, { endpointId: endpoint.id });
        const enqueued = timestamp(createdAt, precision);
        return { endpoint_id: endpoint.id, event_id: id, event_type: event.type, enqueued_at: enqueued };
      });
    },

    async rotateOrganizationSecret(_input, caller) {
      const now = nowOf(caller);
      const secret = newSigningSecret(world.randomBytes);
      const secrets = await store.atomically(caller.organization.id, async (tx) => {
        const rotated = rotatedSecrets(await tx.secrets.find(), secret, now, now + graceMilliseconds);
        await tx.secrets.put(rotated);
        return rotated;
      });
      const [last] = secrets.previous;
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
