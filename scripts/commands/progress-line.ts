import type { Progress } from "../../conformance/runner/run.ts";
import { durationText } from "../../conformance/target/duration.ts";

/** One line on a terminal that tells how far a run is. */
export interface ProgressLine {
  update(progress: Progress): void;
  /** Removes the line for good. */
  end(): void;
}

/** The part of a stream that matters here. */
type Terminal = Pick<NodeJS.WriteStream, "columns" | "isTTY"> & { write(text: string): boolean };

/** Nothing is written where the stream is no terminal. Between updates the line keeps counting seconds. */
export function newProgressLine(stream: Terminal): ProgressLine {
  if (stream.isTTY !== true) return { update: () => undefined, end: () => undefined };
  let last: Progress | null = null;
  let updatedAt = 0;
  let violations = 0;
  const draw = (): void => {
    if (last === null) return;
    const elapsedMs = last.elapsedMs + Date.now() - updatedAt;
    const line = progressText({ ...last, elapsedMs }, violations);
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  const ticking = setInterval(draw, 1000);
  ticking.unref();
  return {
    update(progress) {
      last = progress;
      updatedAt = Date.now();
      if (progress.check?.verdict === "fail") violations += 1;
      draw();
    },
    end() {
      clearInterval(ticking);
      last = null;
      stream.write("\r\u001b[2K");
    },
  };
}

/** "12/40 checks · 1 with a violation · 9 s, about 21 s left · api-keys.read-back done". */
export function progressText({ done, total, check, elapsedMs }: Progress, violations: number): string {
  const seconds = (milliseconds: number): string =>
    durationText(Math.max(1000, Math.round(milliseconds / 1000) * 1000));
  const left = done === 0 || done === total ? "" : `, about ${seconds((elapsedMs / done) * (total - done))} left`;
  return [
    `${done}/${total} checks`,
    violations === 0 ? null : `${violations} with a violation`,
    seconds(elapsedMs) + left,
    check === null ? null : `${check.id} done`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
