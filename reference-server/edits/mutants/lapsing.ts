import { timeOf } from "../../domain/clock.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { type Ports, withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Milliseconds for which such a server keeps what it was told. */
const keptFor = 86_400_000;

/** When something was set, by what it is of, in the time of its organization. */
function settingTimes({ world }: Ports) {
  const setAt = new Map<string, number>();
  const nowIn = ({ clock }: Organization): number => timeOf(clock, world.now());
  return {
    isSet: (of: string, organization: Organization) => void setAt.set(of, nowIn(organization)),
    isLost: (of: string, organization: Organization) =>
      nowIn(organization) - (setAt.get(of) ?? Number.POSITIVE_INFINITY) > keptFor,
  };
}

/** Keeps what the organization itself has set so long and no longer. */
const losingSetting = (isSet: (organization: Organization) => boolean, unset: Partial<Organization>): PortChange =>
  working((ports) => {
    const times = settingTimes(ports);
    const known = new Set<string>();
    return ({ organization }) => {
      if (organization === null || !isSet(organization)) {
        known.delete(organization?.id ?? "");
        return {};
      }
      const { id } = organization;
      if (!known.has(id)) times.isSet(id, organization);
      known.add(id);
      return times.isLost(id, organization) ? { organization: { ...organization, ...unset } } : {};
    };
  });

/** Goes by no lookup that is older. */
const losingLookups: PortChange = working(({ world }) => ({ lookups, organization }) => ({
  lookups: withMembers(lookups, {
    async latest(phoneNumber) {
      const latest = await lookups.latest(phoneNumber);
      if (latest === null || organization === null) return latest;
      return timeOf(organization.clock, world.now()) - latest.lookedUpAt > keptFor ? null : latest;
    },
  }),
}));

/** Keeps what users have set so long and no longer. */
const losingOfUsers: PortChange = {
  ports(ports) {
    const times = settingTimes(ports);
    const { store } = ports;
    const kept = async <T>(organizationId: string, userId: string, found: T | null): Promise<T | null> => {
      const organization = await store.organization(organizationId);
      return organization !== null && times.isLost(userId, organization) ? null : found;
    };
    const noting = working(() => ({ profiles, notifications, organization }) => ({
      profiles: withMembers(profiles, {
        async put(profile) {
          if (organization !== null) times.isSet(profile.id, organization);
          await profiles.put(profile);
        },
      }),
      notifications: withMembers(notifications, {
        async put(id, settings) {
          if (organization !== null) times.isSet(id, organization);
          await notifications.put(id, settings);
        },
      }),
    }));
    return noting.ports({
      ...ports,
      store: withMembers(store, {
        profile: async (organizationId, userId) =>
          kept(organizationId, userId, await store.profile(organizationId, userId)),
        notifications: async (organizationId, userId) =>
          kept(organizationId, userId, await store.notifications(organizationId, userId)),
      }),
    });
  },
};

/** Keeps what numbers were given so long and no longer. */
const losingUpdates: PortChange = {
  ports(ports) {
    const times = settingTimes(ports);
    const { store } = ports;
    const noting = working(() => ({ phoneNumbers, organization }) => ({
      phoneNumbers: withMembers(phoneNumbers, {
        async update(number) {
          if (organization !== null) times.isSet(number.id, organization);
          await phoneNumbers.update(number);
        },
      }),
    }));
    return noting.ports({
      ...ports,
      store: withMembers(store, {
        async phoneNumber(organizationId, id) {
          const number = await store.phoneNumber(organizationId, id);
          const organization = await store.organization(organizationId);
          const isLost = organization !== null && times.isLost(id, organization);
          return number && isLost ? { ...number, label: null, inboundUrl: null, statusUrl: null } : number;
        },
      }),
    });
  },
};

/** Cancels no message for the second time that was canceled so long ago. */
const forgettingCancellations: PortChange = working((ports) => {
  const times = settingTimes(ports);
  return ({ messages, organization }) => ({
    messages: withMembers(messages, {
      async update(message) {
        if (message.status === "canceled" && organization !== null) times.isSet(message.id, organization);
        await messages.update(message);
      },
      find: async (id) => (organization !== null && times.isLost(id, organization) ? null : messages.find(id)),
    }),
  });
});

/** Servers that keep for a day what has no end, as a cache does that nobody fills again. */
export const lapsingMutants: readonly Mutant[] = [
  mutantOf("MSG-40", "day-old", "forgets after a day that a message was canceled", [forgettingCancellations]),
  mutantOf("MSG-13", "day-old", "goes by no lookup that is older than a day", [losingLookups]),
  mutantOf("MSG-24", "day-old", "forgets after a day that there are quiet hours", [
    losingSetting(({ quietHours }) => quietHours !== null, { quietHours: null }),
  ]),
  mutantOf("NUM-38", "day-old", "forgets after a day which label and addresses a number was given", [losingUpdates]),
  mutantOf("ORG-10", "day-old", "forgets after a day that reseller mode was turned on", [
    losingSetting(({ isReseller }) => isReseller, { isReseller: false }),
  ]),
  mutantOf("BIL-07", "day-old", "forgets after a day that auto top-up was enabled", [
    losingSetting(({ autoTopUp }) => autoTopUp !== null, { autoTopUp: null }),
  ]),
  mutantOf("USR-20", "day-old", "forgets after a day which timezone a user took", [losingOfUsers]),
  mutantOf("USR-30", "day-old", "forgets after a day which notifications a user set", [losingOfUsers]),
];
