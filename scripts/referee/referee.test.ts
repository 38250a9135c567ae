import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { type RunOptions, run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import { operationList } from "../../generated/operations.ts";
import { apiOperations } from "../../reference-server/edits/api-operations.ts";
import { createFront } from "../../reference-server/edits/front.ts";
import { startChildServer } from "../child-server.ts";
import { notPassed, wholeRuns } from "../whole-runs.ts";
import { createReferee, type Refereed, type Violation } from "./referee.ts";

/** Runs the kit against a server with these edits, with the referee between them; the sandbox is reached directly. */
async function refereedRun(
  edits: readonly string[],
  only: readonly string[],
  order?: Pick<RunOptions, "shuffle" | "jobs">,
) {
  const token = randomBytes(16).toString("hex");
  const server = await startChildServer([join(import.meta.dirname, "serve-edited.ts"), token, ...edits], "Serving at");
  const referee = await createReferee();
  const problems: unknown[] = [];
  const front = createFront(server.url, [referee.wire], (problem) => problems.push(problem), null);
  const { url } = await front.listen({ host: "127.0.0.1", port: 0 });
  try {
    const result = await run(
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
        ...order,
      },
    );
    expect(problems).toEqual([]);
    return { result, refereed: referee.refereed };
  } finally {
    await front.close(0);
    await server.close();
  }
}

/** What the referee holds against answers; requests are wrong on purpose. Statuses without description are among it. */
const against = (refereed: readonly Refereed[]): readonly string[] => [
  ...new Set(refereed.flatMap((each) => each.ofAnswer.map((violation) => described(each, violation)))),
];

const described = ({ operation, status }: Refereed, { path = [], message }: Violation): string =>
  `${operation} ${status} ${path.join("/")}: ${message}`;

describe("Prism, beside the kit and the server,", () => {
  it("finds nothing against the reference in the whole suite, nor does the kit where one check follows the other", async () => {
    const { result, refereed } = await refereedRun([], [], wholeRuns.refereed);
    expect(against(refereed)).toEqual([]);
    // It does look: the kit breaks requests on purpose, and the referee says so.
    const ofRequests = refereed.flatMap((each) => each.ofRequest.map(({ path = [] }) => path.join("/")));
    expect(ofRequests).toEqual(expect.arrayContaining(["", "path/id", "body/scopes"]));
    // Every operation, in success and in refusal.
    const operationsOf = (answers: readonly Refereed[]): readonly string[] =>
      [...new Set(answers.map(({ operation }) => operation))].sort();
    const api = operationList.filter(({ service }) => service === "api");
    expect(operationsOf(refereed.filter(({ status }) => status >= 400))).toEqual(api.map(({ id }) => id).sort());
    // What the reference lacks is always refused.
    expect(operationsOf(refereed.filter(({ status }) => status < 400))).toEqual(
      apiOperations.map(({ id }) => id).sort(),
    );
    expect(notPassed(result)).toEqual([]);
    // The whole suite, one check after the other, each exchange looked at twice.
  }, 900_000);

  const broken = [
    ["KEYC-02-no-label", "api-keys.read-back", /^createApiKey 201 body\/data.* 'label'/],
    ["ENV-28-status", "KEYG-08", /^getApiKey 410 : Unable to match the returned status code/],
    ["ENV-12-missing", "KEYC-01", /^createApiKey 201 header: .*x-request-id/],
  ] as const;
  let told: readonly string[] = [];

  // One server with all of them: each takes a second to start.
  beforeAll(async () => {
    const { refereed } = await refereedRun(
      broken.map(([edit]) => edit),
      broken.map(([, only]) => only),
    );
    told = against(refereed);
  }, 900_000);

  it.each(broken)("reports %s", (_, __, message) => {
    expect(told).toContainEqual(expect.stringMatching(message));
  });
});
