import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import { columns } from "../columns.ts";
import type { WebhookEndpointRow } from "../delivery-tables.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { Endpoints } from "../unit-of-work.ts";
import { endpointOf, rowOfEndpoint } from "../webhook-rows.ts";
import { reopenPartition } from "../work/partitions.ts";
import { replaceForcedAnswers } from "./forced-answers.ts";

type OwnId = { readonly id: string; readonly organizationId: string };

const insertEndpoints = insertion("webhook_endpoints", columns.webhook_endpoints);

const selectLiving = statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("webhook_endpoints")
    .select(columns.webhook_endpoints)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId"))
    .where("deleted_at", "is", null),
);

/** Held until the transaction ends. */
const holdEndpoint = statement((db, given: Given<OwnId>, engine) =>
  engine.held(
    db
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("id", "=", given("id"))
      .where("organization_id", "=", given("organizationId"))
      .where("deleted_at", "is", null),
  ),
);

/** Deleted ones included. */
const selectId = statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const countActive = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .selectFrom("webhook_endpoints")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", given("organizationId"))
    .where("active", "=", 1)
    .where("deleted_at", "is", null),
);

const updateEndpoint = statement((db, given: Given<WebhookEndpointRow>) =>
  db
    .updateTable("webhook_endpoints")
    .set({
      url: given("url"),
      events: given("events"),
      active: given("active"),
      api_version: given("api_version"),
      secret: given("secret"),
      created_at: given("created_at"),
      updated_at: given("updated_at"),
      deleted_at: given("deleted_at"),
    })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organization_id")),
);

export interface EndpointsParts {
  /** The unit's transaction, which holds the organization. */
  readonly on: Connection;
  readonly organizationId: string;
  /** Called when an endpoint was deleted; what is on its way to it can go once that is committed. */
  readonly deleted: (id: string) => void;
  /** Called when an endpoint may have become active. */
  readonly activated: () => void;
}

export const endpointsOf = ({ on, organizationId, deleted, activated }: EndpointsParts): Endpoints => ({
  async find(id) {
    const row = await selectLiving.first(on, { id, organizationId });
    return row ? endpointOf(row) : null;
  },

  async countActive() {
    const counted = await countActive.first(on, { organizationId });
    if (counted === undefined) throw new Error("The database counts nothing.");
    return counted.count;
  },

  async insert(endpoint) {
    await insertEndpoints.run(on, { rows: [rowOfEndpoint(endpoint)] });
  },

  async update(endpoint) {
    await updateEndpoint.run(on, { ...rowOfEndpoint(endpoint), organization_id: organizationId });
    if (endpoint.deletedAt !== null) deleted(endpoint.id);
    if (endpoint.active) {
      // What waited while it was not active may be due.
      await reopenPartition(on, endpoint.id);
      activated();
    }
  },

  async forceAnswers(id, answers, repeatLast) {
    // Whoever takes answers for a delivery holds the endpoint.
    await holdEndpoint.rows(on, { id, organizationId });
    await replaceForcedAnswers(on, id, answers, repeatLast);
  },
});

/** Whether the organization has, or had, such an endpoint. */
export const endpointExists = async (
  on: Connection,
  organizationId: string,
  id: WebhookEndpoint["id"],
): Promise<boolean> => (await selectId.first(on, { id, organizationId })) !== undefined;
