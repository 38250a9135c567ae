import { timeOf } from "../domain/clock.ts";
import type { LineType } from "../domain/lookups/line-type.ts";
import type { Lookup } from "../domain/lookups/lookup.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import type { PortChange } from "./edit.ts";
import { storing, together } from "./port-changes.ts";
import { withMembers } from "./ports.ts";
import { working } from "./unit-changes.ts";

/** What is shown of a line whose type is not known yet: a text, as those of the contract are. */
const pending: string = "LOOKING_UP";

/**
 * Has the line type of a lookup be known so many milliseconds after it, by its organization's clock. Until then it is
 * told by no event, and sends go by the lookup of the number that was finished before.
 */
export const lookingUpByClock = (after: number): PortChange => ({
  ports(ports) {
    // By organization and number, in the order in which they were made.
    const made = new Map<string, readonly Lookup[]>();
    const ids = new Set<unknown>();
    const placeOf = (organizationId: string | undefined, number: string): string => `${organizationId} ${number}`;
    const isPending = ({ lookedUpAt }: Lookup, organization: Organization | null): boolean =>
      organization !== null && timeOf(organization.clock, ports.world.now()) < lookedUpAt + after;
    return together(
      storing((store) => ({
        async lookup(organizationId, id) {
          const lookup = await store.lookup(organizationId, id);
          if (lookup === null || !isPending(lookup, await store.organization(organizationId))) return lookup;
          return { ...lookup, lineType: pending as LineType };
        },
      })),
      working(() => ({ lookups, organization, enqueue }) => ({
        lookups: withMembers(lookups, {
          async insert(lookup) {
            const place = placeOf(lookup.organizationId, lookup.phoneNumber);
            // A unit may be done again.
            made.set(place, [...(made.get(place) ?? []).filter(({ id }) => id !== lookup.id), lookup]);
            ids.add(lookup.id);
            await lookups.insert(lookup);
          },
          async latest(number) {
            const latest = await lookups.latest(number);
            if (latest === null || !isPending(latest, organization)) return latest;
            const before = made.get(placeOf(organization?.id, number)) ?? [];
            return before.findLast((lookup) => !isPending(lookup, organization)) ?? null;
          },
        }),
        // Whoever makes up an event of that type has it sent at once.
        enqueue: (event, to) =>
          enqueue(ids.has(Object(event.data).id) ? { ...event, createdAt: event.createdAt + after } : event, to),
      })),
    ).ports(ports);
  },
});
