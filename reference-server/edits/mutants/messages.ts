import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { timeOf } from "../../domain/clock.ts";
import { notCancelable } from "../../domain/messages/message.ts";
import type { Lookups, UnitOfWork } from "../../store/unit-of-work.ts";
import { forAnyone, refusingOthers, secretlyForAnyone } from "../as-owner.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { bookingAgainByClock } from "../later-entries.ts";
import { servingLater } from "../later-requests.ts";
import { withMembers } from "../ports.ts";
import { idIn } from "../seen.ts";
import { keepingMessages, working } from "../unit-changes.ts";
import {
  addingDetails,
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refusedWith,
  type Wire,
  type WireRequest,
  withBody,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { admitting } from "./admitting.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Shows a canceled message as sent, a number of milliseconds after its scheduled time. */
const sendingCanceled = (afterMs: number): PortChange => ({
  ports(ports) {
    const { store, world } = ports;
    return {
      ...ports,
      store: withMembers(store, {
        async message(organizationId, id) {
          const message = await store.message(organizationId, id);
          const organization = await store.organization(organizationId);
          if (message?.status !== "canceled" || organization === null) return message;
          const isDue = timeOf(organization.clock, world.now()) >= (message.scheduledAt ?? 0) + afterMs;
          return isDue ? { ...message, status: "sent" } : message;
        },
      }),
    };
  },
});

/** Changes which lookup of a number is the latest. */
const finding = (
  change: (
    found: Awaited<ReturnType<Lookups["latest"]>>,
    number: string,
    tx: UnitOfWork,
  ) => typeof found | Promise<typeof found>,
): PortChange =>
  working(() => (tx) => ({
    lookups: withMembers(tx.lookups, {
      latest: async (number) => change(await tx.lookups.latest(number), number, tx),
    }),
  }));

/** Takes a little money for nothing. */
const fee = (tx: UnitOfWork) =>
  tx.ledger.append({ kind: "charge", amount: 1, reference: `fee ${randomUUID()}`, at: 0 });

/** Blocks lines of another kind, too. */
const blockingToo = (lineType: string): PortChange =>
  finding((found) => (found?.lineType === lineType ? { ...found, lineType: constants.fixedLine } : found));

const isOver = (status: string): boolean => status === "delivered";
const isClaimed = (status: string): boolean => status === "sending";

/** Has messages canceled that have come that far. */
const cancelling = (isMeant: (status: string) => boolean): PortChange =>
  keepingMessages((messages) => ({
    async find(id) {
      const message = await messages.find(id);
      return message !== null && isMeant(message.status) ? { ...message, status: "scheduled" } : message;
    },
    withdraw: async (id, from) => (await messages.withdraw(id, from)) || from === "unclaimed",
  }));

/** Does something to a message that is found on the way to its cancellation. */
const whenFound = (
  isMeant: (status: string) => boolean,
  does: (id: string, tx: UnitOfWork) => Promise<unknown>,
): PortChange =>
  keepingMessages((messages, tx) => ({
    async find(id) {
      const message = await messages.find(id);
      if (message !== null && isMeant(message.status)) await does(id, tx);
      return message;
    },
  }));

/** Changes the cancellations of one message from the `nth` on, 1 being the first. */
const fromCancellation =
  (nth: number, change: Parameters<typeof onAnswer>[1]): Wire =>
  (serve) => {
    const counts = new Map<string, number>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "cancelMessage" || answer.status >= 300) return answer;
      const count = (counts.get(idIn(request)) ?? 0) + 1;
      counts.set(idIn(request), count);
      return count >= nth ? change(answer, request) : answer;
    };
  };

/** Changes the details of a blocked send. */
const blockedAs = (change: (details: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): Wire =>
  onAnswer("sendMessage", (answer) => {
    if (!isRefusal(answer, "LineTypeBlocked")) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, error: { ...error, details: change(error.details) } });
  });

/** Changes the bodies of sends. */
const sentAs = (change: (body: Readonly<Record<string, unknown>>) => object): Wire =>
  onRequest("sendMessage", (request) => {
    const body = bodyOf(request);
    return typeof body === "object" && body !== null ? withRequestBody(request, change({ ...body })) : request;
  });

