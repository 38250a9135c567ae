import { userOf } from "../../context/caller-of.ts";
import type { SoundInputs } from "../input-maker.ts";
import { emailChange, likelyToggle, ownToggles, readNotifications } from "../notifications.ts";

export const soundInputs: SoundInputs<"notifications"> = {
  getNotifications: { make: async () => ({}) },
  updateNotifications: {
    // Turns the notification over, but for whoever works with these settings.
    async make(t, tenant) {
      const { name, value } = await likelyToggle(t, await userOf(tenant));
      const wanted = tenant.own ? !value : value;
      return { body: t.shapeRequest("updateNotifications", emailChange({ [name]: wanted })) };
    },
    async makeWide(t, tenant, as) {
      const own = ownToggles((await readNotifications(t, as)).toggles);
      const wanted = own.map(([name, value]) => [name, tenant.own ? !value : value] as const);
      return { body: t.shapeRequest("updateNotifications", emailChange(Object.fromEntries(wanted))) };
    },
  },
};
