import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { createEndpoint } from "../webhooks/endpoint.ts";
import { makeEvent } from "../webhooks/make-event.ts";
import { attemptOf } from "./attempt.ts";
import { growingSteps } from "./growing-steps.ts";
import { attemptsAt } from "./settle.ts";

/** What attempts meet, each something else, so that every record tells which attempt it is of. */
const statuses = [500, 502, 503, 504, 505, 507, 508, 511] as const;

/** Attempts that are looked at; more would show nothing new. */
const enough = 4;

/** A delivery that fails again and again. */
export const retriedAttempts: Check = {
  id: "deliveries.retried-attempts",
  title: "Every attempt of a delivery has one record, and its number counts from 1 without gaps",
  rules: ["WHL-06", "WHL-07", "WHL-08"],
  kind: "scenario",
  needs: ["manual-clock", "forced-answers"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant({ manualClock: true })).main();
    const { tenant } = main;
    const endpoint = await createEndpoint(t, main);
    const answers = statuses.map((status) => ({ status }));
    await tenant.forceAnswers(endpoint.id, answers, { repeatLast: true });
    await makeEvent(t, endpoint);
    const first = await attemptsAt(t, endpoint, 1);
    if (!first.enough) {
      t.verify("WHL-08", false, {
        expected: "a record of the attempt",
        actual: `none within ${t.timing.pollTimeout / 1000} s of the event`,
        exchanges: first.pages,
      });
      throw new Blocked("no attempt was in the feed in time", "see WHL-08 first", "server");
    }
    let { records, pages } = first;
    for (const seconds of growingSteps) {
      if (records.length >= enough || records.some(({ outcome }) => outcome === "dead")) break;
      await tenant.advance(seconds, "a retry");
      ({ records, pages } = await attemptsAt(t, endpoint, 0));
    }
    const attempts = records.map(attemptOf).sort((a, b) => a.at - b.at || a.attempt - b.attempt);
    const numbers = attempts.map(({ attempt }) => attempt);
    t.equal("WHL-06", "attempt of the first", numbers[0], 1, ...pages);
    const met = attempts.map(({ status }) => status);
    t.equal(
      "WHL-08",
      "response_status of the records",
      met,
      answers.map((a) => a.status).slice(0, met.length),
      ...pages,
    );
    if (numbers.length < 2)
      throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
    const counted = numbers.map((_, index) => index + 1);
    t.equal("WHL-07", "attempt of the records, oldest first", numbers, counted, ...pages);
  },
};
