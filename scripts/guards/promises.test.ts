import { describe, expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { gapNotice, unraisedRows } from "../../conformance/promises/gap-notice.ts";
import { knownGaps } from "../../conformance/promises/known-gaps.ts";
import { isSamePromise, promisedRows, promiseText } from "../../conformance/promises/promised-row.ts";
import { withoutSoundInput } from "../../conformance/steps/sound-input.ts";

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
