import { sql } from "kysely";
import { isMessageStatus, type Message, type MessageStatus, unclaimedStatuses } from "../../domain/messages/message.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { MessageRow } from "../tables.ts";
import type { Messages } from "../unit-of-work.ts";
import { textOf } from "../webhook-rows.ts";
import { addJobs } from "../work/partitions.ts";

const insertMessages = insertion("messages", columns.messages);

type Named = { readonly id: string; readonly organizationId: string };

const selectMessage = statement((db, given: Given<Named>) =>
  db
    .selectFrom("messages")
    .select(columns.messages)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const updateStatus = statement((db, given: Given<Named & Pick<MessageRow, "status">>) =>
  db
    .updateTable("messages")
    .set({ status: given("status") })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

type Work = { readonly id: string; readonly partitionId: string };

const deleteUnclaimed = statement((db, given: Given<Work>) =>
  db
    .deleteFrom("jobs")
    .where("message_id", "=", given("id"))
    .where("partition_id", "=", given("partitionId"))
    .where("lease", "is", null)
    .where("attempts", "=", 0),
);

const deleteAny = statement((db, given: Given<Work>) =>
  db.deleteFrom("jobs").where("message_id", "=", given("id")).where("partition_id", "=", given("partitionId")),
);

type To = { readonly organizationId: string; readonly recipient: string; readonly partitionId: string };

const deleteUnclaimedTo = statement((db, given: Given<To>) =>
  db
    .deleteFrom("jobs")
    .where("partition_id", "=", given("partitionId"))
    .where("lease", "is", null)
    .where("attempts", "=", 0)
    .where("message_id", "in", ({ selectFrom }) =>
      selectFrom("messages")
        .select("id")
        .where("organization_id", "=", given("organizationId"))
        .where("recipient", "=", given("recipient"))
        // As they stand in the index of what waits.
        .where(sql<boolean>`status in (${sql.join(unclaimedStatuses.map((status) => sql.lit(status)))})`),
    )
    .returning("message_id"),
);

const updateStatuses = statement(
  (db, given: Given<{ readonly ids: readonly string[]; readonly status: string }>, { isOneOf }) =>
    db
      .updateTable("messages")
      .set({ status: given("status") })
      .where(isOneOf("id", given("ids")))
      .returning(columns.messages),
);

export interface MessagesParts {
  /** The unit's transaction, which holds the organization. */
  readonly on: Connection;
  readonly organizationId: string;
  readonly organization: Organization | null;
  /** Called when there is something to send. */
  readonly enqueued: () => void;
}

export function messagesOf({ on, organizationId, organization, enqueued }: MessagesParts): Messages {
  return {
    find: (id) => findMessage(on, organizationId, id),

    async insert(message) {
      const manual = organization?.clock.mode === "manual" ? 1 : 0;
      const partition = { id: sendPartition(organizationId), kind: "send", organization_id: organizationId, manual };
      await insertMessages.run(on, { rows: [rowOfMessage(message)] });
      const due_at = message.scheduledAt ?? message.createdAt;
      await addJobs(on, [{ id: message.id, event_id: null, message_id: message.id, due_at, partition }]);
      enqueued();
    },

    // The work decides, before the message: whoever claims takes them in this order too, so that one of the two waits
    // for the other and finds out.
    async withdraw(id, from) {
      const work = { id, partitionId: sendPartition(organizationId) };
      return (await (from === "unclaimed" ? deleteUnclaimed : deleteAny).run(on, work)) > 0;
    },

    async cancelTo(recipient) {
      const to = { organizationId, recipient, partitionId: sendPartition(organizationId) };
      const ids = (await deleteUnclaimedTo.rows(on, to)).flatMap(({ message_id }) => message_id ?? []);
      if (ids.length === 0) return [];
      const status = "canceled" satisfies MessageStatus;
      return (await updateStatuses.rows(on, { ids, status })).map(messageOf);
    },

    async update({ id, status }) {
      await updateStatus.run(on, { id, organizationId, status });
    },
  };
}

/** All that an organization sends is one partition. */
const sendPartition = (organizationId: string): string => `send ${organizationId}`;

/** Null for an unknown message and for another organization's. */
export async function findMessage(on: Connection, organizationId: string, id: string): Promise<Message | null> {
  const row = await selectMessage.first(on, { id, organizationId });
  return row ? messageOf(row) : null;
}

const rowOfMessage = (message: Message): MessageRow => ({
  id: message.id,
  organization_id: message.organizationId,
  recipient: message.to,
  body: JSON.stringify(message.body),
  status: message.status,
  scheduled_at: message.scheduledAt,
  cost: message.cost,
  created_at: message.createdAt,
});

export function messageOf(row: MessageRow): Message {
  const { id, organization_id: organizationId, recipient: to, status, cost } = row;
  if (!isMessageStatus(status)) throw new Error(`The database holds a message of unknown status ${status}.`);
  const times = { scheduledAt: row.scheduled_at, createdAt: row.created_at };
  return { id, organizationId, to, body: textOf(row.body), status, cost, ...times };
}
