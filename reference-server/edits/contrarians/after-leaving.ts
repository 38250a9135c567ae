import type { Contrarian } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { type Ports, withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";

/** Who wants nothing more, by organization and number. */
const placeOf = (organizationId: string | undefined, phoneNumber: string): string => `${organizationId} ${phoneNumber}`;

/** Fails what is due for who wants nothing more, and leaves it alone until then. */
function holdingBack(ports: Ports): Ports {
  const gone = new Set<string>();
  const noting = working(() => (tx) => ({
    messages: withMembers(tx.messages, {
      async cancelTo(phoneNumber) {
        gone.add(placeOf(tx.organization?.id, phoneNumber));
        return [];
      },
    }),
    consents: withMembers(tx.consents, {
      async put(consent) {
        await tx.consents.put(consent);
        if (consent.state === "opted-in") gone.delete(placeOf(consent.organizationId, consent.phoneNumber));
      },
    }),
  }));
  const failing = storing(({ dueWork }) => ({
    dueWork: withMembers(dueWork, {
      settle: (settlements) =>
        dueWork.settle(
          settlements.map((settlement) =>
            settlement.claim.kind === "send" &&
            gone.has(placeOf(settlement.claim.organizationId, settlement.claim.message.to))
              ? { claim: settlement.claim, status: "failed", nextDueAt: null }
              : settlement,
          ),
        ),
    }),
  }));
  return failing.ports(noting.ports(ports));
}

/** Servers that do otherwise with messages that wait when their recipient opts out, or is erased. */
export const afterLeavingContrarians: readonly Contrarian[] = [
  {
    id: "Q210-held",
    does: "holds back what waits for who has opted out when its time comes",
    answers: "Q210",
    changes: [{ ports: holdingBack }],
  },
  {
    id: "Q210-kept",
    does: "gives nothing back for what it cancels when a recipient opts out",
    answers: "Q210",
    changes: [
      working(() => (tx) => {
        const canceled = new Set<string>();
        return {
          messages: withMembers(tx.messages, {
            async cancelTo(phoneNumber) {
              const messages = await tx.messages.cancelTo(phoneNumber);
              for (const { id } of messages) canceled.add(`message ${id}`);
              return messages;
            },
          }),
          ledger: withMembers(tx.ledger, {
            append: (entry) => (canceled.has(entry.reference) ? tx.ledger.wallet() : tx.ledger.append(entry)),
          }),
        };
      }),
    ],
  },
];
