import { isUnclaimed } from "../../domain/messages/message.ts";
import { columns } from "../columns.ts";
import { type Given, statement } from "../engine/statement.ts";
import { messageOf } from "../messages/messages.ts";
import type { SqlWorkKind } from "./work-kind.ts";

const selectMessages = statement((db, given: Given<{ readonly ids: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("messages")
    .select(columns.messages)
    .where(isOneOf("id", given("ids"))),
);

const setStatus = statement(
  (db, given: Given<{ readonly ids: readonly string[]; readonly status: string }>, { isOneOf }) =>
    db
      .updateTable("messages")
      .set({ status: given("status") })
      .where(isOneOf("id", given("ids"))),
);

/**
 * Messages: a partition is all that an organization sends. From its first claim on a message is `sending`; whoever
 * cancels it takes its job away before that, or comes too late.
 */
export const sendWork: SqlWorkKind = {
  async open(on, ids) {
    return {
      open: ids,
      closed: [],
      async load(jobs, clock, { lease }) {
        const rows = await selectMessages.rows(on, { ids: jobs.flatMap(({ message_id }) => message_id ?? []) });
        const found = rows.map(messageOf);
        const claimed = found.filter(isUnclaimed).map(({ id }) => id);
        if (claimed.length > 0) await setStatus.run(on, { ids: claimed, status: "sending" });
        const messages = new Map(found.map((message) => [message.id, message]));
        return jobs.flatMap((job) => {
          const message = messages.get(job.message_id ?? "");
          if (message === undefined) return [];
          const sent = isUnclaimed(message) ? ({ ...message, status: "sending" } as const) : message;
          const { organizationId } = message;
          return [{ id: job.id, claim: { kind: "send", organizationId, clock, lease, message: sent }, forced: null }];
        });
      },
    };
  },

  async record(on, settlements) {
    const sent = settlements.flatMap((each) => ("status" in each ? [each] : []));
    for (const [status, ofStatus] of Map.groupBy(sent, (each) => each.status))
      await setStatus.run(on, { ids: ofStatus.map(({ claim }) => claim.message.id), status });
  },
};
