import type * as wire from "../../generated/models/profiles.ts";
import type { ProfilesHandlers } from "../../generated/server/profiles.ts";
import { type Caller, userIdOf } from "../domain/organizations/caller.ts";
import { newProfile, type Profile, refuseTimezone } from "../domain/profiles/profile.ts";
import type { Store } from "../store/store.ts";

export interface ProfilesParts {
  readonly store: Store;
}

export function profilesHandlers({ store }: ProfilesParts): ProfilesHandlers<Caller> {
  return {
    async getProfile(_input, caller) {
      return wireProfile((await store.profile(caller.organization.id, userIdOf(caller))) ?? newProfile(caller));
    },

    async updateProfile({ body: { name, timezone } }, caller) {
      const refusal = refuseTimezone(timezone);
      if (refusal !== null) return refusal;
      return store.atomically(caller.organization.id, async (tx) => {
        const known = (await tx.profiles.find(userIdOf(caller))) ?? newProfile(caller);
        const profile = { ...known, name: name ?? known.name, timezone: timezone ?? known.timezone };
        await tx.profiles.put(profile);
        return wireProfile(profile);
      });
    },
  };
}

const wireProfile = ({ id, name, timezone }: Profile): wire.Profile => ({ id, name, timezone });
