import type { Includes } from "../../compiler/diff/judge.ts";
import type { ProgressLine } from "../soak/progress-line.ts";

/** Milliseconds before the line is first drawn, and between one and the next: short comparisons draw none. */
const untilFirst = 1000;
const untilNext = 200;

/** The comparison, which tells on the line how many pairs of schemas it has been asked for. `now` is in milliseconds. */
export function tellingProgress(includes: Includes, line: ProgressLine, now = () => performance.now()): Includes {
  let pairs = 0;
  let next = now() + untilFirst;
  return (inner, outer) => {
    if (now() >= next) {
      line.say(`${pairs.toLocaleString("en")} pairs of schemas compared`);
      next = now() + untilNext;
    }
    pairs += 1;
    return includes(inner, outer);
  };
}
