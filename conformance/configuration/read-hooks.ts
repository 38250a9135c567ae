import { dirname, resolve } from "node:path";
import type { Hook, Hooks } from "../target/target.ts";
import type { HookFile } from "./target-schema.ts";
import { addressIn, type Reading } from "./target-sources.ts";

/** The hooks of a target file. Relative paths start from the file's folder. */
export function readHooks(reading: Reading, hooks: Readonly<Record<string, HookFile>>): Hooks {
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([name, inFile]) => {
      const hook = hookOf(reading, name, inFile);
      const { settings } = inFile;
      return hook === null ? [] : [[name, settings === undefined ? hook : { ...hook, settings }]];
    }),
  );
}

function hookOf(reading: Reading, name: string, { command, url, module, export: exported }: HookFile): Hook | null {
  const folder = dirname(reading.sources.file?.name ?? ".");
  const located = (path: string): string => resolve(folder, path);
  if (command !== undefined) {
    const [program = "", ...rest] = command;
    return { kind: "command", command: [/^\.\.?\//.test(program) ? located(program) : program, ...rest] };
  }
  if (url !== undefined) {
    const where = reading.file.placeOf(["hooks", name, "url"]);
    return { kind: "url", url: addressIn(reading, { value: url, where }, "hook") };
  }
  return module === undefined || exported === undefined
    ? null
    : { kind: "module", path: located(module), name: exported };
}
