import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import type { SoundInputs } from "../input-maker.ts";
import { readProfile, timezones } from "../profile.ts";

let count = 0;

/** The timezone that the profile of a given key has; blocks where none is shown. */
async function presentTimezone(t: CheckContext, tenant: Tenant): Promise<string> {
  const { timezone } = await readProfile(t, await tenant.main());
  if (typeof timezone === "string") return timezone;
  throw new Blocked(
    "the profile shows no timezone, and the kit changes none that others use",
    "give the kit a sandbox, or a new_organization hook",
  );
}

export const soundInputs: SoundInputs<"profiles"> = {
  getProfile: { make: async () => ({}) },
  updateProfile: {
    // Another timezone each time, so that every change is one, but for whoever works with the profile.
    async make(t, tenant) {
      count += 1;
      const timezone = tenant.own ? timezones[count % timezones.length] : await presentTimezone(t, tenant);
      return { body: t.shapeRequest("updateProfile", { timezone }) };
    },
    async makeWide(t, tenant) {
      if (!tenant.own)
        return { body: t.shapeRequest("updateProfile", (await readProfile(t, await tenant.main())).own) };
      count += 1;
      const timezone = timezones[count % timezones.length];
      return { body: t.shapeRequest("updateProfile", { name: `Kit ${count}`, timezone }) };
    },
  },
};
