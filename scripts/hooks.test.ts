import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Results } from "../conformance/reports/results-json.ts";
import { createOrganization, createOrganizationKey } from "../generated/client/sandbox-organizations.ts";
import { documentedScopes } from "../generated/scopes.ts";
import { type Reference, startReference } from "./commands/reference-target.ts";
import { spawnCommand } from "./commands/spawn-command.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-hooked-"));
const [client, webhooks] = ["sandbox-organizations.ts", "sandbox-webhooks.ts"].map((file) =>
  resolve(import.meta.dirname, "../generated/client", file),
);
let reference: Reference;

// What an implementer would write on top of the controls of its own test environment; here those are the sandbox.
const hooks = `
import { advanceClock, createOrganization, createOrganizationKey, revokeOrganizationKey } from ${JSON.stringify(client)};
import * as webhooks from ${JSON.stringify(webhooks)};

const transport = { baseUrl: process.env.CONTROLS_URL, token: process.env.CONTROLS_TOKEN };
const done = (answer) => {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
};

export async function newOrganization({ clock }) {
  const { id } = done(await createOrganization(transport, { body: { clock } }));
  const scopes = ${JSON.stringify(documentedScopes)};
  const { plaintext } = done(await createOrganizationKey(transport, { path: { id }, body: { scopes } }));
  return { id, key: plaintext, clock };
}

export async function revokeKey({ organization_id, key_id }) {
  done(await revokeOrganizationKey(transport, { path: { id: organization_id, key_id } }));
}

export async function advance({ organization_id, seconds }) {
  if (organization_id === null) return { clock: "real" };
  done(await advanceClock(transport, { path: { id: organization_id }, body: { seconds } }));
  return { clock: "manual" };
}

export async function emitEvent({ organization_id, type, data }) {
  return done(await webhooks.emitEvent(transport, { path: { id: organization_id }, body: { type, data } }));
}

export async function changeEndpoint({ organization_id, endpoint_id, active, events }) {
  const change = JSON.parse(JSON.stringify({ active, events }));
  done(await webhooks.changeEndpoint(transport, { path: { id: organization_id, endpoint_id }, body: change }));
}

export async function sendCallback({ organization_id, url }) {
  done(await webhooks.sendCallback(transport, { path: { id: organization_id }, body: { url } }));
}
`;

// The same by a command, to show that the forms of a hook mix.
const revoke = `
import { revokeKey } from "./hooks.mjs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
await revokeKey(JSON.parse(text));
`;

beforeAll(async () => {
  reference = await startReference({});
  writeFileSync(join(scratch, "hooks.mjs"), hooks);
  writeFileSync(join(scratch, "revoke.mjs"), revoke);
});

afterAll(async () => {
  await reference.close();
  rmSync(scratch, { recursive: true });
});

/** A key of an organization whose limits nothing has drawn on. */
async function newKey(): Promise<string> {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const created = await createOrganization(sandbox, { body: {} });
  if (!created.ok) throw new Error(created.error.message);
  const path = { id: created.data.id };
  const granted = await createOrganizationKey(sandbox, { path, body: { scopes: documentedScopes } });
  if (!granted.ok) throw new Error(granted.error.message);
  return granted.data.plaintext;
}

async function verify(name: string, hooksOfTarget: string, more: readonly string[] = []): Promise<Results> {
  const target = join(scratch, `${name}.yaml`);
  const { baseUrl, sandbox } = reference.target;
  writeFileSync(target, `base_url: ${baseUrl}\nkey: \${KEY}\ntiming: { max_wait: 0s }\n${hooksOfTarget}`);
  const key = await newKey();
  const report = join(scratch, name);
  const flags = ["--target", target, "--profile", "full", "--allow", "exhausts", "--report", report, ...more];
  const { code, err } = await spawnCommand(["verify", ...flags], {
    environment: { KEY: key, CONTROLS_URL: baseUrl, CONTROLS_TOKEN: sandbox?.token ?? "" },
  });
  expect([code, err]).toEqual([0, expect.not.stringContaining("error:")]);
  const text = readFileSync(join(report, "results.json"), "utf8");
  expect(text).not.toContain(key);
  return JSON.parse(text);
}

const decided = ({ rules }: Results): readonly string[] =>
  rules.filter((r) => r.verdict !== "blocked" && r.verdict !== "not_applicable").map((r) => r.id);

describe("hooks on top of an implementation's own controls", () => {
  test("decide every rule that they can reach, without waiting", async () => {
    const without = decided(await verify("without", ""));
    const hooked = await verify(
      "with",
      `hooks:
  new_organization: { module: ./hooks.mjs, export: newOrganization }
  advance: { module: ./hooks.mjs, export: advance }
  emit_event: { module: ./hooks.mjs, export: emitEvent }
  change_endpoint: { module: ./hooks.mjs, export: changeEndpoint }
  send_callback: { module: ./hooks.mjs, export: sendCallback }
  revoke_key: { command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(join(scratch, "revoke.mjs"))}] }
receiver: { listen: "127.0.0.1:0" }
`,
    );
    const more = decided(hooked).filter((rule) => !without.includes(rule));
    // Another organization, a revoked key, its time of revocation, and limits on a clock that the kit moves.
    expect(more).toEqual(expect.arrayContaining(["TEN-01", "AUTH-05", "KEYG-07", "KEYC-29", "KEYC-33"]));
    // Events of chosen types, callbacks, and deliveries that arrive.
    expect(more).toEqual(expect.arrayContaining(["WHE-10", "WHE-11", "WHO-03", "WHR-13"]));
    expect(without.filter((rule) => !decided(hooked).includes(rule))).toEqual([]);
    expect(hooked.waitedSeconds).toBe(0);
    expect(hooked.rules.filter((r) => r.verdict === "fail" || r.verdict === "kit_error")).toEqual([]);
    expect(hooked.leftBehind).toContainEqual(expect.stringMatching(/^organization /));
    expect(hooked.leftBehind).not.toContainEqual(expect.stringMatching(/^webhook endpoint /));
  });

  test("block what they fail to arrange, and break no rule", async () => {
    const failing = await verify("failing", "hooks: { revoke_key: { command: [/bin/false] } }\n", ["--only", "KEYG"]);
    expect(failing.rules.find((r) => r.id === "KEYG-07")).toMatchObject({
      verdict: "blocked",
      message: "the hook revoke_key failed: it ended with code 1",
      unblock: "mend the hook revoke_key of the target file, or leave it out",
    });
  });
});
