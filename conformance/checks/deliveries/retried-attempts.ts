import type { Check, Need } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { respond } from "../../receiver/answer.ts";
import { createEndpoint } from "../webhooks/endpoint.ts";
import { makeEvent } from "../webhooks/make-event.ts";
import { attemptOf } from "./attempt.ts";
import { growingSteps } from "./growing-steps.ts";
import { attemptsAt } from "./settle.ts";

/** What attempts meet, each something else, so that every record tells which attempt it is of. */
const statuses = [500, 502, 503, 504, 505, 507, 508, 511] as const;

/** Attempts that are looked at; more would show nothing new. */
const enough = 4;

/** A delivery that fails again and again, as the sandbox has it. */
export const retriedAttempts: Check = retryCheck("deliveries.retried-attempts", "forced-answers");

/** A delivery that the kit's receiver refuses again and again. */
export const refusedAttempts: Check = retryCheck("deliveries.refused-attempts", "receiver");

function retryCheck(id: string, need: Need): Check {
  const received = need === "receiver";
  return {
    id,
    title: `Every attempt of a delivery has one record, with a number that counts from 1 without gaps${received ? ", also when it was really sent" : ""}`,
    rules: ["WHL-06", "WHL-07", "WHL-08"],
    kind: "scenario",
    needs: ["manual-clock", need],
    effects: ["creates"],
    draws: 0,
    async run(t) {
      const main = await (await t.tenant({ manualClock: true })).main();
      const { tenant } = main;
      const inbox = received ? t.inbox() : null;
      const [first, ...others] = statuses;
      inbox?.answer(respond(first), ...others.map((status) => respond(status)));
      const endpoint = await createEndpoint(t, main, inbox === null ? {} : { inbox });
      if (inbox === null) {
        const answers = statuses.map((status) => ({ status }));
        await tenant.forceAnswers(endpoint.id, answers, { repeatLast: true });
      }
      await makeEvent(t, endpoint);
      const begun = await attemptsAt(t, endpoint, 1);
      if (!begun.enough) {
        const within = `within ${t.timing.pollTimeout / 1000} s of the event`;
        // Where nothing arrived, there may have been no attempt.
        if (inbox?.deliveries().length === 0)
          throw new Blocked(`nothing arrived ${within}`, "see WHE-08 first", "server");
        const evidence = { expected: "a record of the attempt", actual: `none ${within}` };
        t.verify("WHL-08", false, { ...evidence, exchanges: begun.pages, deliveries: inbox?.deliveries() ?? [] });
        throw new Blocked("no attempt was in the feed in time", "see WHL-08 first", "server");
      }
      let { records, pages } = begun;
      for (const seconds of growingSteps) {
        if (records.length >= enough || records.some(({ outcome }) => outcome === "dead")) break;
        await tenant.advance(seconds, "a retry");
        ({ records, pages } = await attemptsAt(t, endpoint, inbox?.deliveries().length ?? 0));
      }
      const attempts = records
        .toReversed()
        .map(attemptOf)
        .sort((a, b) => a.at - b.at || a.attempt - b.attempt);
      const shown = [...pages, ...(inbox?.deliveries() ?? [])];
      const numbers = attempts.map(({ attempt }) => attempt);
      t.equal("WHL-06", "attempt of the first", numbers[0], 1, ...shown);
      const recorded = attempts.map(({ status }) => status);
      // What was met, as far as anybody knows: the receiver counts, a sandbox does not.
      const count = inbox?.deliveries().length ?? recorded.length;
      const met = Array.from({ length: count }, (_, index) => statuses[index] ?? statuses.at(-1));
      t.equal("WHL-08", "response_status of the records", recorded, met, ...shown);
      if (numbers.length < 2)
        throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
      const counted = numbers.map((_, index) => index + 1);
      t.equal("WHL-07", "attempt of the records, oldest first", numbers, counted, ...shown);
    },
  };
}
