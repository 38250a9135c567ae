import type { Organization } from "../domain/organizations/organization.ts";
import { columns } from "./columns.ts";
import { type Connection, type Given, insertion, statement } from "./engine/statement.ts";
import { organizationSettings } from "./organizations/organizations.ts";
import { organizationOf, rowOfSession, sessionOf } from "./rows.ts";
import type { Session } from "./store.ts";

const insertSessions = insertion("sessions", columns.sessions);

const selectByHash = statement((db, given: Given<{ readonly tokenHash: string }>) =>
  db
    .selectFrom("sessions")
    .innerJoin("organizations", "organizations.id", "sessions.organization_id")
    .select([
      "sessions.id",
      "sessions.organization_id",
      "sessions.user_id",
      "sessions.token_hash",
      "sessions.staff",
      "sessions.created_at",
      ...organizationSettings,
    ])
    .where("token_hash", "=", given("tokenHash")),
);

export async function insertSession(on: Connection, session: Session): Promise<void> {
  await insertSessions.run(on, { rows: [rowOfSession(session)] });
}

export async function findSessionByHash(
  on: Connection,
  tokenHash: string,
): Promise<{ readonly session: Session; readonly organization: Organization } | null> {
  const row = await selectByHash.first(on, { tokenHash });
  return row ? { session: sessionOf(row), organization: organizationOf(row, row.organization_id) } : null;
}
