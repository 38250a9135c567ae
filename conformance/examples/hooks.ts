/**
 * Hooks as an implementer writes them: each does through the test controls of an implementation what a client of the API
 * cannot. Here those controls are the sandbox API of the reference server, opened by the token in CONTROLS_TOKEN.
 */
import * as inboundControls from "../../generated/client/sandbox-inbound.ts";
import * as lineControls from "../../generated/client/sandbox-lines.ts";
import * as messageControls from "../../generated/client/sandbox-messages.ts";
import * as controls from "../../generated/client/sandbox-organizations.ts";
import * as numberControls from "../../generated/client/sandbox-phone-numbers.ts";
import * as registrationControls from "../../generated/client/sandbox-registration.ts";
import * as webhookControls from "../../generated/client/sandbox-webhooks.ts";
import type { EventType } from "../../generated/events.ts";
import type { Line } from "../../generated/models/sandbox-lines.ts";
import type { MessageStage } from "../../generated/models/sandbox-messages.ts";
import type { ClockMode, OrganizationRequest, OutageRequest } from "../../generated/models/sandbox-organizations.ts";
import type { NumberAssignment, NumberStock } from "../../generated/models/sandbox-phone-numbers.ts";
import type { BrandVerification, CampaignMove } from "../../generated/models/sandbox-registration.ts";
import type { Answer, Transport } from "../../generated/runtime/transport.ts";
import { scopes } from "../../generated/scopes.ts";

/** What every hook gets. The organization is one that newOrganization made. */
interface Asked {
  readonly base_url: string;
  readonly organization_id: string;
}

/** Settings are those that hooks.yaml says it can do. */
interface NewOrganization {
  readonly clock: ClockMode;
  readonly settings: OrganizationRequest;
}

const to = ({ base_url }: { readonly base_url: string }): Transport => ({
  baseUrl: base_url,
  token: process.env.CONTROLS_TOKEN ?? "",
});

const at = ({ organization_id }: Asked) => ({ id: organization_id });

/** A hook that throws blocks the checks that need it, and the report shows its message. */
async function done<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const answer = await call;
  if (answer.ok) return answer.data;
  throw new Error(answer.error.message);
}

export async function newOrganization({ clock, settings, ...asked }: Pick<Asked, "base_url"> & NewOrganization) {
  const { id } = await done(controls.createOrganization(to(asked), { body: { clock, ...settings } }));
  const key = { path: { id }, body: { scopes } };
  const { plaintext } = await done(controls.createOrganizationKey(to(asked), key));
  return { id, key: plaintext, scopes, clock };
}

export async function deleteOrganization(asked: Asked) {
  await done(controls.deleteOrganization(to(asked), { path: at(asked) }));
}

export async function revokeKey(asked: Asked & { readonly key_id: string }) {
  await done(controls.revokeOrganizationKey(to(asked), { path: { ...at(asked), key_id: asked.key_id } }));
}

export async function advance(asked: Asked & { readonly seconds: number }) {
  const { seconds } = asked;
  await done(controls.advanceClock(to(asked), { path: at(asked), body: { seconds } }));
  return { clock: "manual" };
}

export async function emitEvent(asked: Asked & { readonly type: EventType; readonly data: Record<string, unknown> }) {
  const { type, data } = asked;
  return done(webhookControls.emitEvent(to(asked), { path: at(asked), body: { type, data } }));
}

export async function changeEndpoint(
  asked: Asked & { readonly endpoint_id: string; readonly active?: boolean; readonly events?: readonly EventType[] },
) {
  const { endpoint_id, active, events } = asked;
  const body = { ...(active === undefined ? {} : { active }), ...(events === undefined ? {} : { events }) };
  await done(webhookControls.changeEndpoint(to(asked), { path: { ...at(asked), endpoint_id }, body }));
}

export async function receiveText({ from, text, ...asked }: Asked & { readonly from: string; readonly text: string }) {
  await done(inboundControls.receiveText(to(asked), { path: at(asked), body: { from, text } }));
}

export async function setLineType({ phone_number, line_type, ...asked }: Asked & Line) {
  await done(lineControls.setLineType(to(asked), { path: at(asked), body: { phone_number, line_type } }));
}

export async function setNumberStock({ phone_numbers, ...asked }: Asked & NumberStock) {
  await done(numberControls.setNumberStock(to(asked), { path: at(asked), body: { phone_numbers } }));
}

export async function setNumberAssignment({
  phone_number_id,
  assigned,
  ...asked
}: Asked & NumberAssignment & { readonly phone_number_id: string }) {
  const path = { ...at(asked), number_id: phone_number_id };
  await done(numberControls.setNumberAssignment(to(asked), { path, body: { assigned } }));
}

export async function moveMessage(asked: Asked & { readonly message_id: string; readonly to: MessageStage }) {
  const { message_id, to: stage } = asked;
  const path = { ...at(asked), message_id };
  await done(messageControls.moveMessage(to(asked), { path, body: { to: stage } }));
}

export async function verifyBrand({
  brand_id,
  verdict,
  ...asked
}: Asked & BrandVerification & { readonly brand_id: string }) {
  await done(registrationControls.verifyBrand(to(asked), { path: { ...at(asked), brand_id }, body: { verdict } }));
}

export async function moveCampaign(asked: Asked & CampaignMove & { readonly campaign_id: string }) {
  const { campaign_id, to: stage } = asked;
  const path = { ...at(asked), campaign_id };
  await done(registrationControls.moveCampaign(to(asked), { path, body: { to: stage } }));
}

export async function sendCallback(asked: Asked & { readonly url: string }) {
  await done(webhookControls.sendCallback(to(asked), { path: at(asked), body: { url: asked.url } }));
}

export async function organizationState(asked: Asked) {
  return done(controls.getOrganizationState(to(asked), { path: at(asked) }));
}

export async function setOutage({ kind, calls, ...asked }: Asked & OutageRequest) {
  await done(controls.setOutage(to(asked), { path: at(asked), body: { kind, calls } }));
}

export async function signIn({ user_id, ...asked }: Asked & { readonly user_id?: string }) {
  const body = user_id === undefined ? {} : { user_id };
  return done(controls.createSession(to(asked), { path: at(asked), body }));
}
