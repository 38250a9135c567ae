import type { Finding } from "../check/verdict.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { RunResult } from "../runner/run-result.ts";

/** The command that runs a finding's check again with the same values; secrets come from the environment. */
export function replayCommand({ seed, profile }: RunResult, { check, path }: Finding): string {
  // The monitor watches every check: what it found is found again by all of them.
  const only = check === monitorId ? [] : ["--only", check];
  const counterexample = path === null ? [] : ["--path", path];
  const reach = profile === "core" ? [] : ["--profile", profile];
  return ["npx", "bylaw", "verify", ...only, ...reach, "--seed", String(seed), ...counterexample].join(" ");
}
