import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { apiOperations } from "../conformance/context/for-each-operation.ts";
import { knownGaps, operationsWithoutSuccess } from "../conformance/promises/known-gaps.ts";
import { isSamePromise, promisedRows, promiseText, raisedBy } from "../conformance/promises/promised-row.ts";
import { htmlReport } from "../conformance/reports/html.ts";
import { type RunOptions, run } from "../conformance/runner/run.ts";
import type { RunResult } from "../conformance/runner/run-result.ts";
import type { Target } from "../conformance/target/target.ts";
import { registerChecks } from "../conformance/vitest-binding.ts";
import { operationList } from "../generated/operations.ts";
import { apiOperations as servedOperations } from "../reference-server/edits/api-operations.ts";
import { createFront } from "../reference-server/edits/front.ts";
import { isRefusal, type Wire, type WireAnswer } from "../reference-server/edits/wire.ts";
import type { Listener } from "../reference-server/http/listener.ts";
import type { Reference } from "./commands/reference-target.ts";
import { isOutsideContract } from "./outside-contract.ts";
import { againstAnswers, createReferee, type Referee, type Refereed } from "./referee/referee.ts";
import { sharedReference } from "./shared-reference.ts";
import { unwatched, watchingRefusals } from "./watched-refusals.ts";
import { notPassed, wholeRuns } from "./whole-runs.ts";

/** Milliseconds: each run takes some twenty seconds on a quiet machine. */
const patience = 600_000;

let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
});

const alone = new Map<string, RunResult>();

// The reference obeys the contract: every check of the kit passes on it.
registerChecks(() => reference.target, { ran: (check, result) => alone.set(check.id, result) });

const runOn = (target: Target, options: Partial<RunOptions>): Promise<RunResult> =>
  run(target, allChecks, {
    ...{ profile: "full", allow: new Set(["exhausts"]), only: [], skip: [], seed: 1, runs: 3, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...options,
  });

/** What a check found, by rule and verdict. */
const foundBy = ({ rules }: RunResult, check: string): readonly string[] =>
  rules
    .flatMap(({ id, findings }) => findings.filter((f) => f.check === check).map((f) => `${id} ${f.verdict}`))
    .sort();

describe("a run of all checks on the reference", () => {
  const refusals = new Map<string, WireAnswer[]>();
  const successes = new Map<string, Set<number>>();
  const watch = watchingRefusals();
  const problems: unknown[] = [];
  let front: Listener;
  let referee: Referee;
  let together: RunResult;

  const noting: Wire = (serve) => async (request) => {
    const answer = await serve(request);
    const { operation } = request;
    if (operation === null) return answer;
    if (answer.status >= 400) refusals.set(operation, [...(refusals.get(operation) ?? []), answer]);
    else successes.set(operation, (successes.get(operation) ?? new Set()).add(answer.status));
    return answer;
  };

  beforeAll(async () => {
    referee = await createReferee();
    const wires = [noting, watch.wire, referee.wire];
    front = createFront(reference.target.baseUrl, wires, (problem) => problems.push(problem), null);
    const { url } = await front.listen({ host: "127.0.0.1", port: 0 });
    const { target } = reference;
    // The sandbox's calls go through the front, too.
    const sandbox = target.sandbox && { ...target.sandbox, baseUrl: url };
    together = await runOn({ ...target, sandbox, baseUrl: url }, wholeRuns.reached);
    expect(problems).toEqual([]);
  }, patience);

  afterAll(() => front.close(0));

  test("finds by each of them what that finds alone", () => {
    for (const { id } of allChecks) {
      const single = alone.get(id);
      const found = single === undefined ? [] : foundBy(single, id);
      expect(found, `${id} found nothing alone`).not.toEqual([]);
      expect([id, found]).toEqual([id, foundBy(together, id)]);
    }
  });

  test("finds every rule kept", () => {
    expect(notPassed(together)).toEqual([]);
  });

  test("tells them on a page that a browser opens at once", () => {
    expect(htmlReport(together).length).toBeLessThan(300_000);
  });

  test("has Prism, which reads the OpenAPI document alone, find nothing against any answer", () => {
    const { refereed } = referee;
    expect(againstAnswers(refereed)).toEqual([]);
    // It does look: the kit breaks requests on purpose, and the referee says so.
    const ofRequests = refereed.flatMap((each) => each.ofRequest.map(({ path = [] }) => path.join("/")));
    expect(ofRequests).toEqual(expect.arrayContaining(["", "path/id", "body/scopes"]));
    // Every operation, in success and in refusal; what the reference lacks is always refused.
    const operationsOf = (answers: readonly Refereed[]): readonly string[] =>
      [...new Set(answers.map(({ operation }) => operation))].sort();
    const api = operationList.filter(({ service }) => service === "api");
    expect(operationsOf(refereed.filter(({ status }) => status >= 400))).toEqual(api.map(({ id }) => id).sort());
    expect(operationsOf(refereed.filter(({ status }) => status < 400))).toEqual(
      servedOperations.map(({ id }) => id).sort(),
    );
  });

  const unanswered = () =>
    promisedRows.filter(
      ({ operation, row }) => !(refusals.get(operation) ?? []).some((answer) => isRefusal(answer, row)),
    );

  test("gets every error row that an operation declares, but for the known gaps", () => {
    const missing = unanswered().filter((promise) => !knownGaps.some((known) => isSamePromise(known, promise)));
    expect(missing.map(promiseText)).toEqual([]);
  });

  test("looks at the organization's state around a refusal of every kind that an operation may give", () => {
    const unseen = watch.unseen().map(promiseText).sort();
    expect(unseen, "see conformance/steps/without-effect.ts").toEqual(unwatched.map(promiseText).sort());
  });

  test("gets a success of every operation, with the reference's status, but for the known gaps", () => {
    const missing = apiOperations.filter(({ id, success }) => !successes.get(id)?.has(success.reference));
    expect(missing.map(({ id }) => id)).toEqual(operationsWithoutSuccess.map(({ operation }) => operation));
  });

  test("gets no error row that the operation does not declare", () => {
    const undeclared = [...refusals].flatMap(([operation, own]) => {
      const declared = promisedRows.filter((promise) => promise.operation === operation);
      if (declared.length === 0) return [];
      return own
        .filter((answer) => !declared.some(({ row }) => isRefusal(answer, row)) && !isOutsideContract(answer))
        .map((answer) => `${operation} ${answer.status} ${answer.bytes}`);
    });
    expect(undeclared).toEqual([]);
  });

  test("leaves no known gap that has been closed", () => {
    const open = unanswered();
    const isRaised = raisedBy(allChecks);
    const closed = knownGaps.filter((gap) => isRaised(gap) && !open.some((promise) => isSamePromise(promise, gap)));
    expect(closed.map(promiseText), "delete it from conformance/promises/known-gaps.ts").toEqual([]);
  });
});
