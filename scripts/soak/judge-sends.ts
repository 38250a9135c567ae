import { type KeyedSend, type KeyedSends, keyText, nameOf } from "./keyed-sends.ts";
import type { Row } from "./soak-database.ts";

/** Messages, and what was charged for them and given back: what `sendFaults` judges. */
export const sendStatements = [
  "select id, organization_id, body, status from messages",
  "select kind, reference from ledger_entries where reference like 'message %'",
] as const;

/** Where a message is when nothing is on its way any more. */
const overStatuses: ReadonlySet<unknown> = new Set(["delivered", "undelivered", "failed", "canceled"]);

/**
 * However often it is sent, there is one message under a key, charged once and handed to the carrier, or else canceled
 * and its charge given back. `handedOver` has the ids that came to the carrier. To be asked when nothing is on its way
 * any more.
 */
export function sendFaults(
  [messages = [], entries = []]: readonly (readonly Row[])[],
  { sends, cancellations, contradictions }: Pick<KeyedSends, "sends" | "cancellations" | "contradictions">,
  handedOver: ReadonlySet<string>,
): readonly string[] {
  const byName = Map.groupBy(messages, ({ organization_id: id, body }) =>
    nameOf({ organizationId: String(id), key: String(JSON.parse(String(body))) }),
  );
  const booked = Map.groupBy(entries, ({ kind, reference }) => `${String(kind)} ${String(reference)}`);
  return [
    ...contradictions,
    ...sends.flatMap((send) => keyFaults(send, byName.get(nameOf(send)) ?? [])),
    ...messages.flatMap(({ id, status }) => messageFaults(String(id), status)),
  ];

  function messageFaults(id: string, status: unknown): readonly string[] {
    const faults: string[] = [];
    const find = (isFault: boolean, says: string): void => {
      if (isFault) faults.push(`message ${id} ${says}`);
    };
    const entriesOf = (kind: string): number => booked.get(`${kind} message ${id}`)?.length ?? 0;
    const isCanceled = status === "canceled";
    find(entriesOf("charge") !== 1, `was charged ${entriesOf("charge")} times`);
    find(
      entriesOf("refund") !== Number(isCanceled),
      `is ${String(status)} and was refunded ${entriesOf("refund")} times`,
    );
    find(!overStatuses.has(status), `is left ${String(status)}`);
    find(isCanceled && handedOver.has(id), "is canceled, and was handed to the carrier");
    find(!isCanceled && !handedOver.has(id), `is ${String(status)}, and was never handed to the carrier`);
    const told = cancellations.get(id);
    find(
      told !== undefined && told !== isCanceled,
      `is ${String(status)}, and its cancellation was ${told ? "" : "not "}taken`,
    );
    return faults;
  }
}

function keyFaults({ first, refusal, ...of }: KeyedSend, found: readonly Row[]): readonly string[] {
  const ids = found.map(({ id }) => String(id));
  const made = ids.length === 0 ? "no message" : ids.join(", ");
  if (refusal !== null) return ids.length === 0 ? [] : [`${keyText(of)} was answered ${refusal}, and made ${made}`];
  if (first === null) return ids.length <= 1 ? [] : [`${keyText(of)} was never answered, and made ${made}`];
  return ids.length === 1 && ids[0] === first.id
    ? []
    : [`${keyText(of)} was answered with message ${first.id}, and made ${made}`];
}
