import { dirname, resolve } from "node:path";
import type { Hook, Hooks } from "./target.ts";
import type { HookFile } from "./target-schema.ts";
import { addressIn, type Reading } from "./target-sources.ts";

/** What each hook is called in a target file, and here. */
const names = {
  ...{ revoke_key: "revokeKey", new_organization: "newOrganization", delete_organization: "deleteOrganization" },
  ...{ advance: "advance", emit_event: "emitEvent", change_endpoint: "changeEndpoint" },
  ...{ send_callback: "sendCallback", verify_signature: "verifySignature" },
} as const satisfies Readonly<Record<string, keyof Hooks>>;

export const hookNames: readonly (readonly [name: string, ours: keyof Hooks])[] = Object.entries(names);

/** The hooks of a target file. Relative paths start from the file's folder. */
export function readHooks(reading: Reading, hooks: Readonly<Record<string, HookFile>>): Hooks {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, ours]) => {
      const hook = hooks[name] === undefined ? null : hookOf(reading, name, hooks[name]);
      return hook === null ? [] : [[ours, hook]];
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
