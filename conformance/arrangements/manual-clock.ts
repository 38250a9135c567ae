import { member } from "./hook-members.ts";
import { type HookDefinition, hookOf, offersNo, requirement } from "./requirement.ts";

export const advance: HookDefinition = {
  name: "advance",
  says: "Moves an organization's time.",
  unlocks: "limits without waiting, and exact ones when the clock is `manual`",
  input: {
    properties: {
      organization_id: member.organization,
      seconds: {
        type: "number",
        minimum: 0,
        description: "How far; zero only runs what is due, and asks for the clock.",
      },
    },
  },
  answer: { properties: { clock: member.clock }, optional: ["clock"] },
};

/** A clock that the kit moves. */
export const manualClock = requirement({
  need: "manual-clock",
  sandboxOperation: "advanceClock",
  lacking: offersNo("manual clock"),
  hooks: [advance],
  isMet: (target) => target.sandbox !== null || hookOf(target, advance) !== null,
});
