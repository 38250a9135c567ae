import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const moduleOf = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
const program = `
  import { Command } from ${JSON.stringify(import.meta.resolve("commander"))};
  import { addClean } from ${moduleOf("clean.ts")};
  import { addDoctor } from ${moduleOf("doctor.ts")};
  import { addReplay } from ${moduleOf("replay.ts")};
  import { addVerify } from ${moduleOf("verify.ts")};
  const program = new Command("bylaw");
  for (const add of [addClean, addDoctor, addReplay, addVerify]) add(program);
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
  /** Where it runs, and keeps its journal; a folder of its own when left out. */
  readonly folder?: string;
  /** Called with the process's id. */
  readonly started?: (pid: number) => void;
}

/** Runs a command as a process of its own, for tests. */
export async function spawnCommand(flags: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  const { environment = {}, input = "", started } = options;
  const scratch = options.folder === undefined ? mkdtempSync(join(tmpdir(), "bylaw-command-")) : null;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("BYLAW_"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", ...flags], {
    cwd: options.folder ?? scratch ?? undefined,
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
  if (scratch !== null) rmSync(scratch, { recursive: true });
  return { code: typeof code === "number" ? code : null, ...written };
}
