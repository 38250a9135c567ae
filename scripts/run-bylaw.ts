import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const launcher = resolve(import.meta.dirname, "bylaw.js");

/** Runs the command line as a user does: a process of its own, in a folder, without a terminal. */
export function runBylaw(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { code: status, stdout, stderr };
}
