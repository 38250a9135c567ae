import { isOf, type LeftBehind } from "./left-behind.ts";

/** What a run made on its target and has not taken back. */
export interface Ledger {
  /** To be called as soon as a thing is known to exist. */
  made(thing: LeftBehind): void;
  /**
   * To be called when it is known to be gone again, an organization with all that it had; things that nobody noted are
   * passed over.
   */
  gone(thing: Pick<LeftBehind, "kind" | "id">): void;
  /** What is there now, in the order in which it was made. */
  left(): readonly LeftBehind[];
}

export interface LedgerListener {
  /** Told at once of each thing that was made. */
  readonly left?: (thing: LeftBehind) => void;
  /** Told of each such thing that was taken back. */
  readonly gone?: (thing: LeftBehind) => void;
}

export function newLedger(listener: LedgerListener): Ledger {
  const things = new Map<string, LeftBehind>();
  const nameOf = ({ kind, id }: Pick<LeftBehind, "kind" | "id">): string => `${kind} ${id}`;
  return {
    made(thing) {
      things.set(nameOf(thing), thing);
      listener.left?.(thing);
    },
    gone(thing) {
      const known = things.get(nameOf(thing));
      if (known === undefined) return;
      for (const one of [...things.values()].filter((other) => other === known || isOf(other, known))) {
        things.delete(nameOf(one));
        listener.gone?.(one);
      }
    },
    left: () => [...things.values()],
  };
}
