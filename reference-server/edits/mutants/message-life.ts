import { setTimeout } from "node:timers/promises";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import { messageNotFound, notCancelable } from "../../domain/messages/message.ts";
import { asOwner } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { idIn, type Seen, seeing } from "../seen.ts";
import { keepingMessages } from "../unit-changes.ts";
import {
  dataOf,
  isRefusal,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { bodyOf } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** What was done to messages so far, by what clients and the sandbox were answered. */
interface Lives {
  readonly seen: Seen;
  /** Ids in the order of their sends. */
  readonly sent: string[];
  /** Those that were canceled, in the order in which they first were. */
  readonly canceled: Set<string>;
  /** Where the sandbox put a message, one after the other. */
  readonly moves: Map<string, readonly string[]>;
  /** Those that were canceled or moved before the clock of their organization was moved on. */
  readonly old: Set<string>;
}

/** Changes answers by what was done to messages before. */
const recalling = (
  change: (answer: WireAnswer, request: WireRequest, lives: Lives) => WireAnswer,
  ask: (request: WireRequest, lives: Lives) => WireRequest = (request) => request,
): Wire =>
  seeing((seen) => (serve) => {
    const lives: Lives = { seen, sent: [], canceled: new Set(), moves: new Map(), old: new Set() };
    return async (request) => {
      const answer = await serve(ask(request, lives));
      const told = change(answer, request, lives);
      if (answer.status < 300) note(lives, request, answer);
      return told;
    };
  });

function note({ seen, sent, canceled, moves, old }: Lives, request: WireRequest, answer: WireAnswer): void {
  const { id: organization, message_id: moved } = request.parameters;
  switch (request.operation) {
    case "sendMessage":
      sent.push(String(dataOf(answer)?.id));
      return;
    case "cancelMessage":
      canceled.add(idIn(request));
      return;
    case "moveMessage":
      if (moved !== undefined) moves.set(moved, [...(moves.get(moved) ?? []), String(Object(bodyOf(request)).to)]);
      return;
    case "advanceClock":
      if (!(Object(bodyOf(request)).seconds > 0)) return;
      for (const id of [...canceled, ...moves.keys()]) if (seen.owners.get(id) === organization) old.add(id);
      return;
    default:
  }
}

const succeeded = (answer: WireAnswer): WireAnswer => withBody({ ...answer, status: 200 }, { success: true, data: {} });

/** Shows that status of a message that is read. */
const shownAs = (answer: WireAnswer, status: string): WireAnswer => {
  const data = dataOf(answer);
  return data === null ? answer : withData(answer, { ...data, status });
};

/** The same call as a read of the message. */
const asRead = (request: WireRequest): WireRequest => ({
  ...request,
  method: operations.getMessage.method,
  operation: operations.getMessage.id,
});

/** Milliseconds in which another call comes in between. */
const gap = 30;

/** Cancels what was not claimed a moment ago. */
const decidingLate: Wire = (serve) => async (request) => {
  if (request.operation !== "cancelMessage") return serve(request);
  const before = dataOf(await serve(asRead(request)))?.status;
  await setTimeout(gap);
  const answer = await serve(request);
  return before === "scheduled" && isRefusal(answer, "MessageNotCancelable") ? succeeded(answer) : answer;
};

/** Refuses to cancel what somebody is about to cancel. */
const oneAtATime: Wire = (serve) => {
  const busy = new Set<string>();
  return async (request) => {
    if (request.operation !== "cancelMessage") return serve(request);
    const id = idIn(request);
    if (busy.has(id)) return refusedWith(await serve(asRead(request)), notCancelable());
    busy.add(id);
    await setTimeout(gap);
    const answer = await serve(request);
    busy.delete(id);
    return answer;
  };
};

/** How many reads lag behind a cancellation. */
const lagging = 3;

/** Shows for a few reads more what was shown before a cancellation. */
const behind: Wire = (serve) => {
  const last = new Map<string, WireAnswer>();
  const left = new Map<string, number>();
  return async (request) => {
    const answer = await serve(request);
    const id = idIn(request);
    if (answer.status >= 300) return answer;
    if (request.operation === "sendMessage") last.set(String(dataOf(answer)?.id), { ...answer, status: 200 });
    if (request.operation === "cancelMessage" && !left.has(id)) left.set(id, lagging);
    const count = left.get(id) ?? 0;
    if (request.operation !== "getMessage" || count === 0) return answer;
    left.set(id, count - 1);
    return last.get(id) ?? answer;
  };
};

/** Servers that treat a message wrongly for what was done before, to it or to others. */
export const messageLifeMutants: readonly Mutant[] = [
  wireMutant(
    "MSG-39",
    "after-claim",
    "cancels nothing any more once a message of the organization was claimed",
    recalling((answer, request, { seen, moves, canceled }) => {
      const owner = seen.callerOf(request)?.organization;
      const isHeld = [...moves].some(([id, to]) => to.includes("claimed") && seen.owners.get(id) === owner);
      return request.operation === "cancelMessage" && answer.status < 300 && isHeld && !canceled.has(idIn(request))
        ? refusedWith(answer, notCancelable())
        : answer;
    }),
  ),
  wireMutant(
    "MSG-40",
    "overdue",
    "refuses to cancel again once the time of a canceled message has come",
    recalling((answer, request, { old }) =>
      request.operation === "cancelMessage" && answer.status < 300 && old.has(idIn(request))
        ? refusedWith(answer, notCancelable())
        : answer,
    ),
  ),
  wireMutant(
    "MSG-41",
    "released",
    "cancels what was claimed a while ago",
    recalling((answer, request, { old, moves }) =>
      request.operation === "cancelMessage" && old.has(idIn(request)) && moves.get(idIn(request))?.at(-1) === "claimed"
        ? succeeded(answer)
        : answer,
    ),
  ),
  wireMutant(
    "MSG-42",
    "claimed-first",
    "cancels what is over where it was claimed before",
    recalling((answer, request, { moves }) =>
      request.operation === "cancelMessage" && (moves.get(idIn(request))?.length ?? 0) > 1 ? succeeded(answer) : answer,
    ),
  ),
  ...(["MSG-41", "MSG-42"] as const).map((rule) =>
    wireMutant(rule, "sent-at-once", "knows nothing any more of what it sent at once", (serve) => {
      const sent = new Set<string>();
      return async (request) => {
        const answer = await serve(request);
        if (request.operation === "sendMessage" && Object(bodyOf(request)).scheduled_at === undefined)
          sent.add(String(dataOf(answer)?.id));
        return sent.has(idIn(request)) && isRefusal(answer, "MessageNotCancelable")
          ? refusedWith(answer, messageNotFound())
          : answer;
      };
    }),
  ),
  wireMutant(
    "MSG-45",
    "old",
    "shows as failed what was claimed a while ago and is canceled in vain",
    recalling((answer, request, { old, moves, canceled }) => {
      if (request.operation === "cancelMessage" && old.has(idIn(request)) && moves.has(idIn(request)))
        canceled.add(idIn(request));
      return request.operation === "getMessage" && moves.has(idIn(request)) && canceled.has(idIn(request))
        ? shownAs(answer, "failed")
        : answer;
    }),
  ),
  wireMutant(
    "MSG-46",
    "earlier",
    "sends a canceled message when its time comes, if another was canceled after it",
    recalling((answer, request, { old, canceled, moves }) =>
      request.operation === "getMessage" &&
      old.has(idIn(request)) &&
      canceled.has(idIn(request)) &&
      !moves.has(idIn(request)) &&
      [...canceled].at(-1) !== idIn(request)
        ? shownAs(answer, "delivered")
        : answer,
    ),
  ),
  wireMutant("MSG-40", "another-key", "cancels a canceled message again for the key that did so alone", (serve) => {
    const cancelers = new Map<string, string | undefined>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "cancelMessage" || answer.status >= 300) return answer;
      const { authorization } = request.headers;
      const canceler = cancelers.get(idIn(request)) ?? authorization;
      cancelers.set(idIn(request), canceler);
      return canceler === authorization ? answer : refusedWith(answer, refuse.MessageNotCancelable("It is over."));
    };
  }),
  mutantOf("MSG-91", "dispatched", "charges a message once more when its time has come", [
    storing((store) => ({
      dueWork: withMembers(store.dueWork, {
        async settle(settlements) {
          for (const settlement of settlements) {
            if (!("status" in settlement) || settlement.status !== "sent") continue;
            const { organizationId, id, cost, scheduledAt } = settlement.claim.message;
            if (scheduledAt === null) continue;
            const again = { kind: "charge", amount: cost, reference: `dispatch ${id}`, at: scheduledAt } as const;
            await store.atomically(organizationId, (tx) => tx.ledger.append(again));
          }
          return store.dueWork.settle(settlements);
        },
      }),
    })),
  ]),
  mutantOf("MSG-52", "overdue", "gives money back again for a canceled message whose time has come", [
    keepingMessages((messages, tx) => ({
      async find(id) {
        const message = await messages.find(id);
        const now = timeOf(tx.organization?.clock ?? { mode: "real" }, Date.now());
        if (message?.status === "canceled" && message.scheduledAt !== null && message.scheduledAt <= now)
          await tx.ledger.append({ kind: "credit", amount: message.cost, reference: `overdue ${message.id}`, at: now });
        return message;
      },
    })),
  ]),
  wireMutant(
    "MSG-80",
    "vanished",
    "loses the latest message of others where a message is canceled",
    seeing((seen) => {
      const sent: string[] = [];
      const lost = new Set<string>();
      return (serve) => async (request) => {
        const answer = await serve(request);
        const owner = seen.callerOf(request)?.organization;
        if (request.operation === "sendMessage" && answer.status < 300) sent.push(String(dataOf(answer)?.id));
        if (request.operation === "cancelMessage" && answer.status < 300) {
          const latest = sent.findLast((id) => seen.owners.get(id) !== owner);
          if (latest !== undefined) lost.add(latest);
        }
        return request.operation === "getMessage" && lost.has(idIn(request))
          ? refusedWith(answer, messageNotFound())
          : answer;
      };
    }),
  ),
  wireMutant("MSG-81", "late", "cancels what was claimed while it looked", decidingLate),
  wireMutant("MSG-81", "busy", "refuses to cancel what another call is about to cancel", oneAtATime),
  wireMutant("MSG-82", "behind", "shows a canceled message for some reads more as it was before", behind),
  wireMutant(
    "TEN-07",
    "canceled",
    "shows canceled messages to all organizations",
    recalling(
      (answer) => answer,
      (request, { seen, canceled }) =>
        request.operation === "getMessage" && canceled.has(idIn(request)) ? asOwner(seen, request) : request,
    ),
  ),
  wireMutant(
    "TEN-13",
    "revived",
    "has a canceled message wait again where another organization cancels it",
    recalling((answer, request, { seen, canceled, old }) => {
      if (
        request.operation === "cancelMessage" &&
        canceled.has(idIn(request)) &&
        seen.otherOwner(request) !== undefined
      )
        old.add(`revived ${idIn(request)}`);
      return request.operation === "getMessage" && old.has(`revived ${idIn(request)}`)
        ? shownAs(answer, "scheduled")
        : answer;
    }),
  ),
  wireMutant(
    "TEN-13",
    "claimed",
    "finds no message of another organization that is claimed",
    recalling((answer, request, { seen, moves }) =>
      request.operation === "cancelMessage" && moves.has(idIn(request)) && seen.otherOwner(request) !== undefined
        ? refusedWith(answer, refuse.NotFound("There is none."))
        : answer,
    ),
  ),
];
