import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { Json } from "../../generated/runtime/json.ts";
import type { SandboxWebhooksHandlers } from "../../generated/server/sandbox-webhooks.ts";
import { type AddressPolicy, refuseUrl } from "../delivery/address-guard.ts";
import type { Sender } from "../delivery/send-attempt.ts";
import { timeOf } from "../domain/clock.ts";
import type { DeliveryManner } from "../domain/deliveries/delivery-request.ts";
import { changedEndpoint, refuseFurther } from "../domain/endpoints/endpoint-changes.ts";
import { mostEndpoints } from "../domain/endpoints/new-endpoint.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { callbackRequest, validSecrets } from "../domain/organizations/organization-callback.ts";
import type { OrganizationSecrets } from "../domain/organizations/organization-secrets.ts";
import { newSigningSecret } from "../domain/signatures/delivery-signature.ts";
import type { World } from "../domain/world.ts";
import { wireEndpoint } from "../routes/wire-endpoint.ts";
import type { Store } from "../store/store.ts";
import { filled } from "./arrangements.ts";
import { forcedAnswer } from "./forced-answers.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export interface SandboxWebhooksParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly policy: AddressPolicy;
  readonly manner: DeliveryManner;
  readonly sender: Pick<Sender, "send">;
}

const unknownEndpoint = () => refuse.SandboxNotFound("The organization has no such endpoint.");

export function sandboxWebhooksHandlers(parts: SandboxWebhooksParts): SandboxWebhooksHandlers<SandboxCaller> {
  const { store, world, choices, policy, manner, sender } = parts;
  /** The organization's own secrets. The one given becomes the first when there is none. */
  const ownSecrets = (organizationId: string, first: string): Promise<OrganizationSecrets> =>
    store.atomically(organizationId, async (tx) => {
      const known = await tx.secrets.find();
      if (known !== null) return known;
      const secrets = { current: first, previous: [] };
      await tx.secrets.put(secrets);
      return secrets;
    });

  return {
    async emitEvent({ path, body }) {
      const id = newEventId(world);
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const { id: organizationId, clock } = tx.organization;
        const event = { id, organizationId, type: body.type, data: json(body.data), createdAt: timeOf(clock, now) };
        return { event_id: id, type: event.type, deliveries: await tx.enqueue(event, "subscribed") };
      });
    },

    async changeEndpoint({ path, body }) {
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const endpoint = await tx.endpoints.find(path.endpoint_id);
        if (endpoint === null) return unknownEndpoint();
        const changed = changedEndpoint(endpoint, body, timeOf(tx.organization.clock, now));
        const isFurther = changed.active && !endpoint.active;
        if (isFurther && refuseFurther(await tx.endpoints.countActive()) !== null)
          return refuse.IllegalTransition(`The organization has ${mostEndpoints} active endpoints already.`);
        await tx.endpoints.update(changed);
        return wireEndpoint(changed, choices.timestampPrecision);
      });
    },

    async forceAnswers({ path, body }) {
      const wanted = body.answers.map(forcedAnswer);
      const faults = wanted.flatMap((answer, index) =>
        typeof answer === "string" ? [[`answers.${index}`, answer]] : [],
      );
      const answers = wanted.filter((answer) => typeof answer !== "string");
      const repeatLast = filled(body.repeat_last, "repeat_last");
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        if (faults.length > 0) return refuse.InvalidArrangement("An answer is not valid.", Object.fromEntries(faults));
        if ((await tx.endpoints.find(path.endpoint_id)) === null) return unknownEndpoint();
        await tx.endpoints.forceAnswers(path.endpoint_id, answers, repeatLast);
        return { answers: body.answers, repeat_last: repeatLast };
      });
    },

    async sendCallback({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const fault = refuseUrl(body.url, policy);
      if (fault !== null) return refuse.InvalidArrangement("Nothing is sent to this address.", { url: fault });
      const now = timeOf(organization.clock, world.now());
      const secrets = await ownSecrets(organization.id, newSigningSecret(world.randomBytes));
      const callback = { id: newEventId(world), url: body.url, data: body.data ?? {}, now };
      const answer = await sender.send(callbackRequest(callback, validSecrets(secrets, now, choices), manner));
      switch (answer.kind) {
        case "answered":
          return { status: answer.status, error: null };
        case "unanswered":
          return { status: null, error: answer.error };
      }
    },
  };
}

/** What came in a body of JSON is JSON. */
const json = (data: Readonly<Record<string, unknown>> = {}) => data as { readonly [name: string]: Json };
