import { timeOf } from "../domain/clock.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import type { Store } from "../store/store.ts";
import type { PortChange } from "./edit.ts";
import { withMembers } from "./ports.ts";
import { keepingKeys } from "./unit-changes.ts";

/** A secret that took the place of another one; both are hashes. */
interface Rotation {
  readonly before: string;
  readonly next: string;
  /** Milliseconds that have passed since, by the clock of its organization. */
  since(organization: Organization): number;
}

type FindKey = Store["keyByHash"];

/** Finds keys by another method, which knows the rotations so far and the store's own way. */
export const rotating = (change: (rotations: readonly Rotation[], find: FindKey) => FindKey): PortChange => ({
  ports({ store, world, ...others }) {
    const rotations: Rotation[] = [];
    const time = ({ clock }: Organization): number => timeOf(clock, world.now());
    const noting = keepingKeys(() => (keys, { organization }) => ({
      async update(id, key) {
        const before = await keys.find(id);
        await keys.update(id, key);
        if (organization === null || before === null || before.secretHash === key.secretHash) return;
        const at = time(organization);
        const since = (now: Organization): number => time(now) - at;
        rotations.push({ before: before.secretHash, next: key.secretHash, since });
      },
    }));
    const keyByHash = change(rotations, (hash) => store.keyByHash(hash));
    return noting.ports({ ...others, world, store: withMembers(store, { keyByHash }) });
  },
});

/** Takes the secret that a rotation replaced for the new one, when so many milliseconds have passed since. */
export const acceptingReplaced = (accepted: (since: number) => boolean): PortChange =>
  rotating((rotations, find) => async (hash) => {
    const rotation = rotations.find(({ before }) => before === hash);
    const renewed = rotation === undefined ? null : await find(rotation.next);
    if (rotation === undefined || renewed === null || !accepted(rotation.since(renewed.organization)))
      return find(hash);
    return { ...renewed, key: { ...renewed.key, secretHash: hash } };
  });
