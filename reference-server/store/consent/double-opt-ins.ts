import { type DoubleOptIn, isDoubleOptInState } from "../../domain/consent/double-opt-in.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { DoubleOptInRow } from "../tables.ts";
import type { DoubleOptIns } from "../unit-of-work.ts";
import { textOf } from "../webhook-rows.ts";
import { addJobs } from "../work/partitions.ts";

const insertRows = insertion("double_opt_ins", columns.double_opt_ins);

const selectPending = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .selectFrom("double_opt_ins")
    .select(columns.double_opt_ins)
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber"))
    .where("state", "=", "pending"),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("double_opt_ins").select(columns.double_opt_ins).where("organization_id", "=", given("organizationId")),
);

const updateState = statement(
  (db, given: Given<Pick<DoubleOptInRow, "state"> & { readonly id: string; readonly organizationId: string }>) =>
    db
      .updateTable("double_opt_ins")
      .set({ state: given("state") })
      .where("id", "=", given("id"))
      .where("organization_id", "=", given("organizationId")),
);

/** What somebody has in hand stays: who settles it finds that there is nothing left to do. */
const deleteWaiting = statement((db, given: Given<{ readonly id: string; readonly partitionId: string }>) =>
  db
    .deleteFrom("jobs")
    .where("id", "=", given("id"))
    .where("partition_id", "=", given("partitionId"))
    .where("lease", "is", null),
);

type OfNumber = { readonly organizationId: string; readonly phoneNumber: string };

const selectIds = statement((db, given: Given<OfNumber>) =>
  db
    .selectFrom("double_opt_ins")
    .select("id")
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

const deleteOnes = statement((db, given: Given<OfNumber>) =>
  db
    .deleteFrom("double_opt_ins")
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

/** What somebody has in hand too: work without what it is about could never be claimed again. */
const deleteJobs = statement(
  (db, given: Given<{ readonly ids: readonly string[]; readonly partitionId: string }>, { isOneOf }) =>
    db
      .deleteFrom("jobs")
      .where(isOneOf("id", given("ids")))
      .where("partition_id", "=", given("partitionId")),
);

export interface DoubleOptInsParts {
  /** The unit's transaction, which holds the organization. */
  readonly on: Connection;
  readonly organizationId: string;
  readonly organization: Organization | null;
  /** Called when there is somebody to ask. */
  readonly enqueued: () => void;
}

export function doubleOptInsOf({ on, organizationId, organization, enqueued }: DoubleOptInsParts): DoubleOptIns {
  const partitionId = `double-opt-in ${organizationId}`;
  return {
    async pending(phoneNumber) {
      const row = await selectPending.first(on, { organizationId, phoneNumber });
      return row ? doubleOptInOf(row) : null;
    },

    async insert(doubleOptIn) {
      const { id, createdAt: due_at } = doubleOptIn;
      const manual = organization?.clock.mode === "manual" ? 1 : 0;
      const partition = { id: partitionId, kind: "double-opt-in", organization_id: organizationId, manual };
      await insertRows.run(on, { rows: [rowOf(doubleOptIn)] });
      await addJobs(on, [{ id, event_id: null, message_id: null, due_at, partition }]);
      enqueued();
    },

    async end({ id, state }) {
      await updateState.run(on, { id, organizationId, state });
      await deleteWaiting.run(on, { id, partitionId });
    },

    async remove(phoneNumber) {
      const ids = (await selectIds.rows(on, { organizationId, phoneNumber })).map(({ id }) => id);
      await deleteJobs.run(on, { ids, partitionId });
      await deleteOnes.run(on, { organizationId, phoneNumber });
    },
  };
}

const deleteEnded = statement(
  (db, given: Given<{ readonly organizationId: string; readonly before: number; readonly most: number }>, { free }) =>
    db.deleteFrom("double_opt_ins").where(
      "id",
      "in",
      free(
        db
          .selectFrom("double_opt_ins")
          .select("id")
          .where("organization_id", "=", given("organizationId"))
          .where("expires_at", "<", given("before"))
          .where("state", "<>", "pending")
          // What ended while it was in hand is still to be looked at once more.
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom("jobs").select("jobs.id").whereRef("jobs.id", "=", "double_opt_ins.id"))),
          )
          .orderBy("expires_at")
          .limit(given("most")),
      ),
    ),
);

/** Deletes some that are over and expired, or would have, before an instant, and gives how many. */
export const deleteEndedDoubleOptIns = (
  on: Connection,
  organizationId: string,
  oldest: { readonly before: number; readonly most: number },
): Promise<number> => deleteEnded.run(on, { organizationId, ...oldest });

/** All double opt-ins of an organization. */
export const doubleOptInsIn = async (on: Connection, organizationId: string): Promise<readonly DoubleOptIn[]> =>
  (await selectAll.rows(on, { organizationId })).map(doubleOptInOf);

const rowOf = (one: DoubleOptIn): DoubleOptInRow => ({
  id: one.id,
  organization_id: one.organizationId,
  phone_number: one.phoneNumber,
  source: JSON.stringify(one.source),
  state: one.state,
  created_at: one.createdAt,
  expires_at: one.expiresAt,
});

export function doubleOptInOf(row: DoubleOptInRow): DoubleOptIn {
  const { id, organization_id: organizationId, phone_number: phoneNumber, state } = row;
  if (!isDoubleOptInState(state)) throw new Error(`The database holds a double opt-in of unknown state ${state}.`);
  const times = { createdAt: row.created_at, expiresAt: row.expires_at };
  return { id, organizationId, phoneNumber, source: textOf(row.source), state, ...times };
}
