import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import { createFront } from "../../reference-server/edits/front.ts";
import { startChildServer } from "../child-server.ts";
import { againstAnswers, createReferee, type Refereed } from "./referee.ts";

/** What the referee says of a server with these edits while the kit runs these checks; the sandbox is reached directly. */
async function refereedRun(edits: readonly string[], only: readonly string[]): Promise<readonly Refereed[]> {
  const token = randomBytes(16).toString("hex");
  const server = await startChildServer([join(import.meta.dirname, "serve-edited.ts"), token, ...edits], "Serving at");
  const referee = await createReferee();
  const problems: unknown[] = [];
  const front = createFront(server.url, [referee.wire], (problem) => problems.push(problem), null);
  const { url } = await front.listen({ host: "127.0.0.1", port: 0 });
  try {
    await run(
      {
        baseUrl: url,
        ...{ key: null, secrets: {}, hooks: {}, implements: null },
        ...{ receiver: loopbackReceiver, shapes: {}, numbers: {} },
        sandbox: { baseUrl: server.url, token },
        timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 50, pollTimeout: 2_000, clockSkew: 5_000 },
      },
      allChecks,
      {
        ...{ profile: "full", allow: new Set(), only, skip: [], seed: 1, runs: null, jobs: null, path: null },
        ...{ signal: new AbortController().signal, progress: () => undefined },
      },
    );
    expect(problems).toEqual([]);
    return referee.refereed;
  } finally {
    await front.close(0);
    await server.close();
  }
}

describe("Prism, beside the kit and the server,", () => {
  const broken = [
    ["KEYC-02-no-label", "api-keys.read-back", /^createApiKey 201 body\/data.* 'label'/],
    ["ENV-28-status", "KEYG-08", /^getApiKey 410 : Unable to match the returned status code/],
    ["ENV-12-missing", "KEYC-01", /^createApiKey 201 header: .*x-request-id/],
  ] as const;
  let told: readonly string[] = [];

  // One server with all of them: each takes a second to start.
  beforeAll(async () => {
    told = againstAnswers(
      await refereedRun(
        broken.map(([edit]) => edit),
        broken.map(([, only]) => only),
      ),
    );
  }, 900_000);

  it.each(broken)("reports %s", (_, __, message) => {
    expect(told).toContainEqual(expect.stringMatching(message));
  });
});
