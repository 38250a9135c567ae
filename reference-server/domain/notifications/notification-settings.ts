import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { NotificationToggles } from "../../../generated/models/notifications.ts";

/** By channel. */
export interface NotificationsByChannel {
  readonly email: NotificationToggles;
}

/** What a user is told of. */
export interface UserNotifications {
  readonly organizationId: string;
  /** Of the user. */
  readonly id: string;
  readonly settings: NotificationsByChannel;
}

/** Of a user who has not set anything yet. */
export const usualNotifications: NotificationsByChannel = {
  email: { security_alerts: true, billing: true, product: true, compliance: true },
};

/** What to set, by channel and toggle. */
export type NotificationChange = Readonly<Record<string, NotificationToggles>>;

/** The settings after a change. A channel or toggle that there is not, or that cannot be set, refuses all of it. */
export function changedNotifications(settings: NotificationsByChannel, change: NotificationChange) {
  // Without a prototype, `__proto__` is a name like any other.
  const unknown: Record<string, string> = Object.create(null);
  const immutable: Record<string, string> = {};
  for (const [channel, toggles] of Object.entries(change)) {
    if (!isChannel(channel)) unknown[channel] = "is no channel";
    else
      for (const toggle of Object.keys(toggles)) {
        const key = `${channel}.${toggle}`;
        if (!Object.hasOwn(usualNotifications[channel], toggle)) unknown[key] = "is no notification";
        else if (key === constants.immutableNotification) immutable[key] = "cannot be changed";
      }
  }
  if (Object.keys(unknown).length > 0)
    return refuse.UnknownNotificationKey("There are no such notification settings.", { ...unknown });
  if (Object.keys(immutable).length > 0)
    return refuse.ImmutableNotificationKey("Some notifications cannot be changed.", immutable);
  return { email: { ...settings.email, ...change.email } };
}

const isChannel = (name: string): name is keyof NotificationsByChannel => Object.hasOwn(usualNotifications, name);
