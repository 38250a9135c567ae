import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { HashedEndpoint, OrganizationResources } from "../../domain/digest/organization-digest.ts";
import { columns } from "../columns.ts";
import { consentsIn } from "../consent/consents.ts";
import { doubleOptInsIn } from "../consent/double-opt-ins.ts";
import { hostedFormsIn } from "../consent/hosted-forms.ts";
import type { WebhookEndpointRow } from "../delivery-tables.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import { notificationsIn } from "../notifications/notifications.ts";
import { phoneNumbersIn } from "../phone-numbers/phone-numbers.ts";
import { profilesIn } from "../profiles/profiles.ts";
import { brandsIn } from "../registration/brands.ts";
import { campaignsIn } from "../registration/campaigns.ts";
import { keyOf } from "../rows.ts";
import { selectSecrets } from "../secrets/signing-secrets.ts";
import { walletOf } from "../wallet/ledger.ts";
import { endpointOf, organizationSecretsOf } from "../webhook-rows.ts";
import { findOrganization } from "./organizations.ts";

type Owner = { readonly organizationId: string };

const selectKeys = statement((db, given: Given<Owner>) =>
  db.selectFrom("api_keys").select(columns.api_keys).where("organization_id", "=", given("organizationId")),
);

const selectEndpoints = statement((db, given: Given<Owner>) =>
  db
    .selectFrom("webhook_endpoints")
    .select(columns.webhook_endpoints)
    .where("organization_id", "=", given("organizationId")),
);

interface Counts {
  readonly events: number;
  readonly attempts: number;
  readonly replays: number;
  readonly lookups: number;
  readonly legalAcceptances: number;
  readonly deliveries: number;
}

const countAll = statement(
  (_, given: Given<Owner>) => sql<Counts>`
    select
      (select count(*) from events where organization_id = ${given("organizationId")}) as events,
      (select count(*) from delivery_attempts where organization_id = ${given("organizationId")}) as attempts,
      (select count(*) from replays where organization_id = ${given("organizationId")}) as replays,
      (select count(*) from lookups where organization_id = ${given("organizationId")}) as lookups,
      (select count(*) from legal_acceptances where organization_id = ${given("organizationId")}) as "legalAcceptances",
      (select count(*) from events join jobs on jobs.event_id = events.id
        where organization_id = ${given("organizationId")}) as deliveries`,
);

const countMessages = statement((db, given: Given<Owner>) =>
  db
    .selectFrom("messages")
    .select(({ fn }) => ["status", fn.countAll<number>().as("count")])
    .where("organization_id", "=", given("organizationId"))
    .groupBy("status"),
);

/** All that an organization has; null when there is no such organization. */
export async function readResources(on: Connection, organizationId: string): Promise<OrganizationResources | null> {
  const organization = await findOrganization(on, organizationId);
  if (organization === null) return null;
  const keys = await selectKeys.rows(on, { organizationId });
  const endpoints = await selectEndpoints.rows(on, { organizationId });
  const secrets = await selectSecrets.first(on, { organizationId });
  const { lookups, legalAcceptances, ...counted } = await counts(on, organizationId);
  return {
    organization,
    wallet: await walletOf(on, organizationId),
    keys: keys.map(keyOf),
    lookups,
    consents: await consentsIn(on, organizationId),
    doubleOptIns: await doubleOptInsIn(on, organizationId),
    hostedForms: await hostedFormsIn(on, organizationId),
    phoneNumbers: await phoneNumbersIn(on, organizationId),
    profiles: await profilesIn(on, organizationId),
    notifications: await notificationsIn(on, organizationId),
    legalAcceptances,
    messages: await messageCounts(on, organizationId),
    brands: await brandsIn(on, organizationId),
    campaigns: await campaignsIn(on, organizationId),
    webhooks: {
      endpoints: endpoints.map(hashedEndpoint),
      secretHashes: secrets ? hashesOf(organizationSecretsOf(secrets)) : [],
      ...counted,
    },
  };
}

async function messageCounts(on: Connection, organizationId: string): Promise<OrganizationResources["messages"]> {
  const rows = await countMessages.rows(on, { organizationId });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function counts(on: Connection, organizationId: string): Promise<Counts> {
  const counted = await countAll.first(on, { organizationId });
  if (counted === undefined) throw new Error("The database counts nothing.");
  return counted;
}

function hashedEndpoint(row: WebhookEndpointRow): HashedEndpoint {
  const { secret, ...shown } = endpointOf(row);
  return { ...shown, secretHash: hashOf(secret) };
}

const hashesOf = ({ current, previous }: ReturnType<typeof organizationSecretsOf>): readonly string[] =>
  [current, ...previous.map(({ secret }) => secret)].map(hashOf);

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
