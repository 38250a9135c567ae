import { type ChildProcess, spawn } from "node:child_process";
import { onOneLine } from "../target/on-one-line.ts";
import { HookFailure, longestAnswer } from "./hook-failure.ts";

/**
 * Runs a program without a shell: `input` on its standard input, its standard output as the answer. When `signal`
 * fires, or it prints too much, it ends with all that it started.
 */
export function runCommand(command: readonly string[], input: string, signal: AbortSignal): Promise<string> {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    // A process group of its own, so that what a script started ends with it.
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], detached: true });
    const printed: Buffer[] = [];
    let size = 0;
    let complaint = "";
    const end = (failure: HookFailure | null): void => {
      signal.removeEventListener("abort", stop);
      if (failure === null) resolve(Buffer.concat(printed).toString("utf8"));
      else reject(failure);
    };
    const stop = (): void => {
      endGroup(child);
      end(new HookFailure("it was still running when its time was up"));
    };
    child.on("error", ({ message }) => end(new HookFailure(`it could not be started (${onOneLine(message)})`)));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= longestAnswer) return void printed.push(chunk);
      endGroup(child);
      end(new HookFailure(`it printed more than ${longestAnswer / 1024} KiB`));
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-longestAnswer);
    });
    child.on("close", (code, killed) => {
      const how = code === null ? `was ended by ${killed ?? "a signal"}` : `ended with code ${code}`;
      end(code === 0 ? null : new HookFailure(`it ${how}${lastLineOf(complaint)}`));
    });
    // A program that does not read its input may close it early.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
}

/** What a program said last on standard error. */
function lastLineOf(text: string): string {
  const last = text.trim().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : `: ${onOneLine(last).slice(0, 200)}`;
}
