import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { gapNotice, unraisedRows } from "../../conformance/promises/gap-notice.ts";
import { knownGaps } from "../../conformance/promises/known-gaps.ts";
import { checksRaising, isSamePromise, promisedRows, promiseText } from "../../conformance/promises/promised-row.ts";
import { run } from "../../conformance/runner/run.ts";
import { withoutSoundInput } from "../../conformance/steps/sound-input.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import { errorRows } from "../../generated/error-rows.ts";
import { type EditedServer, startEdited } from "../../reference-server/edits/start-edited.ts";
import { isRefusal, type WireAnswer } from "../../reference-server/edits/wire.ts";

/** Milliseconds: a run takes some twenty seconds on a quiet machine. */
const patience = 600_000;

describe("of what the contract promises", () => {
  test("every operation has a sound input, with which the checks made from its facts call it", () => {
    expect(withoutSoundInput).toEqual([]);
  });

  test("every error row of an operation is raised by a check, or a known gap tells why not", () => {
    expect(unraisedRows(allChecks).map(promiseText)).toEqual([]);
    expect(gapNotice(allChecks)).toBeNull();
  });

  test("every known gap is one of a row that its operation declares", () => {
    const strangers = knownGaps.filter((gap) => !promisedRows.some((promise) => isSamePromise(promise, gap)));
    expect(strangers.map(promiseText), "delete it from conformance/promises/known-gaps.ts").toEqual([]);
  });

  test("a row that no check raises any more is told by operation and row", () => {
    const fewer = allChecks.filter(({ id }) => !id.startsWith("tenancy.") && !id.startsWith("api-keys."));
    expect(gapNotice(fewer)).toContain("getApiKey may answer 404 NOT_FOUND (NotFound)");
  });
});

describe("what a full run of the kit gets from the reference", () => {
  const answers = new Map<string, WireAnswer[]>();
  let server: EditedServer;

  beforeAll(async () => {
    server = await startEdited([
      {
        ...{ id: "noting", does: "notes what it answers", answers: "Q15" },
        changes: [
          {
            wire: (serve) => async (request) => {
              const answer = await serve(request);
              const { operation } = request;
              if (operation !== null && answer.status >= 400)
                answers.set(operation, [...(answers.get(operation) ?? []), answer]);
              return answer;
            },
          },
        ],
      },
    ]);
    await run(
      {
        baseUrl: server.url,
        ...{ key: null, secrets: {}, hooks: {}, implements: null, shapes: {}, numbers: {} },
        sandbox: { baseUrl: server.url, token: server.sandboxToken },
        timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 50, pollTimeout: 5_000, clockSkew: 5_000 },
        receiver: loopbackReceiver,
      },
      allChecks,
      {
        ...{ profile: "full", allow: new Set(), only: [], skip: [], seed: 1, runs: 3, jobs: null, path: null },
        signal: new AbortController().signal,
        progress: () => undefined,
      },
    );
  }, patience);

  afterAll(() => server.close());

  const unanswered = () =>
    promisedRows.filter(
      ({ operation, row }) => !(answers.get(operation) ?? []).some((answer) => isRefusal(answer, row)),
    );

  test("is every error row that an operation declares, but for the known gaps", () => {
    const missing = unanswered().filter((promise) => !knownGaps.some((known) => isSamePromise(known, promise)));
    expect(missing.map(promiseText)).toEqual([]);
  });

  test("is no error row that the operation does not declare", () => {
    const undeclared = [...answers].flatMap(([operation, own]) => {
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
    const closed = knownGaps.filter(
      (gap) => checksRaising(gap, allChecks).length > 0 && !open.some((promise) => isSamePromise(promise, gap)),
    );
    expect(closed.map(promiseText), "delete it from conformance/promises/known-gaps.ts").toEqual([]);
  });
});

/** Rows that the reference adds to the document's, such as for a body that is too large. */
const isOutsideContract = (answer: WireAnswer): boolean =>
  Object.entries(errorRows).some(
    ([, row]) => row.extension && row.referenceStatus === answer.status && answer.bytes.toString().includes(row.code),
  );
