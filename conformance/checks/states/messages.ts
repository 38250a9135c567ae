import { randomUUID } from "node:crypto";
import { movedMessage } from "../../arrangements/moved-message.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Credential } from "../../provision/tenant.ts";
import { callCancel, settledStatus, statusOnce, takeLater } from "../../steps/message.ts";
import { walked } from "./walked.ts";

/** A message that is canceled, or is claimed and comes to its end. */
export const messageStates = walked({
  entity: "message",
  title: "A message can be canceled until it is claimed, and then again and again",
  needs: ["manual-clock", "message-move"],
  effects: ["creates", "spends"],
  starts: [
    { state: "unclaimed", facts: {} },
    { state: "none", facts: {} },
  ],
  async begin(t, { state }) {
    const as = await (await t.otherTenant({ clock: "manual" })).main();
    return { as, id: state === "none" ? randomUUID() : (await takeLater(t, as)).id };
  },
  calls: { cancelMessage: (t, { as, id }) => callCancel(t, as, id) },
  holds: {
    "it is the caller's": () => true,
    "the id is unknown or another organization's": () => true,
  },
  steps: {
    claim: {
      becomes: ({ state, facts }) => (state === "unclaimed" ? { state: "claimed", facts } : null),
      run: (t, subject) => move(t, subject, "claimed"),
    },
    finish: {
      becomes: ({ state, facts }) =>
        state === "unclaimed" || state === "claimed" ? { state: "terminal", facts } : null,
      run: (t, subject) => move(t, subject, "terminal"),
    },
  },
  async shown(t, { as, id }, before) {
    const isWanted = (status: string): boolean => before === null || status === before.state;
    const { status, exchange } =
      before?.stays === false ? await settledStatus(t, as, id, before.state) : await statusOnce(t, as, id, isWanted);
    return { state: status, exchange };
  },
});

interface Message {
  readonly as: Credential;
  readonly id: string;
}

/** Moves a message on; what is compared later is what is shown once that shows. */
async function move(t: CheckContext, { as, id }: Message, to: "claimed" | "terminal"): Promise<void> {
  const { status: before } = await statusOnce(t, as, id, () => true);
  await as.tenant.arrange(movedMessage, { message_id: id, to });
  await statusOnce(t, as, id, (status) => status !== before);
}
