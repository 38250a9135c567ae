import { refuse } from "../../../generated/error-rows.ts";
import { timeOf } from "../../domain/clock.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import type { Contrarian } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, onAnswer, onData, onRequest, parsed, refusedWith } from "../wire.ts";
import { normalizingRecipient, withRequestBody } from "../wire-requests.ts";

const shown = ["sendMessage", "getMessage", "cancelMessage"] as const;

/** Shows statuses under other names. */
const naming = (name: (status: string) => string) =>
  shown.map((id) => ({
    wire: onData(id, (data) => (typeof data.status === "string" ? { ...data, status: name(data.status) } : data)),
  }));

/** A value as a lenient reader of JSON takes it. */
function readLeniently(name: string, value: unknown): unknown {
  if (typeof value === "number") {
    if (name === "scheduled_at") return undefined;
    return name === "to" ? `+${value}` : String(value);
  }
  return name === "bypass_quiet_hours" && value === "yes" ? true : value;
}

/** Milliseconds after which money moves. */
const bookedAfter = 30;

/** Servers that answer the questions on sends, their gates, limits and charges in other ways. */
export const messageSendContrarians: readonly Contrarian[] = [
  {
    id: "Q88-backwards",
    does: "has a send pass its gates in the other order",
    answers: "Q88",
    changes: [
      {
        file: "domain/messages/gates.ts",
        find: "[bypass, consent, lineType, quiet, credit]",
        replace: "[credit, quiet, lineType, consent, bypass]",
      },
    ],
  },
  {
    id: "Q99-lenient",
    does: "reads numbers for texts, and words for what is true",
    answers: "Q99",
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const body = parsed(request.bytes);
          if (typeof body !== "object" || body === null || Array.isArray(body)) return request;
          const read = Object.entries(body).map(([name, value]) => [name, readLeniently(name, value)]);
          return withRequestBody(request, Object.fromEntries(read));
        }),
      },
    ],
  },
  {
    id: "Q136-consent",
    does: "misses the consent of who is no recipient",
    answers: "Q136",
    // Where that one cannot read a body that is read all the same, nobody is named as the recipient.
    excludes: ["Q99-shape"],
    changes: [
      {
        wire: onAnswer("sendMessage", (answer) => {
          const { details } = Object(Object(parsed(answer.bytes)).error);
          return isRefusal(answer, "ValidationFailed") && Object.hasOwn(Object(details), "to")
            ? refusedWith(answer, refuse.ConsentRequired("The recipient has not opted in."))
            : answer;
        }),
      },
    ],
  },
  {
    id: "Q136-spelled",
    does: "reads numbers with blanks, dashes or brackets",
    answers: "Q136",
    changes: [{ wire: normalizingRecipient() }],
  },
  {
    id: "Q101-everybodys",
    does: "blocks by the lookups of all organizations",
    answers: "Q101",
    changes: [
      working(() => {
        const latest = new Map<string, Lookup>();
        return (tx) => ({
          lookups: withMembers(tx.lookups, {
            async insert(lookup) {
              await tx.lookups.insert(lookup);
              latest.set(lookup.phoneNumber, lookup);
            },
            latest: async (phoneNumber) => latest.get(phoneNumber) ?? tx.lookups.latest(phoneNumber),
          }),
        });
      }),
    ],
  },
  {
    id: "Q101-some-time",
    does: "forgets what a lookup said after an hour",
    answers: "Q101",
    changes: [
      working(({ world }) => (tx) => ({
        lookups: withMembers(tx.lookups, {
          async latest(phoneNumber) {
            const latest = await tx.lookups.latest(phoneNumber);
            if (latest === null || tx.organization === null) return latest;
            return latest.lookedUpAt < timeOf(tx.organization.clock, world.now()) - 3_600_000 ? null : latest;
          },
        }),
      })),
    ],
  },
  {
    id: "Q50-lower",
    does: "has an organization stay on the lower tier at a threshold",
    answers: "Q50",
    changes: [
      {
        file: "domain/tiers/limit-size.ts",
        find: "fromCents * microsInCent <= spend",
        replace: "fromCents * microsInCent < spend",
      },
    ],
  },
  {
    id: "Q50-later",
    does: "has a tier follow what was spent one look later",
    answers: "Q50",
    changes: [
      working(() => {
        const seen = new Map<string | undefined, number>();
        return (tx) => ({
          ledger: withMembers(tx.ledger, {
            async wallet() {
              const wallet = await tx.ledger.wallet();
              const id = tx.organization?.id;
              const spend = seen.get(id) ?? wallet.spend;
              seen.set(id, wallet.spend);
              return { ...wallet, spend };
            },
          }),
        });
      }),
    ],
  },
  {
    id: "Q95-created",
    does: "answers that a message was created, where it is not for later",
    answers: "Q95",
    changes: [
      {
        wire: onAnswer("sendMessage", (answer) =>
          answer.status < 300 && dataOf(answer)?.scheduled_at === null ? { ...answer, status: 201 } : answer,
        ),
      },
    ],
  },
  {
    id: "Q96-names",
    does: "has other names for what becomes of messages",
    answers: "Q96",
    changes: naming(
      (status) => ({ scheduled: "accepted", queued: "accepted", canceled: "withdrawn" })[status] ?? "under way",
    ),
  },
  {
    id: "Q97-kept",
    does: "gives nothing back for a message that is canceled",
    answers: "Q97",
    changes: [
      working(() => (tx) => ({
        ledger: withMembers(tx.ledger, {
          append: (entry) =>
            entry.kind === "refund" && entry.reference.startsWith("message")
              ? tx.ledger.wallet()
              : tx.ledger.append(entry),
        }),
      })),
    ],
  },
  {
    id: "Q97-later",
    does: "charges for a message, and gives it back, a while after the answer",
    answers: "Q97",
    changes: [
      working(({ store }) => (tx) => ({
        ledger: withMembers(tx.ledger, {
          append(entry) {
            const id = tx.organization?.id;
            if (id === undefined || !entry.reference.startsWith("message")) return tx.ledger.append(entry);
            const booking = setTimeout(() => {
              // The organization may be gone by then, and the server too.
              store.atomically(id, (later) => later.ledger.append(entry)).catch(() => undefined);
            }, bookedAfter);
            booking.unref();
            return tx.ledger.wallet();
          },
        }),
      })),
    ],
  },
];