/** Servers that send, show or cancel messages in a wrong way. */
export const messageMutants: readonly Mutant[] = [
  wireMutant(
    "MSG-01",
    "now",
    "takes no message for later",
    onAnswer("sendMessage", (answer, request) =>
      Object(bodyOf(request)).scheduled_at === undefined || answer.status >= 300
        ? answer
        : refusedWith(answer, refuse.ValidationFailed("Not later.", { scheduled_at: "is not for later" })),
    ),
  ),
  wireMutant(
    "MSG-01",
    "nameless",
    "gives a message no id",
    onData("sendMessage", ({ id: _, ...data }) => data),
  ),
  wireMutant(
    "MSG-03",
    "empty",
    "takes a message without a body",
    sentAs((body) => ({ body: "Nothing.", ...body })),
  ),
  wireMutant(
    "MSG-03",
    "lenient",
    "sends what is scheduled for no time at all",
    sentAs(({ scheduled_at, ...body }) =>
      Number.isNaN(Date.parse(String(scheduled_at))) ? body : { ...body, scheduled_at },
    ),
  ),
  wireMutant(
    "MSG-03",
    "unnamed",
    "does not say which member is wrong",
    inPlaceOf("sendMessage", "ValidationFailed", refuse.ValidationFailed("Wrong.", { request: "is wrong" })),
  ),
  wireMutant(
    "MSG-02",
    "anybody",
    "sends for whoever has a key",
    admitting("sendMessage", () => true),
  ),
  mutantOf("MSG-23", "off", "blocks no line until somebody wants it", [finding(() => null)]),
  wireMutant(
    "MSG-14",
    "timeless",
    "does not say when the line was looked up",
    blockedAs(({ looked_up_at: _, ...details }) => details),
  ),
  wireMutant(
    "MSG-14",
    "nameless",
    "does not say which lookup found the line",
    blockedAs(({ lookup_id: _, ...details }) => details),
  ),
  wireMutant(
    "MSG-35",
    "by-day",
    "overlooks a bypass of who may not where it bypasses nothing",
    (serve) => async (request) => {
      const answer = await serve(request);
      if (request.operation !== "sendMessage" || !isRefusal(answer, "QuietHoursBypassForbidden")) return answer;
      const plain = await serve(withRequestBody(request, { ...Object(bodyOf(request)), bypass_quiet_hours: false }));
      return plain.status < 300 ? plain : answer;
    },
  ),
  mutantOf("MSG-13", "sent", "sends to fixed lines", [finding(() => null)]),
  wireMutant(
    "MSG-15",
    "stranger",
    "names another lookup",
    blockedAs((details) => ({ ...details, lookup_id: randomUUID() })),
  ),
  wireMutant(
    "MSG-15",
    "national",
    "names the recipient without its calling code",
    blockedAs((details) => ({ ...details, phone_number: (details.phone_number ?? "").slice(2) })),
  ),
  wireMutant(
    "MSG-15",
    "timeless",
    "tells no time",
    blockedAs((details) => ({ ...details, looked_up_at: "lately" })),
  ),
  mutantOf("MSG-16", "fee", "charges a little for what is blocked", [
    finding(async (found, _number, tx) => {
      if (found?.lineType === constants.fixedLine) await fee(tx);
      return found;
    }),
  ]),
  mutantOf("MSG-18", "voip", "blocks lines over the internet", [blockingToo(constants.voipLine)]),
  mutantOf("MSG-19", "voip-fixed", "blocks fixed lines over the internet", [blockingToo(constants.voipFixedLine)]),
  mutantOf("MSG-17", "mobile", "blocks mobile lines", [blockingToo(constants.mobileLine)]),
  mutantOf("MSG-20", "unknown", "blocks whoever was never looked up", [
    finding(
      (found, phoneNumber) =>
        found ?? {
          id: randomUUID(),
          organizationId: randomUUID(),
          phoneNumber,
          lineType: constants.fixedLine,
          lookedUpAt: 0,
        },
    ),
  ]),
  wireMutant("MSG-22", "lifted", "forgets about a line whose lookup fails", (serve) => {
    const failed = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === "createLookup" && isRefusal(answer, "LookupFailed"))
        failed.add(Object(bodyOf(request)).phone_number);
      const isLifted = request.operation === "sendMessage" && failed.has(Object(bodyOf(request)).to);
      return isLifted && isRefusal(answer, "LineTypeBlocked")
        ? withBody({ ...answer, status: 202 }, { success: true, data: exampleOf(bodyOf(request)) })
        : answer;
    };
  }),
  wireMutant(
    "MSG-34",
    "ignored",
    "ignores the bypass of who may not",
    sentAs(({ bypass_quiet_hours: _, ...body }) => body),
  ),
  wireMutant(
    "MSG-34",
    "forbidden",
    "calls the bypass of who may not a missing permission",
    inPlaceOf("sendMessage", "QuietHoursBypassForbidden", refuse.Forbidden("Not you.")),
  ),
  wireMutant(
    "MSG-34",
    "details",
    "gives details of a bypass",
    addingDetails("sendMessage", "QuietHoursBypassForbidden"),
  ),
  wireMutant(
    "MSG-37",
    "set",
    "takes a bypass that is false for one",
    sentAs((body) => ({ ...body, ...(body.bypass_quiet_hours === false ? { bypass_quiet_hours: true } : {}) })),
  ),
  wireMutant(
    "MSG-39",
    "refused",
    "cancels nothing",
    onAnswer("cancelMessage", (answer) => (answer.status < 300 ? refusedWith(answer, notCancelable()) : answer)),
  ),
  mutantOf("MSG-39", "kept", "says that it cancels and does not", [
    keepingMessages(() => ({ withdraw: async () => true, update: async () => undefined })),
  ]),
  wireMutant(
    "MSG-40",
    "again",
    "refuses to cancel again",
    fromCancellation(2, (answer) => refusedWith(answer, notCancelable())),
  ),
  wireMutant(
    "MSG-40",
    "third",
    "refuses to cancel a third time",
    fromCancellation(3, (answer) => refusedWith(answer, notCancelable())),
  ),
  wireMutant(
    "MSG-40",
    "accepted",
    "answers another cancellation with another status",
    fromCancellation(2, (answer) => ({ ...answer, status: 202 })),
  ),
  mutantOf("MSG-40", "toggled", "schedules a canceled message again", [
    whenFound(
      (status) => status === "canceled",
      (id, tx) => tx.messages.update({ id, status: "scheduled" }),
    ),
  ]),
  mutantOf("MSG-41", "canceled", "cancels what is claimed", [cancelling(isClaimed)]),
  mutantOf("MSG-42", "canceled", "cancels what is over", [cancelling(isOver)]),
  mutantOf("MSG-42", "failed", "cancels what could not be brought to its recipient", [
    cancelling((status) => status === "failed"),
  ]),
  wireMutant(
    "MSG-43",
    "missing",
    "finds no message to cancel",
    inPlaceOf("cancelMessage", "MessageNotCancelable", refuse.NotFound("There is none.")),
  ),
  wireMutant(
    "MSG-44",
    "details",
    "gives details of what cannot be canceled",
    addingDetails("cancelMessage", "MessageNotCancelable"),
  ),
  mutantOf("MSG-45", "failed", "gives up what it refuses to cancel", [
    whenFound(isClaimed, (id, tx) => tx.messages.update({ id, status: "failed" })),
  ]),
  mutantOf("MSG-45", "fee", "charges for a cancellation that it refuses", [whenFound(isOver, (_id, tx) => fee(tx))]),
  mutantOf("MSG-46", "sent", "sends what was canceled when its time comes", [
    keepingMessages((messages) => ({
      withdraw: async (id, from) => from === "unclaimed" || messages.withdraw(id, from),
    })),
  ]),
  wireMutant(
    "MSG-47",
    "missing",
    "finds nothing under an id that is none",
    inPlaceOf("getMessage", "ValidationFailed400", refuse.NotFound("There is none.")),
  ),
  wireMutant(
    "MSG-48",
    "forbidden",
    "forbids to read what is not there",
    inPlaceOf("getMessage", "NotFound", refuse.Forbidden("Not yours.")),
  ),
  wireMutant(
    "AUTH-01",
    "upload",
    "tells nobody in particular that no upload is taken",
    onAnswer("uploadMedia", (answer) => refusedWith(answer, refuse.MmsDisabled("Not at present."))),
  ),
  wireMutant(
    "MSG-50",
    "details",
    "gives details of why no upload is taken",
    addingDetails("uploadMedia", "MmsDisabled"),
  ),
  wireMutant(
    "MSG-50",
    "failed",
    "says of an upload that the server failed",
    onAnswer("uploadMedia", (answer) =>
      isRefusal(answer, "MmsDisabled")
        ? { ...refusedWith(answer, refuse.InternalError("Something went wrong.")), status: answer.status }
        : answer,
    ),
  ),
  wireMutant(
    "ENV-27",
    "own-property",
    "shows in a property of its own when a message was accepted, without an offset",
    onData("getMessage", (data) => ({ ...data, accepted_at: String(data.created_at).replace("Z", "") })),
  ),
  wireMutant(
    "MSG-51",
    "loud",
    "shows the body in capitals",
    onData("getMessage", (data) => ({ ...data, body: String(data.body).toUpperCase() })),
  ),
  wireMutant(
    "MSG-51",
    "national",
    "shows the recipient without its calling code",
    onData("getMessage", (data) => ({ ...data, to: String(data.to).slice(2) })),
  ),
  wireMutant("MSG-51", "first", "shows the first message whichever is asked for", (serve) => {
    let first: object | null = null;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "getMessage") return answer;
      first ??= dataOf(answer);
      return first === null || answer.status >= 300 ? answer : withBody(answer, { success: true, data: first });
    };
  }),
  mutantOf("MSG-52", "each", "gives money back for each cancellation", [
    keepingMessages((messages, tx) => ({
      async find(id) {
        const message = await messages.find(id);
        if (message?.status === "canceled")
          await tx.ledger.append({ kind: "credit", amount: message.cost, reference: `again ${randomUUID()}`, at: 0 });
        return message;
      },
    })),
  ]),
  wireMutant(
    "MSG-53",
    "missing",
    "finds nothing to cancel under an id that is none",
    inPlaceOf("cancelMessage", "ValidationFailed400", refuse.NotFound("There is none.")),
  ),
  wireMutant("TEN-07", "shown", "shows messages of all organizations", forAnyone("getMessage")),
  wireMutant("TEN-13", "canceled", "cancels messages of all organizations", forAnyone("cancelMessage")),
  wireMutant(
    "TEN-13",
    "secretly",
    "cancels messages of all organizations and says that it does not",
    secretlyForAnyone("cancelMessage", notCancelable()),
  ),
  wireMutant(
    "TEN-13",
    "missing",
    "finds no message of another organization",
    refusingOthers("cancelMessage", refuse.NotFound("There is none.")),
  ),
  mutantOf("MSG-46", "next-day", "sends a canceled message a day after its time", [sendingCanceled(25 * 3_600_000)]),
  wireMutant(
    "MSG-46",
    "charged-next-day",
    "sends and charges the text of a canceled message two days later",
    (serve) => {
      const sent = new Map<string, WireRequest>();
      const noting: Wire = (next) => async (request) => {
        const answer = await next(request);
        const id = request.operation === "sendMessage" ? dataOf(answer)?.id : undefined;
        const { scheduled_at: _, ...body } = Object(bodyOf(request));
        if (typeof id === "string") sent.set(id, withRequestBody(request, body));
        return answer;
      };
      return noting(
        servingLater((answer, request) => {
          const original =
            request.operation === "cancelMessage" && answer.status < 300 ? sent.get(idIn(request)) : undefined;
          return original === undefined ? null : { request: original, afterSeconds: 40 * 3600 };
        })(serve),
      );
    },
  ),
  mutantOf("MSG-52", "next-day", "refunds a canceled message again a day later", [
    bookingAgainByClock(
      ({ kind, reference, amount }) =>
        kind === "refund" && reference.startsWith("message") ? { kind: "credit", amount } : null,
      86_400_000,
    ),
  ]),
  wireMutant(
    "MSG-91",
    "next-day",
    "sends and charges a scheduled message again a day after its time",
    servingLater((answer, request) => {
      const { scheduled_at: scheduledAt, ...body } = Object(bodyOf(request));
      const isScheduled = request.operation === "sendMessage" && answer.status < 300 && scheduledAt !== undefined;
      return isScheduled ? { request: withRequestBody(request, body), afterSeconds: 40 * 3600 } : null;
    }),
  ),
];

/** What the answer to a send could show. */
const exampleOf = (body: unknown) => {
  const { to, body: text, scheduled_at = null } = Object(body);
  return { id: randomUUID(), to, body: text, status: "scheduled", scheduled_at, created_at: new Date().toISOString() };
};
