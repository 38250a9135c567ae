import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import type { Signed } from "../receiver/signature.ts";
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
