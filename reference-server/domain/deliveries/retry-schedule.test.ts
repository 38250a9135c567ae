import { describe, expect, it } from "vitest";
import type { ReceiverAnswer } from "./receiver-answer.ts";
import { afterAttempt, usualSchedule } from "./retry-schedule.ts";

const answered = (status: number): ReceiverAnswer => ({ kind: "answered", status, excerpt: "", milliseconds: 1 });
const unanswered: ReceiverAnswer = { kind: "unanswered", error: "the connection was refused", milliseconds: 1 };

describe("what follows an attempt", () => {
  it.each([200, 201, 204, 299])("is success for %i, whichever attempt it was", (status) => {
    for (const attempt of [1, 8])
      expect(afterAttempt(attempt, answered(status))).toEqual({ outcome: "success", dueIn: null });
  });

  it.each([100, 199, 300, 301, 304, 307, 308, 400, 404, 429, 500, 503, 599])("is another attempt for %i", (status) => {
    expect(afterAttempt(1, answered(status))).toEqual({ outcome: "retry", dueIn: 5_000 });
  });

  it("is another attempt after the scheduled time until the eighth failure, which is dead", () => {
    const verdicts = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => afterAttempt(attempt, unanswered));
    const [s, min, h] = [1_000, 60_000, 3_600_000];
    expect(verdicts.map(({ dueIn }) => dueIn)).toEqual([5 * s, 5 * min, 30 * min, 2 * h, 5 * h, 10 * h, 10 * h, null]);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual([...Array(7).fill("retry"), "dead"]);
  });

  it("is dead at once for 410, unless the schedule says otherwise", () => {
    expect(afterAttempt(1, answered(410))).toEqual({ outcome: "dead", dueIn: null });
    const patient = { ...usualSchedule, goneIsDead: false };
    expect(afterAttempt(1, answered(410), patient)).toEqual({ outcome: "retry", dueIn: 5_000 });
  });

  it("is dead for a failure past the end of a schedule that has become shorter", () => {
    expect(afterAttempt(9, unanswered, { waits: [0, 1], goneIsDead: true }).outcome).toBe("dead");
  });
});
