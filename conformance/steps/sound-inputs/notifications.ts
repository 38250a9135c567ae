import { userOf } from "../../context/caller-of.ts";
import { emailChange, likelyToggle } from "../notifications.ts";
import type { SoundInputs } from "./maker.ts";

let count = 0;

export const soundInputs: SoundInputs<"notifications"> = {
  getNotifications: { make: async () => ({}) },
  updateNotifications: {
    // Every second one turns the notification over, but for whoever works with these settings.
    async make(t, tenant) {
      const { name, value } = await likelyToggle(t, await userOf(tenant));
      count += 1;
      const wanted = tenant.own && count % 2 === 1 ? !value : value;
      return { body: t.shapeRequest("updateNotifications", emailChange({ [name]: wanted })) };
    },
  },
};
