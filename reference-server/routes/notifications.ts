import type { NotificationsHandlers } from "../../generated/server/notifications.ts";
import { changedNotifications, usualNotifications } from "../domain/notifications/notification-settings.ts";
import { type Caller, userIdOf } from "../domain/organizations/caller.ts";
import type { Store } from "../store/store.ts";

export function notificationsHandlers({ store }: { readonly store: Store }): NotificationsHandlers<Caller> {
  return {
    async getNotifications(_input, caller) {
      return (await store.notifications(caller.organization.id, userIdOf(caller))) ?? usualNotifications;
    },

    async updateNotifications({ body }, caller) {
      const user = userIdOf(caller);
      return store.atomically(caller.organization.id, async (tx) => {
        const known = (await tx.notifications.find(user)) ?? usualNotifications;
        const changed = changedNotifications(known, body);
        if ("row" in changed) return changed;
        await tx.notifications.put(user, changed);
        return changed;
      });
    },
  };
}
