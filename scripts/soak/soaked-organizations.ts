import type { Dispatcher } from "undici";
import { captureConsent } from "../../generated/client/consents.ts";
import {
  createOrganization,
  createOrganizationKey,
  getCapabilities,
} from "../../generated/client/sandbox-organizations.ts";
import { createWebhookEndpoint } from "../../generated/client/webhooks.ts";
import { type EventType, eventTypes } from "../../generated/events.ts";
import type { ClockMode } from "../../generated/models/sandbox-organizations.ts";
import type { Answer, Transport } from "../../generated/runtime/transport.ts";
import { scopes } from "../../generated/scopes.ts";
import { mostEndpoints } from "../../reference-server/domain/endpoints/new-endpoint.ts";
import { hangingPath } from "./soak-receiver.ts";

export interface SoakedEndpoint {
  readonly id: string;
  /** Where it receives; no two have the same. */
  readonly path: string;
  readonly events: readonly EventType[];
}

export interface SoakedOrganization {
  readonly id: string;
  readonly clock: ClockMode;
  /** Holds every scope. */
  readonly key: string;
  readonly endpoints: readonly SoakedEndpoint[];
}

/** Event types that the change of a key has, and all others. */
const keyTypes = eventTypes.filter((type) => type.startsWith("api_key."));
export const otherTypes = eventTypes.filter((type) => !keyTypes.includes(type));

/** What endpoints subscribe to. */
const subscriptions: Readonly<Record<string, readonly EventType[]>> = {
  all: eventTypes,
  keys: keyTypes,
  others: otherTypes,
};

/** Who gets messages. */
export const recipient = "+12025550130";

/** Millionths of a dollar: more than any run spends. */
const wallet = 1_000_000_000_000;

/** More than any run draws, over so long that a draw may come late by the servers' hurried clocks. */
const plenty = { capacity: 1_000_000, period_seconds: 3_600 };

/** Where the sandbox is, and who may use it. */
export interface SandboxDesk {
  readonly baseUrl: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
}

/** Sets up an organization with a clock of each kind, and endpoints of each, at the receiver's address. */
export async function prepareOrganizations(
  desk: SandboxDesk,
  receiver: string,
): Promise<readonly SoakedOrganization[]> {
  const organizations: SoakedOrganization[] = [];
  for (const clock of ["real", "manual"] as const) {
    const wanted = Object.entries(subscriptions).map(([name, events]) => ({ path: `/${clock}/${name}`, events }));
    organizations.push(await prepare(desk, receiver, clock, wanted));
  }
  return organizations;
}

/** Sets up an organization that is told of nothing, and sends messages beside another one. */
export const prepareNeighbour = (desk: SandboxDesk, receiver: string): Promise<SoakedOrganization> =>
  prepare(desk, receiver, "real", []);

/** Sets up organizations of which every receiver hangs, with as many endpoints as may be active. */
export async function prepareCrowd(desk: SandboxDesk, receiver: string): Promise<readonly SoakedOrganization[]> {
  const organizations: SoakedOrganization[] = [];
  for (const name of ["one", "other"]) {
    const wanted = Array.from({ length: mostEndpoints }, (_, nth) => ({
      path: `${hangingPath}/${name}/${nth}`,
      events: otherTypes,
    }));
    organizations.push(await prepare(desk, receiver, "real", wanted));
  }
  return organizations;
}

async function prepare(
  desk: SandboxDesk,
  receiver: string,
  clock: ClockMode,
  wanted: readonly Omit<SoakedEndpoint, "id">[],
): Promise<SoakedOrganization> {
  const { buckets } = done("getCapabilities", await getCapabilities(desk));
  const limits = Object.fromEntries(buckets.map((name) => [name, plenty]));
  const { id } = done(
    "createOrganization",
    await createOrganization(desk, { body: { clock, limits, wallet_micros: wallet } }),
  );
  const allScopes = { path: { id }, body: { label: "soak", scopes } };
  const { plaintext: key } = done("createOrganizationKey", await createOrganizationKey(desk, allScopes));
  const caller: Transport = { ...desk, token: key };
  const consent = { body: { phone_number: recipient, source: "soak" } };
  done("captureConsent", await captureConsent(caller, consent));
  const endpoints: SoakedEndpoint[] = [];
  for (const { path, events } of wanted) {
    const body = { url: receiver + path, events };
    const endpoint = done("createWebhookEndpoint", await createWebhookEndpoint(caller, { body }));
    endpoints.push({ id: endpoint.id, path, events });
  }
  return { id, clock, key, endpoints };
}

/** The payload of a success; nothing else is of use while organizations are prepared. */
function done<Data>(operation: string, answer: Answer<Data>): Data {
  if (answer.ok) return answer.data;
  const { code, message } = answer.error;
  throw new Error(`The run could not be prepared: ${operation} was answered ${answer.status} ${code}: ${message}`);
}
