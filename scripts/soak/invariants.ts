import type { Row, SoakDatabase } from "./soak-database.ts";

/** What must hold whenever a server is killed. */
interface Invariant {
  /** What is wrong with the rows that the statement finds. */
  readonly says: string;
  /** Finds the ids of rows that break it, on either engine. */
  readonly sql: string;
}

const invariants: readonly Invariant[] = [
  {
    says: "an event is stored, but no delivery of it and no attempt",
    sql: `select id from events
      where id not in (select event_id from jobs) and id not in (select event_id from delivery_attempts)`,
  },
  {
    says: "a delivery is held by a process without an end, or has an end without a process",
    sql: "select id from jobs where (lease is null) <> (lease_until is null)",
  },
  {
    says: "a delivery counts more or fewer attempts than are on record",
    sql: `select id from jobs
      left join (select delivery_id, count(*) as made from delivery_attempts group by delivery_id) as records
        on records.delivery_id = jobs.id
      where attempts <> coalesce(made, 0)`,
  },
  {
    says: "a delivery is still to be made, although an attempt was its last",
    sql: `select distinct jobs.id as id from jobs
      join delivery_attempts on delivery_attempts.delivery_id = jobs.id
      where outcome <> 'retry'`,
  },
  {
    says: "a delivery is over, although no attempt on record was its last",
    sql: `select delivery_id as id from delivery_attempts
      where delivery_id not in (select id from jobs)
      group by delivery_id
      having coalesce(max(case when outcome <> 'retry' then attempt end), 0) <> max(attempt)`,
  },
  {
    says: "attempts of a delivery are not numbered 1, 2, 3 and so on",
    sql: `select delivery_id as id from delivery_attempts
      group by delivery_id
      having min(attempt) <> 1 or max(attempt) <> count(*) or count(distinct attempt) <> count(*)`,
  },
  {
    says: "an attempt is on record whose event is not",
    sql: "select id from delivery_attempts where event_id not in (select id from events)",
  },
  {
    says: "a replay is on record whose event is not",
    sql: "select id from replays where event_id not in (select id from events)",
  },
];

/** Ids shown of each kind. */
const shown = 3;

/** What is half-written, a line for each invariant. */
export async function brokenInvariants(read: SoakDatabase["read"]): Promise<readonly string[]> {
  const found = await read(invariants.map(({ sql }) => sql));
  return invariants.flatMap(({ says }, index) => {
    const rows = found[index] ?? [];
    return rows.length === 0 ? [] : [`${says}: ${idsOf(rows)}`];
  });
}

function idsOf(rows: readonly Row[]): string {
  const ids = rows.slice(0, shown).map(({ id }) => String(id));
  return rows.length > shown ? `${ids.join(", ")} and ${rows.length - shown} more` : ids.join(", ");
}
