import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import type { Signed } from "../receiver/signature.ts";
import type { Hook, Hooks } from "../target/target.ts";
import { hookCalls } from "./hook-calls.ts";

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
  const hooks = { verifySignature: { kind: "module", path, name: "verify" } } as const;
  const { verifySignature } = hookCalls({ hooks, baseUrl: "http://h" }, newSecrets(), new AbortController().signal);
  if (verifySignature === null) throw new Error("The hook is not there.");
  return verifySignature(delivery, "the secret");
}

/** A hook that answers what it was asked, and more. */
function echo(name: string, more: string): Hook {
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, `export const hook = async (input) => { globalThis.asked = input; return ${more}; };\n`);
  return { kind: "module", path, name: "hook" };
}

const asked = (): unknown => Reflect.get(globalThis, "asked");
const callsOf = (hooks: Hooks) => hookCalls({ hooks, baseUrl: "http://h" }, newSecrets(), new AbortController().signal);

describe("the hooks that arrange deliveries", () => {
  test("get what is to be arranged and for whom", async () => {
    const all = { emitEvent: echo("emit", "{ event_id: 'evt_1' }"), changeEndpoint: echo("change", "{}") };
    const { emitEvent, changeEndpoint, sendCallback } = callsOf({ ...all, sendCallback: echo("send", "undefined") });
    expect(await emitEvent?.("lookup.completed", { n: 1 }, "o1")).toBe("evt_1");
    const event = { type: "lookup.completed", data: { n: 1 }, organization_id: "o1" };
    expect(asked()).toEqual({ hook: "emit_event", base_url: "http://h", ...event });
    await changeEndpoint?.("e1", { active: false }, null);
    const change = { endpoint_id: "e1", active: false, organization_id: null };
    expect(asked()).toEqual({ hook: "change_endpoint", base_url: "http://h", ...change });
    await sendCallback?.("http://inbox", "o1");
    const callback = { url: "http://inbox", organization_id: "o1" };
    expect(asked()).toEqual({ hook: "send_callback", base_url: "http://h", ...callback });
  });

  test("need not say which event they made, and block when they say it wrong", async () => {
    const silent = callsOf({ emitEvent: echo("silent-emit", "{}") });
    expect(await silent.emitEvent?.("lookup.completed", {}, null)).toBeNull();
    const wrong = callsOf({ emitEvent: echo("wrong-emit", "{ event_id: 1 }") });
    await expect(wrong.emitEvent?.("lookup.completed", {}, null)).rejects.toThrow(
      "the hook emit_event failed: the event_id of its answer is no text",
    );
  });

  test("are not there when the target has none", () => {
    const { emitEvent, changeEndpoint, sendCallback } = callsOf({});
    expect([emitEvent, changeEndpoint, sendCallback]).toEqual([null, null, null]);
  });
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
    const message = "the hook verify_signature failed: its answer has no valid that is true or false";
    await expect(judge("silent", "return { valid: 'yes' };")).rejects.toThrow(message);
    await expect(judge("echo", "return input;")).rejects.toThrow(message);
  });

  test("is not there when the target has none", () => {
    const calls = hookCalls({ hooks: {}, baseUrl: "http://h" }, newSecrets(), new AbortController().signal);
    expect(calls.verifySignature).toBeNull();
  });
});
