import type { KeyChange } from "../../reference-server/domain/events/new-event.ts";
import { changeOfKey, membersOf } from "./ledger.ts";
import type { Row } from "./soak-database.ts";

/** Keys that writers made, events of keys, and audit records of replays: what `changeFaults` judges. */
export const changeStatements = [
  `select id, prefix, revoked_at from api_keys where label = '"made"'`,
  "select id, type, data from events where type like 'api_key.%'",
  "select id from replays",
] as const;

/** A change of a key and the event that tells of it are there together or not at all, and each event once. */
export function changeFaults(
  [keys = [], events = [], replays = []]: readonly (readonly Row[])[],
  audits: readonly string[],
): readonly string[] {
  const told = Map.groupBy(events.map(toldBy), ({ change }) => change);
  const kept = new Set(replays.map(({ id }) => String(id)));
  const known = new Set(keys.map(({ id }) => String(id)));
  return [
    ...keys.flatMap((key) => keyFaults(key, told)),
    ...[...told].flatMap(([change, all]) =>
      all.length > 1 ? [`${all.length} events tell that there was ${change}`] : [],
    ),
    ...[...told.values()]
      .flat()
      .flatMap(({ keyId, change }) =>
        keyId === null || known.has(keyId) ? [] : [`an event tells of ${change}, and there is no such key`],
      ),
    ...audits.flatMap((id) => (kept.has(id) ? [] : [`the audit record ${id} of a replay is lost`])),
  ];
}

interface Told {
  /** As `changeOfKey` names it. */
  readonly change: string;
  /** Null where the event tells of no key: a test delivery. */
  readonly keyId: string | null;
  readonly prefix: unknown;
}

function toldBy({ id: eventId, type, data }: Row): Told {
  const { id, prefix } = membersOf(JSON.parse(String(data)));
  if (typeof id !== "string") return { change: `the test ${String(eventId)}`, keyId: null, prefix };
  return { change: `${String(type)} of ${id}`, keyId: id, prefix };
}

function keyFaults({ id, prefix, revoked_at: revokedAt }: Row, told: ReadonlyMap<string, readonly Told[]>) {
  const keyId = String(id);
  const eventOf = (change: KeyChange) => told.get(changeOfKey(change, keyId))?.[0];
  const faults: string[] = [];
  if (eventOf("created") === undefined) faults.push(`no event tells that the key ${keyId} was created`);
  if ((eventOf("revoked") !== undefined) !== (revokedAt !== null))
    faults.push(`the key ${keyId} is ${revokedAt === null ? "not " : ""}revoked, and its events tell otherwise`);
  const latest = eventOf("rotated") ?? eventOf("created");
  if (latest !== undefined && latest.prefix !== prefix)
    faults.push(`the key ${keyId} has the prefix ${String(prefix)}, and its events tell of ${String(latest.prefix)}`);
  return faults;
}
