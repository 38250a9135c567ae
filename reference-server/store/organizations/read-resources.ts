import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { HashedEndpoint, OrganizationResources } from "../../domain/organizations/organization-digest.ts";
import { consentsIn } from "../consent/consents.ts";
import { keyOf, organizationOf } from "../rows.ts";
import type { Tables, WebhookEndpointRow } from "../tables.ts";
import { walletOf } from "../wallet/ledger.ts";
import { endpointOf, organizationSecretsOf } from "../webhook-rows.ts";

/** All that an organization has; null when there is no such organization. */
export async function readResources(db: Kysely<Tables>, organizationId: string): Promise<OrganizationResources | null> {
  const owner = await db.selectFrom("organizations").selectAll().where("id", "=", organizationId).executeTakeFirst();
  if (!owner) return null;
  const keys = await db.selectFrom("api_keys").selectAll().where("organization_id", "=", organizationId).execute();
  const endpoints = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .execute();
  const secrets = await db
    .selectFrom("organization_secrets")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  const { lookups, ...counted } = await counts(db, organizationId);
  return {
    organization: organizationOf(owner),
    wallet: await walletOf(db, organizationId),
    keys: keys.map(keyOf),
    lookups,
    consents: await consentsIn(db, organizationId),
    webhooks: {
      endpoints: endpoints.map(hashedEndpoint),
      secretHashes: secrets ? hashesOf(organizationSecretsOf(secrets)) : [],
      ...counted,
    },
  };
}

interface Counts {
  readonly events: number;
  readonly attempts: number;
  readonly replays: number;
  readonly lookups: number;
  readonly deliveries: number;
}

async function counts(db: Kysely<Tables>, organizationId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from events where organization_id = ${organizationId}) as events,
      (select count(*) from delivery_attempts where organization_id = ${organizationId}) as attempts,
      (select count(*) from replays where organization_id = ${organizationId}) as replays,
      (select count(*) from lookups where organization_id = ${organizationId}) as lookups,
      (select count(*) from events join jobs on jobs.event_id = events.id
        where organization_id = ${organizationId}) as deliveries`.execute(db);
  const [only] = rows;
  if (only === undefined) throw new Error("The database counts nothing.");
  return only;
}

function hashedEndpoint(row: WebhookEndpointRow): HashedEndpoint {
  const { secret, ...shown } = endpointOf(row);
  return { ...shown, secretHash: hashOf(secret) };
}

const hashesOf = ({ current, previous }: ReturnType<typeof organizationSecretsOf>): readonly string[] =>
  [current, ...previous.map(({ secret }) => secret)].map(hashOf);

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
