import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { Json } from "../../generated/runtime/json.ts";
import type { SandboxWebhooksHandlers } from "../../generated/server/sandbox-webhooks.ts";
import { type AddressPolicy, refuseUrl } from "../delivery/address-guard.ts";
import type { Sender } from "../delivery/send-attempt.ts";
import { timeOf } from "../domain/clock.ts";
import type { DeliveryManner } from "../domain/delivery-request.ts";
import { newSigningSecret } from "../domain/delivery-signature.ts";
import { mostEndpoints } from "../domain/new-endpoint.ts";
import { newEvent, newEventId } from "../domain/new-event.ts";
import type { Organization } from "../domain/organization.ts";
import { callbackRequest, validSecrets } from "../domain/organization-callback.ts";
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
  const { webhooks } = store;
  const nowOf = (organization: Organization) => timeOf(organization.clock, world.now());
  return {
    async emitEvent({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const about = { organizationId: organization.id, type: body.type, data: json(body.data) };
      const event = newEvent({ ...about, createdAt: nowOf(organization) }, world);
      return { event_id: event.id, type: event.type, deliveries: await webhooks.emit(event, "subscribed") };
    },

    async changeEndpoint({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const at = nowOf(organization);
      const changed = await webhooks.changeEndpoint(organization.id, path.endpoint_id, body, at, mostEndpoints);
      if (changed === null) return unknownEndpoint();
      if (changed === "too-many")
        return refuse.IllegalTransition(`The organization has ${mostEndpoints} active endpoints already.`);
      return wireEndpoint(changed, choices.timestampPrecision);
    },

    async forceAnswers({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const wanted = body.answers.map(forcedAnswer);
      const faults = wanted.flatMap((answer, index) =>
        typeof answer === "string" ? [[`answers.${index}`, answer]] : [],
      );
      if (faults.length > 0) return refuse.InvalidArrangement("An answer is not valid.", Object.fromEntries(faults));
      const answers = wanted.filter((answer) => typeof answer !== "string");
      const repeatLast = filled(body.repeat_last, "repeat_last");
      if (!(await webhooks.forceAnswers(organization.id, path.endpoint_id, answers, repeatLast)))
        return unknownEndpoint();
      return { answers: body.answers, repeat_last: repeatLast };
    },

    async sendCallback({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const fault = refuseUrl(body.url, policy);
      if (fault !== null) return refuse.InvalidArrangement("Nothing is sent to this address.", { url: fault });
      const now = nowOf(organization);
      const secrets = await webhooks.organizationSecrets(organization.id, newSigningSecret(world.randomBytes));
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
