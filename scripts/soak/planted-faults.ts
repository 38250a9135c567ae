import type { RuleId } from "../../generated/rules.ts";
import type { Mutant } from "../../reference-server/edits/edit.ts";

/** The rules closest to what is lost. Nobody kills a server under the kit, so its checks need not find these. */
const delivered: RuleId = "WHE-08";
const recorded: RuleId = "WHL-08";
const sent: RuleId = "MSG-64";

const fault = (id: string, does: string, breaks: RuleId, file: string, find: string, replace: string): Mutant => ({
  ...{ id, does, breaks },
  changes: [{ file, find, replace }],
});

const dealing = "domain/work/deal-places.ts";

/**
 * Faults that lose something when a server is killed, as changes of its source: a soak must find them, and one that
 * starves others. What must happen together, or the other way round, they put apart, most of them for longer than a server lives
 * here, so that nearly every kill meets it, however busy the machine is.
 */
export const plantedFaults: readonly Mutant[] = [
  fault(
    "answered-first",
    "A test event is enqueued after its request was answered.",
    delivered,
    "routes/webhooks.ts",
    "await tx.enqueue(event, { endpointId: endpoint.id });",
    "setTimeout(() => void store.atomically(organizationId, (later) => later.enqueue(event, { endpointId: endpoint.id })), 3_000);",
  ),
  fault(
    "outbox-apart",
    "The change of a key and its event are stored one after the other, not in one transaction.",
    delivered,
    "store/sql-units.ts",
    "const count = organization === null ? 0 : await enqueue(on, event, to, organization);",
    `if (organization !== null && to === "subscribed") {
          const apart = () => void inTransaction(main, (later) => enqueue(later, event, to, organization));
          followUps.push(() => void setTimeout(apart, 3_000));
          return 0;
        }
        const count = organization === null ? 0 : await enqueue(on, event, to, organization);`,
  ),
  fault(
    "settled-first",
    "A delivery counts as made before it is sent.",
    delivered,
    "delivery/make-attempt.ts",
    "forced === null ? await sender.send(request) : answerOf(forced, sender.excerptBytes)",
    `forced === null
    ? (setTimeout(() => void sender.send(request).catch(() => undefined), 300),
      { kind: "answered" as const, status: 200, excerpt: "answered", milliseconds: 1 }) : answerOf(forced, sender.excerptBytes)`,
  ),
  fault(
    "record-apart",
    "The record of an attempt is written after its delivery was settled, not in one transaction.",
    recorded,
    "store/work/due-work.ts",
    "await this.#kinds[kind]?.record(on, ofKind);",
    "setTimeout(() => void this.#kinds[kind]?.record(this.#on, ofKind), 30_000);",
  ),
  fault(
    "endless-lease",
    "What a killed server had in hand is never taken over.",
    delivered,
    "delivery/courier.ts",
    "leaseUntil: now + sender.longest + this.#pace.leaseSlack",
    "leaseUntil: Number.MAX_SAFE_INTEGER",
  ),
  fault(
    "answer-apart",
    "The answer that is kept for retries is stored after what it tells of, not in one transaction.",
    sent,
    "routes/once.ts",
    "await tx.answers.keep(keptAnswer(retry, answer, now, choices), now);",
    `setTimeout(() => void store.atomically(organization.id, (later) =>
        later.answers.keep(keptAnswer(retry, answer, now, choices), now)), 3_000);`,
  ),
  fault(
    "answers-of-all",
    "An answer that is kept for retries is given to every organization that uses its key.",
    sent,
    "store/idempotency/kept-answers.ts",
    'db.selectFrom("kept_answers").select(["fingerprint", "answer", "kept_until"]).where("organization_id", "=", given("organizationId"))',
    'db.selectFrom("kept_answers").select(["fingerprint", "answer", "kept_until"])',
  ),
  fault(
    "charge-apart",
    "A message is charged after it was taken, not in one transaction.",
    sent,
    "routes/messages.ts",
    'await charge(tx, messageEntry("charge", message, now));',
    `setTimeout(() => void store.atomically(caller.organization.id, (later) =>
          charge(later, messageEntry("charge", message, now))), 3_000);`,
  ),
  fault(
    "handed-over-late",
    "A message counts as handed over before the carrier has it.",
    sent,
    "delivery/send-message.ts",
    "const answer = await carrier.handOver(message);",
    `setTimeout(() => void carrier.handOver(message).catch(() => undefined), 3_000);
  const answer = { kind: "taken", reportAfter: 1_000 } as Awaited<ReturnType<typeof carrier.handOver>>;`,
  ),
  {
    id: "unfair-places",
    does: "Organizations get all places that they want.",
    breaks: delivered,
    changes: [
      {
        file: dealing,
        find: "if (work === undefined || least.taken >= left) break;",
        replace: "if (work === undefined) break;",
      },
      { file: dealing, find: "count >= free", replace: "free < 1" },
    ],
  },
];
