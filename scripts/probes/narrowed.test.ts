import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { isBreach } from "../../conformance/outcome/verdict.ts";
import { run } from "../../conformance/runner/run.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";

/** What the check of the feed's filters says of a mutant, without ids and times. */
async function saidOf(id: string): Promise<readonly string[]> {
  const server = await startEdited(mutants.filter((mutant) => mutant.id === id));
  const target = {
    ...{ baseUrl: server.url, key: null, secrets: {}, implements: null, hooks: {}, receiver: null, shapes: {} },
    sandbox: { baseUrl: server.url, token: server.sandboxToken },
    timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
    numbers: {},
  };
  const { rules } = await run(target, allChecks, {
    ...{ profile: "full", allow: new Set(), only: ["deliveries.feed-filters.feed"], skip: [], seed: 1 },
    ...{ runs: null, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
  }).finally(() => server.close());
  const actual = rules.flatMap(({ findings }) => findings.filter(isBreach).map((finding) => finding.actual ?? ""));
  return actual.map((text) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}-[\da-f-]{27}/g, "·"));
}

test("of filters that together are not obeyed those are told that it takes, and which of them is not", async () => {
  const [byEndpoint = ""] = await saidOf("WHL-43-one-of-two");
  expect(byEndpoint).toMatch(/^one that does not match event_type \S+: /);
  expect(byEndpoint).toMatch(
    /; wrong with endpoint_id ·, event_type \S+ alone as well, and right with any of these left out$/,
  );
  const [byStatus = ""] = await saidOf("WHL-43-outcome-or-status");
  expect(byStatus).toMatch(
    /^one that does not match outcome \S+: .*; wrong with outcome \S+, http_status_max \d+ alone/,
  );
});
