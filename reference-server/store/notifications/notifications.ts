import type { NotificationsByChannel, UserNotifications } from "../../domain/notifications/notification-settings.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { NotificationSettingsRow } from "../tables.ts";
import type { Notifications } from "../unit-of-work.ts";

const selectOne = statement((db, given: Given<{ readonly organizationId: string; readonly id: string }>) =>
  db
    .selectFrom("notification_settings")
    .select(columns.notification_settings)
    .where("organization_id", "=", given("organizationId"))
    .where("id", "=", given("id")),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .selectFrom("notification_settings")
    .select(columns.notification_settings)
    .where("organization_id", "=", given("organizationId")),
);

const put = statement((db, given: Given<NotificationSettingsRow>) => {
  const known = { settings: given("settings") };
  return db
    .insertInto("notification_settings")
    .values({ organization_id: given("organization_id"), id: given("id"), ...known })
    .onConflict((conflict) => conflict.columns(["organization_id", "id"]).doUpdateSet(known));
});

export const notificationsOf = (on: Connection, organizationId: string): Notifications => ({
  find: (id) => findNotifications(on, organizationId, id),

  async put(id, settings) {
    await put.run(on, { organization_id: organizationId, id, settings: JSON.stringify(settings) });
  },
});

/** Null where the user has not set anything yet. */
export async function findNotifications(
  on: Connection,
  organizationId: string,
  id: string,
): Promise<NotificationsByChannel | null> {
  const row = await selectOne.first(on, { organizationId, id });
  return row ? settingsOf(row.settings) : null;
}

/** All that users of an organization have set. */
export async function notificationsIn(on: Connection, organizationId: string): Promise<readonly UserNotifications[]> {
  const rows = await selectAll.rows(on, { organizationId });
  return rows.map(({ id, settings }) => ({ organizationId, id, settings: settingsOf(settings) }));
}

function settingsOf(text: string): NotificationsByChannel {
  const settings: unknown = JSON.parse(text);
  if (isSettings(settings)) return settings;
  throw new Error("The database holds notification settings that are none.");
}

const isSettings = (value: unknown): value is NotificationsByChannel =>
  isMembers(value) && isMembers(value.email) && Object.values(value.email).every((on) => typeof on === "boolean");

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
