import { vi } from "vitest";
import { commandLine } from "./command-line.ts";
import type { Ended } from "./run-bylaw.ts";

/** Thrown where a process of its own would be gone. */
class Gone extends Error {}

/**
 * Calls the command line within this process, one call at a time: its modules are read once for all of them, as each
 * process would read them anew. `runBylaw` shows that a process ends as is told here. Variables whose names begin with
 * BYLAW_ come from `env` alone. `call` is the command line of another copy of the project, as it was when it was read.
 */
export async function callBylaw(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  call: typeof commandLine = commandLine,
): Promise<Ended> {
  const ended = { code: null as number | null, stdout: "", stderr: "" };
  const { exitCode } = process;
  const cwd = process.cwd();
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      if (ended.code === null) ended[name] += String(chunk);
      return true;
    }),
  );
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    ended.code ??= Number(code ?? process.exitCode ?? 0);
    throw new Gone();
  });
  const outside = Object.keys(process.env).filter((name) => name.startsWith("BYLAW_"));
  const variables = { ...Object.fromEntries(outside.map((name) => [name, undefined])), ...env };
  const replaced = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  setVariables(Object.entries(variables));
  process.exitCode = undefined;
  process.chdir(folder);
  try {
    await call(args);
    ended.code ??= Number(process.exitCode ?? 0);
  } catch (problem) {
    if (!(problem instanceof Gone)) throw problem;
  } finally {
    process.chdir(cwd);
    process.exitCode = exitCode;
    setVariables(replaced);
    for (const spy of [...spies, exit]) spy.mockRestore();
  }
  return ended;
}

function setVariables(variables: readonly (readonly [name: string, value: string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
