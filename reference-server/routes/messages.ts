import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import { bounds } from "../../generated/limits.ts";
import type * as wire from "../../generated/models/messages.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import type { MessagesHandlers } from "../../generated/server/messages.ts";
import { timestamp } from "../domain/clock.ts";
import { feedCursor } from "../domain/deliveries/feed-cursor.ts";
import { millisecondFrom } from "../domain/instant.ts";
import { passGates } from "../domain/messages/gates.ts";
import {
  costOf,
  isUnclaimed,
  type Message,
  messageEntry,
  messageNotFound,
  newMessage,
  notCancelable,
  refuseSchedule,
  type Send,
} from "../domain/messages/message.ts";
import { type Caller, callerTime, holds } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { newCharge } from "./charge.ts";
import { once } from "./once.ts";
import { pageCursors } from "./page-cursors.ts";

export interface MessagesParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function messagesHandlers({ store, world, choices }: MessagesParts): MessagesHandlers<Caller> {
  const precision = choices.timestampPrecision;
  const cursors = pageCursors({ store, world, choices }, feedCursor);
  return {
    async sendMessage({ body }, caller) {
      const now = callerTime(caller, world.now());
      const wanted = sendOf(body, choices);
      const badTime = refuseSchedule(wanted.scheduledAt, now, choices);
      if (badTime !== null) return badTime;
      const id = world.newId();
      const charge = newCharge(world, choices);
      return once({ store, now, choices }, caller, async (tx) => {
        const send = passGates(wanted, {
          holds: (scope) => holds(caller, scope),
          consent: await tx.consents.of(wanted.to),
          lookup: await tx.lookups.latest(wanted.to),
          quietHours: tx.organization?.quietHours ?? null,
          wallet: await tx.ledger.wallet(),
          now,
        });
        if (send instanceof Refusal) return send;
        const message = newMessage(send, { id, organizationId: caller.organization.id, now });
        await charge(tx, messageEntry("charge", message, now));
        await tx.messages.insert(message);
        return wireMessage(message, precision);
      });
    },

    // Nobody who could carry pictures stands behind this server.
    async uploadMedia() {
      return refuse.MmsDisabled("Multimedia messages are not available.");
    },

    async listMessages({ query }, caller) {
      const { limit = bounds.deliveryPageDefault } = query;
      if (limit > bounds.deliveryPageMax)
        return refuseFields([{ pointer: "/limit", says: `must be at most ${bounds.deliveryPageMax}` }], choices);
      const { id: organizationId } = caller.organization;
      const scope = { organizationId, filters: { list: "messages" } };
      const from = await cursors.read(query.cursor, scope);
      if (from instanceof Refusal) return from;
      const before = from === null ? null : { createdAt: from.occurredAt, id: from.id };
      // One more tells whether there is a further page.
      const found = await store.messages(organizationId, { before, limit: limit + 1 });
      const messages = found.messages.slice(0, limit);
      const offset = from?.offset ?? 0;
      const last = found.messages.length > limit ? messages.at(-1) : undefined;
      const next = last ? { occurredAt: last.createdAt, id: last.id, offset: offset + messages.length } : null;
      const nextCursor = await cursors.write(next, scope);
      return {
        data: messages.map((message) => wireMessage(message, precision)),
        meta: { total: found.total, limit, offset, ...nextCursor },
      };
    },

    async getMessage({ path }, caller) {
      const message = await store.message(caller.organization.id, path.id);
      return message === null ? messageNotFound() : wireMessage(message, precision);
    },

    async cancelMessage({ path }, caller) {
      const now = callerTime(caller, world.now());
      return store.atomically(caller.organization.id, async (tx) => {
        const message = await tx.messages.find(path.id);
        if (message?.status === "canceled") return wireMessage(message, precision);
        if (message === null || !isUnclaimed(message)) return notCancelable();
        // It may have been claimed since it was read: who takes its work away is who has it.
        if (!(await tx.messages.withdraw(message.id, "unclaimed"))) return notCancelable();
        const canceled: Message = { ...message, status: "canceled" };
        await tx.messages.update(canceled);
        await tx.ledger.append(messageEntry("refund", message, now));
        return wireMessage(canceled, precision);
      });
    },
  };
}

const sendOf = (
  { to, body, scheduled_at, bypass_quiet_hours }: wire.SendMessageRequest,
  choices: Pick<Choices, "segmentPriceMicros">,
): Send => ({
  to,
  body,
  scheduledAt: scheduled_at === undefined ? null : millisecondFrom(scheduled_at),
  bypassesQuietHours: bypass_quiet_hours === true,
  cost: costOf(body, choices),
});

const wireMessage = (message: Message, precision: Choices["timestampPrecision"]): wire.Message => ({
  id: message.id,
  to: message.to,
  body: message.body,
  status: message.status,
  scheduled_at: message.scheduledAt === null ? null : timestamp(message.scheduledAt, precision),
  created_at: timestamp(message.createdAt, precision),
});
