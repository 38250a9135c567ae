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
      where id not in (select event_id from jobs where event_id is not null) and id not in (select event_id from delivery_attempts)`,
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
      where event_id is not null and attempts <> coalesce(made, 0)`,
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
  {
    says: "an organization has two messages of one text, though each is sent under a key of its own",
    sql: "select min(id) as id from messages group by organization_id, body having count(*) > 1",
  },
  {
    says: "a message was taken under a key, and no answer is kept for its retries",
    // Answers are kept for a day.
    sql: `select id from messages
      where (organization_id, body) not in (select organization_id, '"' || key || '"' from kept_answers)
        and created_at > (select max(created_at) from messages) - ${12 * 3_600_000}`,
  },
  {
    says: "an answer is kept for a key, and there is no message",
    sql: `select key as id from kept_answers
      where (organization_id, '"' || key || '"') not in (select organization_id, body from messages)`,
  },
  {
    says: "a message is stored, but not what it was charged",
    sql: `select id from messages
      where 'message ' || id not in (select reference from ledger_entries where kind = 'charge')`,
  },
  {
    says: "a charge is on record, but not the message",
    sql: `select reference as id from ledger_entries
      where kind = 'charge' and reference not in (select 'message ' || id from messages)`,
  },
  {
    says: "a message is canceled and not refunded, or refunded and not canceled",
    sql: `select id from messages
      where (status = 'canceled')
        <> ('message ' || id in (select reference from ledger_entries where kind = 'refund'))`,
  },
  {
    says: "a message is on its way and nobody is to see to it, or over and somebody is",
    sql: `select id from messages
      where (status in ('scheduled', 'queued', 'sending', 'sent'))
        <> (id in (select message_id from jobs where message_id is not null))`,
  },
  {
    says: "a balance is not what the entries until it come to",
    sql: `select reference as id from (
        select reference, balance, case when kind = 'charge' then -amount else amount end as moved,
          coalesce(lag(balance) over (partition by organization_id order by position), 0) as before
        from ledger_entries) as entries
      where balance <> before + moved`,
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
