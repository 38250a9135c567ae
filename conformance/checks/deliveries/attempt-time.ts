import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { judgeInstant } from "../../steps/judge-instant.ts";
import { timeOfItsOwn } from "../../steps/time-of-its-own.ts";

/** When an attempt was made, by the kit's clock. */
export const attemptTime = check({
  id: "deliveries.attempt-time",
  title: "The record of an attempt tells when it was made",
  rules: ["WHL-51"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    if (tenant.manualClock) throw timeOfItsOwn();
    const endpoint = await answeredEndpoint(t, await tenant.main());
    const from = Date.now();
    const attempt = await firstAttempt(t, endpoint);
    if (attempt === null) throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");
    judgeInstant(t, "WHL-51", {
      name: "occurred_at",
      value: attempt.record.occurred_at,
      from,
      until: Date.now(),
      question: null,
      exchanges: attempt.pages,
    });
  },
});
