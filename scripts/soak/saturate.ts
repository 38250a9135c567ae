import { setTimeout as pause } from "node:timers/promises";
import { emitEvent } from "../../generated/client/sandbox-webhooks.ts";
import { Desk, type DeskParts } from "./desk.ts";
import type { SoakDatabase } from "./soak-database.ts";
import { otherTypes, type SoakedOrganization } from "./soaked-organizations.ts";
import { soakedPace } from "./soaked-time.ts";

export interface SaturateParts extends DeskParts {
  /** Organizations of which each receiver hangs. */
  readonly crowd: readonly SoakedOrganization[];
  readonly sandboxToken: string;
  readonly database: SoakDatabase;
  readonly servers: number;
  readonly signal: AbortSignal;
}

/** Events for each organization, all at once: more deliveries than there are places. */
const eventsEach = 4;

/** Real milliseconds between two looks. */
const interval = 50;

/**
 * Has more deliveries due than there are places, to receivers that all hang, and counts the places that they hold until
 * the last of them was attempted. Each organization leaves as many free as it holds, so that others find some. Gives
 * what was wrong.
 */
export async function saturate(parts: SaturateParts): Promise<readonly string[]> {
  const { crowd, ledger, database, servers, sandboxToken, signal } = parts;
  const [type] = otherTypes;
  if (type === undefined) throw new Error("The contract has no event but those of keys.");
  const emit = ({ id, endpoints }: SoakedOrganization) =>
    new Desk(parts).ask(
      "emitEvent",
      sandboxToken,
      (caller) => emitEvent(caller, { path: { id }, body: { type, data: {} } }),
      (by, { event_id: event }) => ledger.promise(by, event, endpoints),
    );
  const all = Array.from({ length: eventsEach }, () => crowd).flat();
  const emitted = Promise.all(all.map(emit));
  const ids = crowd.flatMap(({ endpoints }) => endpoints.map(({ id }) => `'${id}'`)).join(", ");
  const ofCrowd = `from jobs where partition_id in (${ids})`;
  const looks = [
    `select count(*) as count ${ofCrowd} and lease is not null`,
    `select count(*) as count ${ofCrowd} and attempts = 0`,
  ];
  let held = 0;
  for (let isEmitted = false, waiting = 1; !isEmitted || waiting > 0; ) {
    signal.throwIfAborted();
    isEmitted = await Promise.race([emitted.then(() => true), pause(interval, false)]);
    const [now = 0, unattempted = 0] = (await database.read(looks)).map(([row]) => Number(row?.count));
    held = Math.max(held, now);
    waiting = unattempted;
    if (isEmitted) await pause(interval);
  }
  const places = soakedPace.most * servers;
  const fair = (places * crowd.length) / (crowd.length + 1);
  // A place is free again a moment before the end of its attempt is on record: half of what is left to others may be so.
  if (held <= (fair + places) / 2) return [];
  return [
    `${crowd.length} organizations whose receivers hang hold ${held} of ${places} places, and leave too few to others`,
  ];
}
