import type { Choices } from "../../generated/choices.ts";
import { timeOf } from "../domain/clock.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { NoteUse } from "./authenticate.ts";

/** A use is noted again only when the noted one is this old: most calls then write nothing. */
const freshMilliseconds = 60_000;

/** How long after the call a delayed note is written. */
const delayMilliseconds = 2_000;

/** What keeps `last_used_at`. */
export interface UseNotes {
  readonly note: NoteUse;
  /** Writes what still waits for its time: a server that ends has none left for it. */
  flush(): Promise<void>;
}

/** Notes uses before the answer, or some time after it. A note that fails is told, and fails no request. */
export function createUseNotes(
  store: Store,
  world: Pick<World, "now">,
  choices: Pick<Choices, "lastUsed">,
  failed: (problem: unknown) => void,
): UseNotes {
  const delayed = new Set<() => Promise<void>>();

  function delay(note: () => Promise<void>): void {
    let written: Promise<void> | null = null;
    const write = (): Promise<void> => {
      clearTimeout(timer);
      written ??= note().finally(() => delayed.delete(write));
      return written;
    };
    const timer = setTimeout(write, delayMilliseconds).unref();
    delayed.add(write);
  }

  return {
    note(key, organization) {
      const now = timeOf(organization.clock, world.now());
      if (isFresh(key, now)) return null;
      const note = () => store.noteKeyUse(key.id, now, now - freshMilliseconds).catch(failed);
      if (choices.lastUsed === "at-once") return note();
      delay(note);
      return null;
    },
    async flush() {
      await Promise.all([...delayed].map((write) => write()));
    },
  };
}

const isFresh = ({ lastUsedAt }: ApiKey, now: number): boolean =>
  lastUsedAt !== null && lastUsedAt > now - freshMilliseconds;
