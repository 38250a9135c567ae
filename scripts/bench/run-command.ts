import { spawn } from "node:child_process";
import { once } from "node:events";

/** What a process took from its start to its end. */
export interface Usage {
  /** By the clock. */
  readonly seconds: number;
  /** Of all its threads together, with what the system did for it. */
  readonly processorSeconds: number;
  /** The most memory that was resident at one time. */
  readonly peakMiB: number;
}

/** Loaded before the program: what a process took in all it alone can tell on every system, at its end. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(3, [(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024].join(" "));
  });
`)}`;

/** Runs a program as a process of its own. Throws when it fails. */
export async function usageOf(args: readonly string[], cwd: string): Promise<Usage> {
  const start = performance.now();
  const stdio = ["ignore", "pipe", "pipe", "pipe"] as const;
  const child = spawn(process.execPath, ["--import", telling, ...args], { cwd, stdio: [...stdio] });
  const [, out, err, usage] = child.stdio;
  let output = "";
  let told = "";
  for (const stream of [out, err]) stream?.on("data", (chunk) => (output += String(chunk)));
  usage?.on("data", (chunk) => (told += String(chunk)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}.\n${output.slice(-2000)}`);
  const [processorSeconds, peakMiB] = told.split(" ").map(Number);
  if (processorSeconds === undefined || peakMiB === undefined) throw new Error(`${args.join(" ")} told no usage.`);
  return { seconds: (performance.now() - start) / 1000, processorSeconds, peakMiB };
}
