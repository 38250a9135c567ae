import type { Kysely, UpdateObject } from "kysely";
import type { WebhookEndpoint } from "../domain/webhook-endpoint.ts";
import { holdOrganization } from "./hold-organization.ts";
import type { RowLocks } from "./row-locks.ts";
import { replaceForcedAnswers } from "./sql-forced-answers.ts";
import type { SqlOutbox } from "./sql-outbox.ts";
import { dropWaiting, reopenPartition } from "./sql-partitions.ts";
import type { Tables } from "./tables.ts";
import { endpointOf, rowOfEndpoint } from "./webhook-rows.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** Receivers, and what is set for their coming attempts. */
export function endpointStore(
  db: Kysely<Tables>,
  locks: RowLocks,
  outbox: SqlOutbox,
): Pick<
  WebhookStore,
  | "insertEndpoint"
  | "endpoint"
  | "endpointExists"
  | "deleteEndpoint"
  | "replaceEndpointSecret"
  | "changeEndpoint"
  | "forceAnswers"
> {
  return {
    async insertEndpoint(endpoint, most) {
      const { organizationId, active } = endpoint;
      return db.transaction().execute(async (transaction) => {
        await holdOrganization(transaction, locks, organizationId);
        if (active && (await countActive(transaction, organizationId)) >= most) return false;
        await transaction.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)).execute();
        return true;
      });
    },

    async endpoint(organizationId, id) {
      const row = await living(db, organizationId, id).selectAll().executeTakeFirst();
      return row ? endpointOf(row) : null;
    },

    async endpointExists(organizationId, id) {
      const row = await db
        .selectFrom("webhook_endpoints")
        .select("id")
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteEndpoint(organizationId, id, at) {
      const deleted = await change(db, organizationId, id, { active: 0, deleted_at: at, updated_at: at });
      if (deleted !== null) await dropWaiting(db, locks, id);
      return deleted;
    },

    async replaceEndpointSecret(organizationId, id, secret, at) {
      return change(db, organizationId, id, { secret, updated_at: at });
    },

    async changeEndpoint(organizationId, id, { active, events }, at, most) {
      const changed = await db.transaction().execute(async (transaction) => {
        if (active === true) await holdOrganization(transaction, locks, organizationId);
        const before = await locks.held(living(transaction, organizationId, id).select("active")).executeTakeFirst();
        if (!before) return null;
        const isOneMore = active === true && before.active === 0;
        if (isOneMore && (await countActive(transaction, organizationId)) >= most) return "too-many";
        if (active === true) await reopenPartition(transaction, id);
        return change(transaction, organizationId, id, {
          ...(active === undefined ? {} : { active: active ? 1 : 0 }),
          ...(events === undefined ? {} : { events: JSON.stringify(events) }),
          updated_at: at,
        });
      });
      // What waited while it was not active may be due.
      if (active === true && changed !== null && changed !== "too-many") outbox.announce();
      return changed;
    },

    async forceAnswers(organizationId, endpointId, answers, repeatLast) {
      return db.transaction().execute(async (transaction) => {
        const endpoint = living(transaction, organizationId, endpointId).select("id");
        if (!(await locks.held(endpoint).executeTakeFirst())) return false;
        await replaceForcedAnswers(transaction, endpointId, answers, repeatLast);
        return true;
      });
    },
  };
}

/** An endpoint that is not deleted. */
export const living = (db: Kysely<Tables>, organizationId: string, id: string) =>
  db
    .selectFrom("webhook_endpoints")
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null);

async function change(
  db: Kysely<Tables>,
  organizationId: string,
  id: string,
  changes: UpdateObject<Tables, "webhook_endpoints">,
): Promise<WebhookEndpoint | null> {
  const row = await db
    .updateTable("webhook_endpoints")
    .set(changes)
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return row ? endpointOf(row) : null;
}

async function countActive(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_endpoints")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where("active", "=", 1)
    .executeTakeFirstOrThrow();
  return count;
}
