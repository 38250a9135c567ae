import { expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { newMadeEndpoints } from "./made-endpoints.ts";

const exchange = (operation: string, path: string, status: number, data: unknown): Exchange => ({
  ...{ number: 1, operation, sentAt: 0, answeredAt: 0 },
  request: { method: "POST", url: `http://127.0.0.1:1${path}`, headers: {}, body: null },
  outcome: {
    ...{ kind: "response", status, headers: {}, text: "", truncated: false },
    json: status < 300 ? { success: true, data } : { success: false, error: {} },
  },
});

const created = (data: unknown, status = 201): Exchange =>
  exchange("createWebhookEndpoint", "/v1/webhooks", status, data);
const deleted = (id: string, status = 200): Exchange =>
  exchange("deleteWebhookEndpoint", `/v1/webhooks/${id}`, status, null);

const as = (name: string): Credential => ({
  ...{ name, token: name, id: null, scopes: null },
  // No call of it is made here.
  tenant: {} as Tenant,
});

async function removed(made: ReturnType<typeof newMadeEndpoints>): Promise<readonly string[]> {
  const calls: string[] = [];
  await made.remove(async (id, { name }) => {
    calls.push(`${id} by ${name}`);
    const gone = deleted(id);
    made.note(gone, as(name));
    return gone;
  });
  return calls;
}

test("what a check created and did not delete is removed by whoever created it, once", async () => {
  const made = newMadeEndpoints({});
  made.note(created({ id: "one" }), as("us"));
  made.note(created({ id: "two" }), as("them"));
  made.note(created({ id: "three" }), as("us"));
  made.note(created({ id: "refused" }, 409), as("us"));
  made.note(deleted("two", 404), as("us"));
  made.note(deleted("three"), as("us"));
  expect(await removed(made)).toEqual(["one by us", "two by them"]);
  expect(await removed(made)).toEqual([]);
});

test("an id is read where the target has it", async () => {
  const made = newMadeEndpoints({ createWebhookEndpoint: { request: {}, response: { id: "hook.key" } } });
  made.note(created({ hook: { key: "one" } }), as("us"));
  made.note(created({ id: "two" }), as("us"));
  expect(await removed(made)).toEqual(["one by us"]);
});
