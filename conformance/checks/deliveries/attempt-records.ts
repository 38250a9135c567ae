import type { ForcedAnswer } from "../../../generated/models/sandbox-webhooks.ts";
import { forcedAnswers } from "../../arrangements/forced-answers.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { createEndpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { judgeValues, valueRules } from "./judge-values.ts";

const body = "bylaw";

/** What the first attempts of as many events meet. */
const answers: readonly ForcedAnswer[] = [
  ...[200, 404, 503].map((status) => ({ status, body })),
  ...(["timeout", "refused", "reset"] as const).map((no_answer) => ({ no_answer })),
];

/** Records of attempts that were answered and of such as were not. */
export const attemptRecords = check({
  id: "deliveries.attempt-records",
  title: "An attempt is recorded whole, whether or not it was answered",
  rules: [...valueRules, "WHL-06", "EVT-17"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const owner = await (await t.tenant({ clock: "manual" })).main();
    const endpoint = await createEndpoint(t, owner);
    const forced = owner.tenant.can(forcedAnswers) ? answers : null;
    // Without a sandbox one event at an address where nobody answers.
    for (const answer of forced ?? [null]) {
      // Each for itself: an attempt that failed may be made again before the next event.
      if (answer !== null)
        await owner.tenant.arrange(forcedAnswers, { endpoint_id: endpoint.id, answers: [answer], repeat_last: true });
      const attempt = await firstAttempt(t, endpoint);
      if (attempt === null) throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");
      const { record: first, pages } = attempt;
      judgeValues(t, [first], pages);
      t.equal("WHL-06", "attempt of the first", first.attempt, 1, ...pages);
      const answered = answer === null ? Number(first.response_status) > 0 : "status" in answer;
      judgeAnswer(t, first, { answered, known: answer !== null }, pages);
      if (answer !== null && "no_answer" in answer)
        t.verify("EVT-17", first.outcome === "retry" || first.outcome === "dead", {
          expected: `outcome retry or dead of an attempt that met ${answer.no_answer}`,
          actual: JSON.stringify(first.outcome) ?? "none",
          exchanges: pages,
        });
    }
    if (forced === null)
      throw new Blocked(
        "no attempt of this check was one that the rule speaks of",
        "give the kit a sandbox, or a receiver",
      );
  },
});

/** What a record says of the answer. `known`: the kit chose it, and so knows that it had a body. */
function judgeAnswer(
  t: CheckContext,
  record: AttemptRecord,
  { answered, known }: { readonly answered: boolean; readonly known: boolean },
  exchanges: readonly Exchange[],
): void {
  const { error, response_status, response_time_ms, response_body_excerpt } = record;
  if (!answered) {
    const holds = typeof error === "string";
    const actual = JSON.stringify(error) ?? "none";
    t.verify("WHL-17", holds, { expected: "error, a text, where nobody answered", actual, exchanges });
    return;
  }
  t.equal("WHL-16", "error", error, null, ...exchanges);
  // Only for attempts without an answer are other values tolerated.
  const flaws = [
    ...(Number.isInteger(response_status) ? [] : ["response_status"]),
    ...(Number.isInteger(response_time_ms) ? [] : ["response_time_ms"]),
    ...(typeof response_body_excerpt === "string" || !known ? [] : ["response_body_excerpt"]),
  ];
  t.equal("WHL-02", "members of an answered attempt that are not of the documented type", flaws, [], ...exchanges);
}
