import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { type RunOptions, run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import { operationList } from "../../generated/operations.ts";
import { apiOperations } from "../../reference-server/edits/api-operations.ts";
import { startChildServer } from "../child-server.ts";
import { notPassed, wholeRuns } from "../whole-runs.ts";
import { differences } from "./differences.ts";
import { type Refereed, startReferee, type Violation } from "./referee.ts";

/** Runs the kit against a server with these edits, with the referee between them; the sandbox is reached directly. */
async function refereedRun(
  edits: readonly string[],
  only: readonly string[],
  order?: Pick<RunOptions, "shuffle" | "jobs">,
) {
  const token = randomBytes(16).toString("hex");
  const server = await startChildServer([join(import.meta.dirname, "serve-edited.ts"), token, ...edits], "Serving at");
  const referee = await startReferee(server.url);
  try {
    const result = await run(
      {
        baseUrl: referee.url,
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
    return { result, refereed: referee.refereed };
  } finally {
    await referee.close();
    await server.close();
  }
}

/** What the referee holds against answers; requests are wrong on purpose. Statuses without description are among it. */
const against = (refereed: readonly Refereed[]): readonly string[] => [
  ...new Set(refereed.flatMap((each) => each.violations.filter(isOfResponse).map((v) => described(each, v)))),
];

const isOfResponse = ({ location }: Violation): boolean => location[0] === "response";

const described = ({ operation, status }: Refereed, { location, message }: Violation): string =>
  `${operation} ${status} ${location.join("/")}: ${message}`;

describe("Prism, between the kit and the server,", () => {
  it("finds nothing against the reference in the whole suite, and the kit passes through it", async () => {
    const { result, refereed } = await refereedRun([], [], wholeRuns.refereed);
    expect(against(refereed)).toEqual([]);
    const judged = refereed.filter(({ keptFrom }) => keptFrom === null);
    expect(judged.filter(({ identified }) => !identified)).toEqual([]);
    // It does look: the kit breaks requests on purpose, and the referee says so.
    const ofRequests = judged.flatMap((each) => each.violations.map(({ location }) => location.join("/")));
    expect(ofRequests).toEqual(expect.arrayContaining(["request", "request/path/id", "request/body/scopes"]));
    // Every operation, in success and in refusal; and next to nothing past the referee.
    const operationsOf = (answers: readonly Refereed[]): readonly string[] =>
      [...new Set(answers.map(({ operation }) => operation))].sort();
    const api = operationList.filter(({ service }) => service === "api");
    expect(operationsOf(judged.filter(({ status }) => status >= 400))).toEqual(api.map(({ id }) => id).sort());
    // What the reference lacks is always refused.
    expect(operationsOf(judged.filter(({ status }) => status < 400))).toEqual(apiOperations.map(({ id }) => id).sort());
    expect(judged.length).toBeGreaterThan(refereed.length * 0.95);
    const keptFrom = new Set(refereed.flatMap((each) => each.keptFrom ?? []));
    expect(keptFrom).toEqual(new Set(differences.map(({ id }) => id)));
    // Prism reads bytes that are no Unicode, and hands on text.
    expect(notPassed(result)).toEqual(["ENV-41 warn"]);
    // The whole suite, each exchange looked at twice.
  }, 900_000);

  const broken = [
    ["KEYC-02-no-label", "api-keys.read-back", /^createApiKey 201 response\/body\/data.* 'label'/],
    ["ENV-28-status", "KEYG-08", /^getApiKey 410 response: Unable to match the returned status code/],
    ["ENV-12-missing", "KEYC-01", /^createApiKey 201 response\/header: .*x-request-id/],
  ] as const;
  let told: readonly string[] = [];

  // One server with all of them: a referee takes seconds to start.
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
