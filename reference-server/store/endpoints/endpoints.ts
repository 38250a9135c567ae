import type { Kysely } from "kysely";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { RowLocks } from "../engine/row-locks.ts";
import type { Tables } from "../tables.ts";
import type { Endpoints } from "../unit-of-work.ts";
import { endpointOf, rowOfEndpoint } from "../webhook-rows.ts";
import { reopenPartition } from "../work/partitions.ts";
import { replaceForcedAnswers } from "./forced-answers.ts";

export interface EndpointsParts {
  /** The unit's transaction, which holds the organization. */
  readonly db: Kysely<Tables>;
  readonly locks: RowLocks;
  readonly organizationId: string;
  /** Called when an endpoint was deleted; what is on its way to it can go once that is committed. */
  readonly deleted: (id: string) => void;
  /** Called when an endpoint may have become active. */
  readonly activated: () => void;
}

export function endpointsOf({ db, locks, organizationId, deleted, activated }: EndpointsParts): Endpoints {
  const living = db
    .selectFrom("webhook_endpoints")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null);
  return {
    async find(id) {
      const row = await living.selectAll().where("id", "=", id).executeTakeFirst();
      return row ? endpointOf(row) : null;
    },

    async countActive() {
      const { count } = await living
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("active", "=", 1)
        .executeTakeFirstOrThrow();
      return count;
    },

    async insert(endpoint) {
      await db.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)).execute();
    },

    async update(endpoint) {
      const { id, organization_id: _, ...changes } = rowOfEndpoint(endpoint);
      await db
        .updateTable("webhook_endpoints")
        .set(changes)
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .execute();
      if (endpoint.deletedAt !== null) deleted(id);
      if (endpoint.active) {
        // What waited while it was not active may be due.
        await reopenPartition(db, id);
        activated();
      }
    },

    async forceAnswers(id, answers, repeatLast) {
      // Whoever takes answers for a delivery holds the endpoint.
      await locks.held(living.select("id").where("id", "=", id)).execute();
      await replaceForcedAnswers(db, id, answers, repeatLast);
    },
  };
}

/** Whether the organization has, or had, such an endpoint. */
export async function endpointExists(
  db: Kysely<Tables>,
  organizationId: string,
  id: WebhookEndpoint["id"],
): Promise<boolean> {
  const row = await db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row !== undefined;
}
