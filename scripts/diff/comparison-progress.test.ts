import { expect, it } from "vitest";
import { progressLine } from "../soak/progress-line.ts";
import { tellingProgress } from "./comparison-progress.ts";

/** What a stream gets while this many pairs are compared, each for so many milliseconds. */
function drawn(isTTY: boolean, comparisons: number, each: number): readonly string[] {
  const written: string[] = [];
  let time = 0;
  const line = progressLine({ isTTY, columns: 80, write: (text) => written.push(text) > 0 });
  const includes = tellingProgress(
    () => {
      time += each;
      return { kind: "included" };
    },
    line,
    () => time,
  );
  const any = { schema: {}, components: {} };
  for (let count = 0; count < comparisons; count += 1) includes(any, any);
  line.end();
  return written;
}

it("a long comparison tells on a terminal how far it is, not at every pair, and then removes the line", () => {
  const written = drawn(true, 1500, 1);
  expect(written.map((text) => /\d[\d,]* pairs/.exec(text)?.[0] ?? text)).toEqual([
    ...["1,000 pairs", "1,200 pairs", "1,400 pairs"],
    "\r\u001b[2K",
  ]);
});

it("a short one tells nothing, and none does where there is no terminal", () => {
  expect(drawn(true, 900, 1)).toEqual(["\r\u001b[2K"]);
  expect(drawn(false, 1500, 1)).toEqual([]);
});
