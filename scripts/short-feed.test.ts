import { expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import { allEdits } from "../reference-server/edits/all-edits.ts";
import { startEdited } from "../reference-server/edits/start-edited.ts";

/** Keeps the records of attempts for days, which is fewer than a double opt-in may wait for its answer. */
const short = "Q71-records";

/** What a check finds on a server with that and some other edits. */
async function foundBy(only: string, edits: readonly string[]) {
  const server = await startEdited(allEdits.filter(({ id }) => [short, ...edits].includes(id)));
  const { rules } = await run(
    {
      ...{ baseUrl: server.url, key: null, secrets: {}, hooks: {}, implements: null, shapes: {}, numbers: {} },
      ...{ sandbox: { baseUrl: server.url, token: server.sandboxToken }, receiver: null },
      timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 20, pollTimeout: 500, clockSkew: 5_000 },
    },
    allChecks,
    {
      ...{ profile: "full", allow: new Set(["sends"] as const), only: [only], skip: [], seed: 1, runs: 1, jobs: null },
      ...{ path: null, signal: new AbortController().signal, progress: () => undefined },
    },
  );
  await server.close();
  return rules
    .flatMap((rule) => rule.findings)
    .filter(({ check }) => check === only)
    .map(({ rule, verdict, message }) => [rule, verdict, message]);
}

test("an event that a feed shows for days is seen, though it comes long before the kit has waited enough", async () => {
  expect(await foundBy("consent.expired-event.feed", [])).toEqual([
    ["CON-37", "observed", expect.stringMatching(/ was sent when nobody answered$/)],
  ]);
});

test("and so is one that should not come", async () => {
  expect(await foundBy("consent.ended-once.feed", [])).toEqual([["CON-42", "pass", expect.anything()]]);
  const [found] = await foundBy("consent.ended-once.feed", ["CON-42-both"]);
  expect(found?.slice(0, 2)).toEqual(["CON-42", expect.stringMatching(/^(fail|warn)$/)]);
});
