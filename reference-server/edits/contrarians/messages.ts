import { randomUUIDv7 } from "node:crypto";
import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import { type Message, notCancelable } from "../../domain/messages/message.ts";
import { successBody } from "../../http/envelope.ts";
import type { Contrarian } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { idIn } from "../seen.ts";
import { working } from "../unit-changes.ts";
import {
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refusedWith,
  withBody,
  withData,
} from "../wire.ts";
import { withQuery, withRequestBody } from "../wire-requests.ts";

const shown = ["sendMessage", "getMessage", "cancelMessage"] as const;

/** Shows statuses under other names. */
const naming = (name: (status: string) => string) =>
  shown.map((id) => ({
    wire: onData(id, (data) => (typeof data.status === "string" ? { ...data, status: name(data.status) } : data)),
  }));

/** A message under other names. */
const renamed = { id: "sms.sid", to: "sms.recipient", body: "sms.text", status: "sms.state", scheduled_at: "sms.due" };

/** A value as a lenient reader of JSON takes it. */
function readLeniently(name: string, value: unknown): unknown {
  if (typeof value === "number") {
    if (name === "scheduled_at") return undefined;
    return name === "to" ? `+${value}` : String(value);
  }
  return name === "bypass_quiet_hours" && value === "yes" ? true : value;
}

/** Characters of the longest text that a short-spoken server takes. */
const mostText = 306;

const { reference: taken } = operations.uploadMedia.success;

/** Milliseconds after which the list shows a message. */
const late = 100;

/** Milliseconds after which money moves. */
const bookedAfter = 30;

/** Milliseconds for which a total is told that was counted once. */
const countedEvery = 400;

/** More than any organization sends in that time. */
const mostHidden = 50;

/** An identifier of version 7 begins with the time at which it was made: milliseconds since 1970. */
const madeAt = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

/** Has the list on one page, whatever is asked for. */
const onOnePage = onRequest("listMessages", (request) =>
  withQuery(request, { cursor: undefined, limit: String(bounds.deliveryPageMax) }),
);

