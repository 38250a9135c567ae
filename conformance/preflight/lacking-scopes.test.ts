import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import { readTarget } from "../configuration/read-target.ts";
import type { Target } from "../target/target.ts";
import { lackingScopes } from "./lacking-scopes.ts";

/** A target that answers so to calls whose path begins so, and that finds nothing under any other; with its calls. */
async function targetRefusing(prefix: string, row: "Forbidden" | "Unauthorized") {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = "" } = request;
    calls.push(`${method} ${url.replace(/[0-9a-f-]{36}/, "{id}")}`);
    const { status, code } = method === "POST" && url.startsWith(prefix) ? errorRows[row] : errorRows.NotFound;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: false, error: { code, message: "No.", request_id: "1" } }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const flags = { "--url": `http://127.0.0.1:${port}` };
  const read = readTarget({ file: null, environment: { BYLAW_API_KEY: "svc_live_key" }, flags });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return { target: read.target, calls };
}

const webhooks = operations.createWebhookEndpoint.path;

test("a scope for which a key is refused is told with what needs it", async () => {
  const { target, calls } = await targetRefusing(webhooks, "Forbidden");
  const [lacking, ...more] = await lackingScopes(target);
  expect(more).toEqual([]);
  expect(lacking?.scope).toBe(operations.createWebhookEndpoint.scope);
  expect(lacking?.operations).toContain(operations.createWebhookEndpoint.id);
  expect(lacking?.rules).toBeGreaterThan(10);
  // Reads, and changes of what does not exist.
  for (const call of calls) expect(call).toMatch(/^GET |\{id\}/);
});

test("any other answer leaves open what the key holds", async () => {
  const { target } = await targetRefusing(webhooks, "Unauthorized");
  expect(await lackingScopes(target)).toEqual([]);
});

test("resources that the target does not serve are not asked for, and nothing is without a key", async () => {
  const { target, calls } = await targetRefusing(webhooks, "Forbidden");
  const keysOnly: Target = { ...target, implements: [operations.createApiKey.resource] };
  expect(await lackingScopes(keysOnly)).toEqual([]);
  expect(calls).not.toContainEqual(expect.stringContaining(webhooks));
  calls.length = 0;
  expect(await lackingScopes({ ...target, key: null })).toEqual([]);
  expect(calls).toEqual([]);
});
