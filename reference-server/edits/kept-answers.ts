import { referenceChoices } from "../../generated/choices.ts";
import type { PortChange } from "./edit.ts";
import { withMembers } from "./ports.ts";

/** Returns the stored response of an idempotency key only for a number of seconds. */
export const keepingAnswersFor = (seconds: number): PortChange => ({
  ports(ports) {
    const { store } = ports;
    const earlierMs = (Number(referenceChoices.idempotencyKeyHours) * 3600 - seconds) * 1000;
    return {
      ...ports,
      store: withMembers(store, {
        keptAnswer: (organizationId, retry, now) => store.keptAnswer(organizationId, retry, now + earlierMs),
        atomically: (organizationId, work) =>
          store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                answers: withMembers(tx.answers, {
                  find: (retry, now) => tx.answers.find(retry, now + earlierMs),
                  keep: (answer, now) => tx.answers.keep(answer, now + earlierMs),
                }),
              }),
            ),
          ),
      }),
    };
  },
});
