import { timezones } from "../profile.ts";
import type { SoundInputs } from "./maker.ts";

let count = 0;

export const soundInputs: SoundInputs<"profiles"> = {
  getProfile: { make: async () => ({}) },
  updateProfile: {
    // Another timezone each time, so that every change is one.
    async make(t) {
      count += 1;
      return { body: t.shapeRequest("updateProfile", { timezone: timezones[count % timezones.length] }) };
    },
  },
};
