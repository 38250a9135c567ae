import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const program = `
  import { Command } from "commander";
  import { addDoctor } from "./scripts/commands/doctor.ts";
  import { addReplay } from "./scripts/commands/replay.ts";
  import { addVerify } from "./scripts/commands/verify.ts";
  const program = new Command("bylaw");
  for (const add of [addDoctor, addReplay, addVerify]) add(program);
  await program.parseAsync(["node", "bylaw", ...process.argv.slice(1)]);
`;

export interface Spawned {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SpawnOptions {
  /** Variables whose names begin with BYLAW_ come from here alone. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called with the process's id. */
  readonly started?: (pid: number) => void;
}

/** Runs a command as a process of its own, for tests. */
export async function spawnCommand(flags: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  const { environment = {}, input = "", started } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("BYLAW_"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", ...flags], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid !== undefined) started?.(child.pid);
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    written.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    written.err += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, ...written };
}