/** Servers that answer the questions on messages in other ways. */
export const messageContrarians: readonly Contrarian[] = [
  {
    id: "Q22-cancel",
    does: "says of an id that is none that there is nothing to cancel",
    answers: "Q22",
    changes: [{ wire: inPlaceOf("cancelMessage", "ValidationFailed400", notCancelable()) }],
  },
  {
    id: "Q19-whole",
    does: "lists all messages on one page, and knows neither page sizes nor cursors",
    answers: "Q19",
    changes: [{ wire: onOnePage }],
  },
  {
    id: "Q100-uncanceled",
    does: "leaves canceled messages out of their list, and out of its total",
    answers: "Q100",
    changes: [
      {
        wire: (serve) =>
          onAnswer("listMessages", (answer) => {
            const { data, meta, ...others } = Object(parsed(answer.bytes));
            if (!Array.isArray(data)) return answer;
            const kept = data.filter(({ status }) => status !== "canceled");
            return withBody(answer, { ...others, data: kept, meta: { ...meta, total: kept.length } });
          })(onOnePage(serve)),
      },
    ],
  },
  {
    id: "Q170-oldest",
    does: "lists the oldest messages first",
    answers: "Q170",
    changes: [
      {
        wire: (serve) =>
          onAnswer("listMessages", (answer) => {
            const body = Object(parsed(answer.bytes));
            return Array.isArray(body.data) ? withBody(answer, { ...body, data: body.data.toReversed() }) : answer;
          })(onOnePage(serve)),
      },
    ],
  },
  {
    id: "Q170-late",
    does: "lists a message a tenth of a second after it was sent",
    answers: "Q170",
    changes: [
      { ports: (ports) => ({ ...ports, world: { ...ports.world, newId: randomUUIDv7 } }) },
      storing((store) => ({
        async messages(organizationId, page) {
          const shownUntil = Date.now() - late;
          const isOut = ({ id }: Message): boolean => madeAt(id) < shownUntil;
          const newest = await store.messages(organizationId, { before: null, limit: mostHidden });
          const hidden = newest.messages.filter((message) => !isOut(message)).length;
          const found = await store.messages(organizationId, { ...page, limit: page.limit + mostHidden });
          return { messages: found.messages.filter(isOut).slice(0, page.limit), total: newest.total - hidden };
        },
      })),
    ],
  },
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
        file: "domain/limits/limit-size.ts",
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
  {
    id: "Q5-stale",
    does: "counts the messages of a list now and then, and tells the last total meanwhile",
    answers: "Q5",
    changes: [
      storing((store) => {
        const counted = new Map<string, { readonly total: number; readonly until: number }>();
        return {
          async messages(organizationId, page) {
            const found = await store.messages(organizationId, page);
            const last = counted.get(organizationId);
            if (last !== undefined && Date.now() < last.until) return { ...found, total: last.total };
            counted.set(organizationId, { total: found.total, until: Date.now() + countedEvery });
            return found;
          },
        };
      }),
    ],
  },
  {
    id: "Q138-null",
    does: "shows nothing of a message that is canceled",
    answers: "Q138",
    changes: [{ wire: onAnswer("cancelMessage", (answer) => (answer.status < 300 ? withData(answer, null) : answer)) }],
  },
  {
    id: "Q138-later",
    does: "shows that a message is canceled a moment later",
    answers: "Q138",
    changes: [
      {
        wire: (serve) => {
          const shown = new Map<string, unknown>();
          const canceled = new Map<string, boolean>();
          return async (request) => {
            const answer = await serve(request);
            const id = idIn(request);
            if (request.operation === "cancelMessage" && answer.status < 300 && !canceled.has(id))
              canceled.set(id, true);
            const data = request.operation === "getMessage" ? dataOf(answer) : null;
            if (data === null) return answer;
            if (canceled.get(id) === true && shown.has(id)) {
              canceled.set(id, false);
              return withData(answer, { ...data, status: shown.get(id) });
            }
            shown.set(id, data.status);
            return answer;
          };
        },
      },
    ],
  },
  {
    id: "Q138-interim",
    does: "calls a message that is canceled by another name at first",
    answers: "Q138",
    changes: [
      {
        wire: (serve) => {
          const canceled = new Set<string>();
          const settled = new Set<string>();
          return async (request) => {
            const answer = await serve(request);
            const id = idIn(request);
            if (request.operation === "cancelMessage" && answer.status < 300 && !settled.has(id)) canceled.add(id);
            const data = request.operation === "getMessage" ? dataOf(answer) : null;
            if (data === null || !canceled.has(id)) return answer;
            canceled.delete(id);
            settled.add(id);
            return withData(answer, { ...data, status: "canceling" });
          };
        },
      },
    ],
  },
  {
    id: "Q138-empty",
    does: "shows an empty object for a message that is canceled",
    answers: "Q138",
    changes: [{ wire: onData("cancelMessage", () => ({})) }],
  },
  {
    id: "Q99-shape",
    does: "takes and shows messages under other names",
    answers: "Q99",
    shapes: {
      sendMessage: { request: { to: "sms.recipient", body: "sms.text" }, response: renamed },
      getMessage: { request: {}, response: renamed },
    },
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const body = parsed(request.bytes);
          if (typeof body !== "object" || body === null || !("sms" in body)) return request;
          const { sms, ...others } = body;
          const { recipient: to, text } = Object(sms);
          return withRequestBody(request, { ...others, to, body: text });
        }),
      },
      ...(["sendMessage", "getMessage"] as const).map((id) => ({
        wire: onAnswer(id, (answer) => {
          const data = dataOf(answer);
          if (data === null) return answer;
          const { id: sid, to: recipient, body: text, status: state, scheduled_at: due } = data;
          return withData(answer, { sms: { sid, recipient, text, state, due } });
        }),
      })),
    ],
  },
  {
    id: "Q137-short",
    does: "takes texts of two segments and no longer ones",
    answers: "Q137",
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const sent = parsed(request.bytes);
          const { body } = Object(sent);
          const isTaken = typeof body !== "string" || body.length <= mostText;
          return isTaken ? request : withRequestBody(request, { ...Object(sent), body: "" });
        }),
      },
    ],
  },
  {
    id: "Q89-forbidden",
    does: "forbids a send that the wallet does not cover",
    answers: "Q89",
    changes: [{ wire: inPlaceOf("sendMessage", "InsufficientCredit", refuse.Forbidden("The wallet is empty.")) }],
  },
  {
    id: "Q51-refunds",
    does: "counts as spent what it gave back",
    answers: "Q51",
    changes: [
      {
        file: "domain/wallet/wallet.ts",
        symbol: "walletAfter",
        find: 'kind === "refund" ? -amount : 0',
        replace: "0",
      },
    ],
  },
  {
    id: "Q171-taken",
    does: "takes uploads, and answers with a record of what it keeps",
    answers: "Q171",
    changes: [
      {
        wire: onAnswer("uploadMedia", (answer) => {
          if (!isRefusal(answer, "MmsDisabled")) return answer;
          const data = { id: randomUUIDv7(), media_type: "image/gif" };
          return { ...withBody(answer, successBody(data)), status: taken };
        }),
      },
    ],
  },
];
