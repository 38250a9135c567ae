import { randomUUID } from "node:crypto";
import type { Message } from "../../domain/messages/message.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { keepingMessages, working } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Gives back what a message cost as if it had never been given back before. */
const giveBackAgain = (tx: UnitOfWork, { id, cost }: Message): Promise<unknown> =>
  tx.ledger.append({ kind: "credit", amount: cost, reference: `again ${id} ${randomUUID()}`, at: 0 });

/** Leaves what waits for numbers that are meant. */
const leavingThose = (isMeant: (phoneNumber: string) => boolean): PortChange =>
  keepingMessages((messages) => ({
    cancelTo: async (phoneNumber) => (isMeant(phoneNumber) ? [] : messages.cancelTo(phoneNumber)),
  }));

/** Servers that do wrong by messages whose recipients want nothing more. */
export const afterLeavingMutants: readonly Mutant[] = [
  mutantOf("MSG-90", "sent", "sends what waits for a recipient who has replied STOP", [leavingThose(() => true)]),
  mutantOf("CON-40", "sent", "sends what waits for a contact who was erased", [leavingThose(() => true)]),
  mutantOf("CON-40", "canada", "sends what waits for a contact in Canada who was erased", [
    leavingThose((phoneNumber) => phoneNumber.startsWith("+1416")),
  ]),
  mutantOf("MSG-52", "opt-out", "gives money back again for a message that an opt-out canceled, when it is cancelled", [
    working(() => {
      const canceled = new Set<string>();
      return (tx) => ({
        messages: withMembers(tx.messages, {
          async cancelTo(phoneNumber) {
            const messages = await tx.messages.cancelTo(phoneNumber);
            for (const { id } of messages) canceled.add(id);
            return messages;
          },
          async find(id) {
            const message = await tx.messages.find(id);
            if (message !== null && canceled.has(id)) await giveBackAgain(tx, message);
            return message;
          },
        }),
      });
    }),
  ]),
  mutantOf("MSG-52", "canceled", "gives money back again for canceled messages when their recipient opts out", [
    working(() => {
      const canceled = new Map<string, string>();
      return (tx) => ({
        messages: withMembers(tx.messages, {
          async update(message) {
            await tx.messages.update(message);
            const found = await tx.messages.find(message.id);
            if (found !== null && message.status === "canceled") canceled.set(found.to, found.id);
          },
          async cancelTo(phoneNumber) {
            const earlier = await tx.messages.find(canceled.get(phoneNumber) ?? "");
            if (earlier !== null) await giveBackAgain(tx, earlier);
            return tx.messages.cancelTo(phoneNumber);
          },
        }),
      });
    }),
  ]),
];
