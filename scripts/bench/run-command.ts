import { spawn } from "node:child_process";
import { once } from "node:events";

/** Seconds that a program takes as a process of its own, from its start to its end. Throws when it fails. */
export async function secondsOf(args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}.\n${output.slice(-2000)}`);
  return (performance.now() - start) / 1000;
}
