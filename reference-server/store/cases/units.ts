import type { ForcedAnswer } from "../../domain/deliveries/receiver-answer.ts";
import { eventAgain, type Replay, replayable } from "../../domain/deliveries/replay.ts";
import {
  changedEndpoint,
  deletedEndpoint,
  type EndpointChanges,
  refuseFurther,
  rotatedEndpoint,
} from "../../domain/endpoints/endpoint-changes.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../../domain/events/event.ts";
import type { ApiKey, NewSecret } from "../../domain/keys/api-keys.ts";
import { rotatedKey } from "../../domain/keys/api-keys.ts";
import { rotatedSecrets } from "../../domain/organizations/organization-secrets.ts";
import type { Store } from "../store.ts";
import type { Recipients } from "../unit-of-work.ts";

/** Units of work as handlers do them, for tests of the store. */
export function unitsOf(store: Store) {
  /** Null, and nothing written, when there is no such endpoint. */
  const writeEndpoint = (
    organizationId: string,
    id: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | null> =>
    store.atomically(organizationId, async (tx) => {
      const endpoint = await tx.endpoints.find(id);
      if (endpoint === null) return null;
      const changed = change(endpoint);
      await tx.endpoints.update(changed);
      return changed;
    });

  const writeKey = (
    organizationId: string,
    id: string,
    change: (key: ApiKey) => ApiKey,
    event: Event | null,
  ): Promise<ApiKey | null> =>
    store.atomically(organizationId, async (tx) => {
      const key = await tx.keys.find(id);
      if (key === null || key.revokedAt !== null) return null;
      const changed = change(key);
      await tx.keys.update(id, changed);
      if (event !== null) await tx.enqueue(event, "subscribed");
      return changed;
    });

  return {
    /** False, and nothing stored, when the organization has as many active endpoints as it may have. */
    insertEndpoint: (endpoint: WebhookEndpoint): Promise<boolean> =>
      store.atomically(endpoint.organizationId, async (tx) => {
        if (endpoint.active && refuseFurther(await tx.endpoints.countActive()) !== null) return false;
        await tx.endpoints.insert(endpoint);
        return true;
      }),

    endpoint: (organizationId: string, id: string) => store.atomically(organizationId, (tx) => tx.endpoints.find(id)),

    countActive: (organizationId: string) => store.atomically(organizationId, (tx) => tx.endpoints.countActive()),

    changeEndpoint: (organizationId: string, id: string, changes: EndpointChanges, at: number) =>
      writeEndpoint(organizationId, id, (endpoint) => changedEndpoint(endpoint, changes, at)),

    replaceEndpointSecret: (organizationId: string, id: string, secret: string, at: number) =>
      writeEndpoint(organizationId, id, (endpoint) => rotatedEndpoint(endpoint, secret, at)),

    deleteEndpoint: (organizationId: string, id: string, at: number) =>
      writeEndpoint(organizationId, id, (endpoint) => deletedEndpoint(endpoint, at)),

    /** False when there is no such endpoint. */
    forceAnswers: (organizationId: string, id: string, answers: readonly ForcedAnswer[], repeatLast: boolean) =>
      store.atomically(organizationId, async (tx) => {
        if ((await tx.endpoints.find(id)) === null) return false;
        await tx.endpoints.forceAnswers(id, answers, repeatLast);
        return true;
      }),

    emit: (event: Event, to: Recipients) => store.atomically(event.organizationId, (tx) => tx.enqueue(event, to)),

    organizationSecrets: (organizationId: string) => store.atomically(organizationId, (tx) => tx.secrets.find()),

    replaceOrganizationSecret: (organizationId: string, secret: string, at: number, previousUntil: number) =>
      store.atomically(organizationId, async (tx) => {
        const secrets = rotatedSecrets(await tx.secrets.find(), secret, at, previousUntil);
        await tx.secrets.put(secrets);
        return secrets;
      }),

    insertKey: (key: ApiKey, event: Event | null = null) =>
      store.atomically(key.organizationId, async (tx) => {
        await tx.keys.insert(key);
        if (event !== null) await tx.enqueue(event, "subscribed");
      }),

    /** Null when there is no such key, or it is revoked. */
    replaceSecret: (
      organizationId: string,
      id: string,
      secret: NewSecret,
      nextId: string,
      event: Event | null = null,
    ) => writeKey(organizationId, id, (key) => rotatedKey(key, secret, nextId), event),

    revokeKey: (organizationId: string, id: string, at: number, event: Event | null = null) =>
      writeKey(organizationId, id, (key) => ({ ...key, revokedAt: at }), event),

    /** What is on record of an attempt. */
    attempt: (organizationId: string, id: string) =>
      store.atomically(organizationId, async (tx) => {
        const attempt = await tx.attempts.find(id);
        return attempt === null ? null : { attempt, event: await tx.events.find(attempt.eventId) };
      }),

    /** What was sent again; a refusal, and nothing stored, when it cannot be. */
    replay: (organizationId: string, request: Replay, retainedSince: number) =>
      store.atomically(organizationId, async (tx) => {
        const attempt = await tx.attempts.find(request.attemptId);
        const endpoint = attempt && (await tx.endpoints.find(attempt.endpointId));
        const event = attempt && (await tx.events.find(attempt.eventId));
        const found = replayable({ attempt, endpoint, event }, retainedSince);
        if ("row" in found) return found;
        const again = eventAgain(found.event, request.eventId, request.requestedAt);
        await tx.enqueue(again, { endpointId: found.attempt.endpointId });
        await tx.replays.insert(request);
        return { attempt: found.attempt, event: again };
      }),
  };
}
