import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const script = resolve(import.meta.dirname, "contract-gate.sh");

/** The environment of a CI that is neither GitHub nor GitLab, whatever runs these tests. */
const bare = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI$|CI_|CONTRACT_|BYLAW)/.test(name)),
);

/** Runs the script of the gate in a folder. */
export async function runGate(
  folder: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly out: string; readonly stdout: string }> {
  const child = spawn("bash", [script, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 170_000,
    env: { ...bare, ...env },
  });
  let [out, stdout] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    out += String(chunk);
  });
  await once(child, "close");
  return { code: child.exitCode, out, stdout };
}

/** Runs git in a folder, as an author of its own. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...author, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
