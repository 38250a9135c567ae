import type { Organization } from "../../domain/organizations/organization.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import { addJobs } from "../work/partitions.ts";

export interface RegistrationParts {
  /** The unit's transaction, which holds the organization. */
  readonly on: Connection;
  readonly organizationId: string;
  readonly organization: Organization | null;
  /** Called when there is something to look at later. */
  readonly enqueued: () => void;
}

/** Work on brands and campaigns of one organization: its jobs bear their ids. */
export interface RegistrationJobs {
  add(id: string, dueAt: number): Promise<void>;
  /** What somebody has in hand stays: who settles it finds that there is nothing left to do. */
  drop(id: string): Promise<void>;
}

const deleteWaiting = statement((db, given: Given<{ readonly id: string; readonly partitionId: string }>) =>
  db
    .deleteFrom("jobs")
    .where("id", "=", given("id"))
    .where("partition_id", "=", given("partitionId"))
    .where("lease", "is", null),
);

export function registrationJobs({ on, organizationId, organization, enqueued }: RegistrationParts): RegistrationJobs {
  const partitionId = `registration ${organizationId}`;
  return {
    async add(id, due_at) {
      const manual = organization?.clock.mode === "manual" ? 1 : 0;
      const partition = { id: partitionId, kind: "registration", organization_id: organizationId, manual };
      await addJobs(on, [{ id, event_id: null, message_id: null, due_at, partition }]);
      enqueued();
    },

    async drop(id) {
      await deleteWaiting.run(on, { id, partitionId });
    },
  };
}
