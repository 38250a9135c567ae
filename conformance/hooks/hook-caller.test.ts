import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hookDefinitions } from "../arrangements/all.ts";
import type { HookDefinition } from "../arrangements/requirement.ts";
import { newSecrets } from "../exchange/redaction.ts";
import type { Signed } from "../receiver/signature.ts";
import type { Hook, Hooks } from "../target/target.ts";
import { newHookCaller } from "./hook-caller.ts";
import { signatureHook } from "./signature-hook.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-hook-calls-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const delivery: Signed = {
  headers: [
    ["X-Svc-Signature", "of another form"],
    ["X-Twice", "1"],
    ["x-twice", "2"],
  ],
  body: Buffer.from([0x7b, 0xff, 0x7d]),
  ...{ truncated: false, broken: false },
};

/** Asks a verify_signature hook with this body about the delivery. */
function judge(name: string, hook: string): Promise<boolean> {
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, `export const verify = async (input) => { ${hook} };\n`);
  const verify = signatureHook(callerOf({ verify_signature: { kind: "module", path, name: "verify" } }));
  if (verify === null) throw new Error("The hook is not there.");
  return verify(delivery, "the secret");
}

/** A hook that answers what it was asked, and more. */
function echo(name: string, more: string): Hook {
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, `export const hook = async (input) => { globalThis.asked = input; return ${more}; };\n`);
  return { kind: "module", path, name: "hook" };
}

const asked = (): unknown => Reflect.get(globalThis, "asked");
const callerOf = (hooks: Hooks) =>
  newHookCaller({ hooks, baseUrl: "http://h" }, newSecrets(), new AbortController().signal);

const emitEvent = hookNamed("emit_event");

function hookNamed(name: string): HookDefinition {
  const found = hookDefinitions.find((hook) => hook.name === name);
  if (found === undefined) throw new Error(`There is no hook ${name}.`);
  return found;
}

describe("a hook", () => {
  test("gets what is to be arranged, its own name and the target's address", async () => {
    const caller = callerOf({ emit_event: echo("emit", "{ event_id: 'evt_1' }") });
    const event = { type: "lookup.completed", data: { n: 1 }, organization_id: "o1" };
    expect(await caller.ask(emitEvent, event)).toEqual({ event_id: "evt_1" });
    expect(asked()).toEqual({ hook: "emit_event", base_url: "http://h", ...event });
  });

  test("may leave out what its definition lets it, and blocks when it answers something else", async () => {
    const silent = callerOf({ emit_event: echo("silent-emit", "{}") });
    expect(await silent.ask(emitEvent, {})).toEqual({});
    const wrong = callerOf({ emit_event: echo("wrong-emit", "{ event_id: 1 }") });
    await expect(wrong.ask(emitEvent, {})).rejects.toThrow(
      "the hook emit_event failed: the event_id of its answer must be string",
    );
  });

  test("that the target does not have is not there", async () => {
    const caller = callerOf({});
    expect(caller.has(emitEvent)).toBe(false);
    await expect(caller.ask(emitEvent, {})).rejects.toThrow("the target has no hook emit_event");
  });

  test.each(hookDefinitions.map((hook) => [hook.name, hook] as const))(
    "%s describes what it gets and answers",
    (_, hook) => {
      const { input, answer, secret } = hook;
      for (const { properties, optional = [] } of [input, answer]) {
        expect(Object.keys(properties)).toEqual(expect.arrayContaining([...optional]));
      }
      expect(secret === undefined || Object.hasOwn(answer.properties, secret)).toBe(true);
    },
  );
});

describe("the hook that judges signatures", () => {
  test("gets headers by lower-case names, the bytes in base64 and the secret", async () => {
    const seen = {
      hook: "verify_signature",
      base_url: "http://h",
      headers: { "x-svc-signature": "of another form", "x-twice": "1, 2" },
      body: delivery.body.toString("base64"),
      secret: "the secret",
    };
    const same = `JSON.stringify(input) === ${JSON.stringify(JSON.stringify(seen))}`;
    expect(await judge("same", `return { valid: ${same} };`)).toBe(true);
    expect(await judge("false", "return { valid: false };")).toBe(false);
  });

  test("blocks when it does not say, and shows no secret", async () => {
    const message = "the hook verify_signature failed: the valid of its answer must be boolean";
    await expect(judge("silent", "return { valid: 'yes' };")).rejects.toThrow(message);
    await expect(judge("echo", "return input;")).rejects.toThrow(
      "the hook verify_signature failed: its answer has no valid",
    );
  });

  test("is not there when the target has none", () => {
    expect(signatureHook(callerOf({}))).toBeNull();
  });
});
