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

/** Keeps `last_used_at`: before the answer, or some time after it. A note that fails is told, and fails no request. */
export function noteUse(
  store: Store,
  world: Pick<World, "now">,
  choices: Pick<Choices, "lastUsed">,
  failed: (problem: unknown) => void,
): NoteUse {
  return (key, organization) => {
    const now = timeOf(organization.clock, world.now());
    if (isFresh(key, now)) return null;
    const note = () => store.noteKeyUse(key.id, now, now - freshMilliseconds).catch(failed);
    switch (choices.lastUsed) {
      case "at-once":
        return note();
      case "delayed":
        setTimeout(note, delayMilliseconds).unref();
        return null;
    }
  };
}

const isFresh = ({ lastUsedAt }: ApiKey, now: number): boolean =>
  lastUsedAt !== null && lastUsedAt > now - freshMilliseconds;
