import { EventEmitter, once } from "node:events";

/** What a kill may meet just as it happens. */
export const meetings = [
  "a request is sent",
  "a request is answered",
  "a delivery arrives",
  "a delivery is answered",
  "a message is taken",
  "a message is handed over",
] as const;

export type Meeting = (typeof meetings)[number];

/** When a server is killed. */
export type KillMoment = Meeting | "any time" | "its start";

export const killMoments: readonly KillMoment[] = [...meetings, "any time", "its start"];

/** Passes on what happens just now. */
export class Moments {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  happens(meeting: Meeting): void {
    this.#emitter.emit(meeting);
  }

  /** Calls `act` the next time, in the very moment; gives up waiting for it after so many milliseconds. */
  async at(meeting: Meeting, act: () => void, within: number): Promise<void> {
    this.#emitter.once(meeting, act);
    await once(this.#emitter, meeting, { signal: AbortSignal.timeout(within) }).catch(() => undefined);
    this.#emitter.off(meeting, act);
  }
}
