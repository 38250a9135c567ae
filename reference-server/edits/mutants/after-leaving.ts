import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Message } from "../../domain/messages/message.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { keepingMessages, working } from "../unit-changes.ts";
import { dataOf, type Wire, type WireRequest } from "../wire.ts";
import { bodyOf } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Gives back what a message cost as if it had never been given back before. */
const giveBackAgain = (tx: UnitOfWork, { id, cost }: Message): Promise<unknown> =>
  tx.ledger.append({ kind: "credit", amount: cost, reference: `again ${id} ${randomUUID()}`, at: 0 });

/** Leaves what waits for numbers that are meant. */
const leavingThose = (isMeant: (phoneNumber: string) => boolean): PortChange =>
  keepingMessages((messages) => ({
    cancelTo: async (phoneNumber) => (isMeant(phoneNumber) ? [] : messages.cancelTo(phoneNumber)),
  }));

/** Cancels all that waits for a recipient who is erased, whoever sends it. */
const cancelingAll: Wire = (serve) => {
  const sent: { readonly to: unknown; readonly cancel: WireRequest }[] = [];
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (request.operation === "sendMessage" && data !== null) {
      const { method, path } = operations.cancelMessage;
      const id = String(data.id);
      const call = { operation: "cancelMessage", method, path: path.replace("{id}", id), parameters: { id } } as const;
      sent.push({ to: Object(bodyOf(request)).to, cancel: { ...request, ...call, bytes: Buffer.alloc(0) } });
    }
    if (request.operation === "eraseContact" && data !== null)
      for (const { to, cancel } of sent) if (to === data.phone_number) await serve(cancel);
    return answer;
  };
};

/** Servers that do wrong by messages whose recipients want nothing more. */
export const afterLeavingMutants: readonly Mutant[] = [
  mutantOf("MSG-90", "sent", "sends what waits for a recipient who has replied STOP", [leavingThose(() => true)]),
  mutantOf("MSG-90", "deferred", "sends what an organization that defers has waiting for who has replied STOP", [
    keepingMessages((messages, { organization }) => ({
      cancelTo: async (phoneNumber) =>
        organization?.quietHours?.mode === "defer" ? [] : messages.cancelTo(phoneNumber),
    })),
  ]),
  mutantOf("CON-40", "sent", "sends what waits for a contact who was erased", [leavingThose(() => true)]),
  mutantOf("CON-40", "canada", "sends what waits for a contact in Canada who was erased", [
    leavingThose((phoneNumber) => phoneNumber.startsWith("+1416")),
  ]),
  mutantOf("CON-40", "others", "cancels one message that waits for a contact who was erased, and sends the others", [
    {
      file: "store/messages/messages.ts",
      symbol: "deleteUnclaimedTo",
      find: `selectFrom("messages").select("id").where("organization_id", "=", given("organizationId")).where("recipient", "=", given("recipient"))`,
      replace: `selectFrom("messages").select("id").where("organization_id", "=", given("organizationId")).where("recipient", "=", given("recipient")).limit(1)`,
    },
  ]),
  wireMutant(
    "CON-25",
    "waiting",
    "cancels what any organization has waiting for a contact who is erased",
    cancelingAll,
  ),
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
