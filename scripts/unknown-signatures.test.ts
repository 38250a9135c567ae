import { expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import { allEdits } from "../reference-server/edits/all-edits.ts";
import { startEdited } from "../reference-server/edits/start-edited.ts";

/** All that hangs on whether a signature verifies. */
const only = ["EVT-08", "WHO-02", "WHO-03", "WHO-04", "WHO-05", "WHO-06", "WHR-12", "WHR-13"] as const;

test("signatures of a way that the kit does not know leave their rules undecided, and it asks for the hook that judges them", async () => {
  const server = await startEdited(allEdits.filter(({ id }) => id === "Q59-unknown"));
  const result = await run(
    {
      ...{ baseUrl: server.url, key: null, secrets: {}, hooks: {}, implements: null, shapes: {}, numbers: {} },
      sandbox: { baseUrl: server.url, token: server.sandboxToken },
      receiver: { listen: { host: "127.0.0.1", port: 0 }, publicUrl: null, tls: null },
      timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 20, pollTimeout: 500, clockSkew: 5_000 },
    },
    allChecks,
    {
      ...{ profile: "full", allow: new Set<never>(), only, skip: ["webhooks.endpoint-life"], seed: 1, runs: 1 },
      ...{ jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
    },
  );
  await server.close();
  const told = only.map((id) => result.rules.find((rule) => rule.id === id));
  expect(told.map((rule) => [rule?.id, rule?.verdict])).toEqual(only.map((id) => [id, "blocked"]));
  const unblock = "give the kit a verify_signature hook (hooks in target.yaml)";
  for (const rule of told)
    expect(rule?.findings).toContainEqual(
      expect.objectContaining({ verdict: "blocked", unblock, origin: "target file" }),
    );
});
