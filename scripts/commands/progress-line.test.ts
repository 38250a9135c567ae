import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { CheckResult } from "../../conformance/runner/run-result.ts";
import { newProgressLine, progressText } from "./progress-line.ts";

const check: CheckResult = {
  ...{ id: "api-keys.read-back", title: "A created key reads back", operation: null, verdict: "fail" },
  ...{ durationMs: 10, requests: 2 },
};

test("the line tells how far the run is and how long it may take", () => {
  expect(progressText({ done: 0, total: 40, check: null, elapsedMs: 0 }, 0)).toBe("0/40 checks · 1 s");
  expect(progressText({ done: 12, total: 40, check, elapsedMs: 9000 }, 1)).toBe(
    "12/40 checks · 1 with a violation · 9 s, about 21 s left · api-keys.read-back done",
  );
});

test("nothing is written where nobody watches, and the line is removed where somebody does", () => {
  for (const isTTY of [false, true]) {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 40 });
    const line = newProgressLine(stream);
    line.update({ done: 1, total: 2, check, elapsedMs: 1000 });
    line.end();
    const written = String(stream.read() ?? "");
    expect(written === "").toBe(!isTTY);
    if (isTTY) expect(written.endsWith("\r\u001b[2K")).toBe(true);
  }
});
