import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import { newHookCaller } from "../hooks/hook-caller.ts";
import { Blocked } from "../outcome/verdict.ts";
import { clockOf, createOrganization } from "./hook-organization.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-hook-organization-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Hooks that all answer this. */
function answering(name: string, answer: unknown) {
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, `export const hook = () => (${JSON.stringify(answer)});`);
  const hook = { kind: "module", path, name: "hook" } as const;
  const secrets = newSecrets();
  const target = { hooks: { new_organization: hook, advance: hook }, baseUrl: "http://h" };
  return { secrets, hooks: newHookCaller(target, secrets, new AbortController().signal) };
}

test("a new organization's key is a secret from then on", async () => {
  const { hooks, secrets } = answering("new", { id: "o1", key: "svc_live_from_hook", clock: "manual" });
  expect(await createOrganization(hooks, "manual", {})).toMatchObject({
    id: "o1",
    key: "svc_live_from_hook",
    clock: "manual",
  });
  expect(secrets.redact("Bearer svc_live_from_hook")).toBe(`Bearer \${HOOK_KEY_1}`);
});

test.each([
  ["no-id", { key: "svc_live_from_hook" }, "no id"],
  ["empty-id", { id: "", key: "svc_live_from_hook" }, "the id of its answer"],
  ["no-key", { id: "o1" }, "no key"],
  ["broken-key", { id: "o1", key: "svc_live\nbroken" }, "no key"],
  ["clock", { id: "o1", key: "svc_live_from_hook", clock: "standing" }, "must be one of manual, real"],
])("%s blocks, and shows no key", async (name, answer, why) => {
  const { hooks } = answering(name, answer);
  const problem: unknown = await createOrganization(hooks, "real", {}).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Blocked);
  expect(String(problem)).toContain(why);
  expect(String(problem)).not.toContain("svc_live");
});

test("time runs by itself unless the hook says otherwise", async () => {
  expect(await clockOf(answering("silent-clock", {}).hooks, null)).toBe("real");
  expect(await clockOf(answering("manual-clock", { clock: "manual" }).hooks, null)).toBe("manual");
});
