import type { Check, Need } from "../../check/check.ts";
import type { CheckContext } from "../../check/context.ts";
import { Blocked } from "../../check/verdict.ts";
import type { Credential } from "../../ladder/tenant.ts";
import { respond } from "../../receiver/answer.ts";
import { firstAttempt } from "../deliveries/first-attempt.ts";
import { createEndpoint, type Endpoint } from "../webhooks/endpoint.ts";

/** Answers of which the outcome is plain. */
const taken = 200;
const failures = [500, 502, 503, 504, 599] as const;

/** What comes of attempts that the sandbox answered. */
export const forcedOutcomes: Check = outcomesCheck("forced", "forced-answers", async (t, as, status) => {
  const endpoint = await createEndpoint(t, as);
  await as.tenant.forceAnswers(endpoint.id, [{ status }], { repeatLast: true });
  return endpoint;
});

/** What comes of attempts that the kit's receiver answered. */
export const receivedOutcomes: Check = outcomesCheck("received", "receiver", async (t, as, status) => {
  const inbox = t.inbox();
  inbox.answer(respond(status));
  return createEndpoint(t, as, { inbox });
});

function outcomesCheck(
  name: string,
  need: Need,
  endpointAnswering: (t: CheckContext, as: Credential, status: number) => Promise<Endpoint>,
): Check {
  const whose = need === "receiver" ? "that a receiver answered" : "that the sandbox answered";
  return {
    id: `events.${name}-outcomes`,
    title: `An attempt ${whose} with 200 is a success, and one with a 5xx is none`,
    rules: ["EVT-11", "EVT-12"],
    kind: "scenario",
    needs: [need],
    effects: ["creates"],
    draws: 0,
    async run(t) {
      const main = await (await t.tenant({ manualClock: true })).main();
      for (const status of [taken, ...failures]) {
        const endpoint = await endpointAnswering(t, main, status);
        const first = await firstAttempt(t, endpoint);
        if (first === null)
          throw new Blocked("no attempt of an event was in the feed in time", "see WHL-08 first", "server");
        const { outcome } = first.record;
        const shown = { actual: JSON.stringify(outcome) ?? "none", exchanges: first.pages };
        if (status === taken) t.verify("EVT-11", outcome === "success", { expected: "outcome success", ...shown });
        else
          t.verify("EVT-12", outcome === "retry" || outcome === "dead", {
            expected: `outcome retry or dead of an attempt that was answered ${status}`,
            ...shown,
          });
      }
    },
  };
}
