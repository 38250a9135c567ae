import { expect, test } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { newMadeThings } from "./made-things.ts";

const exchange = (operation: string, path: string, status: number, data: unknown): Exchange => ({
  ...{ number: 1, operation, sentAt: 0, answeredAt: 0 },
  request: { method: "POST", url: `http://127.0.0.1:1${path}`, headers: {}, body: null },
  outcome: {
    ...{ kind: "response", status, headers: {}, text: "", truncated: false },
    json: status < 300 ? { success: true, data } : { success: false, error: {} },
  },
});

const refusal = (operation: string, path: string, status: number, code: string): Exchange => {
  const one = exchange(operation, path, status, null);
  const json = { success: false, error: { code } };
  return { ...one, outcome: { kind: "response", status, headers: {}, text: "", truncated: false, json } };
};

const created = (data: unknown, status = 201): Exchange =>
  exchange("createWebhookEndpoint", "/v1/webhooks", status, data);
const deleted = (id: string, status = 200): Exchange =>
  exchange("deleteWebhookEndpoint", `/v1/webhooks/${id}`, status, null);

const as = (name: string): Credential => ({
  ...{ name, token: name, id: null, scopes: null },
  // No call of it is made here.
  tenant: {} as Tenant,
});

async function removed(made: ReturnType<typeof newMadeThings>): Promise<readonly string[]> {
  const calls: string[] = [];
  await made.remove(async (operation, id, { name }) => {
    calls.push(`${id} by ${name}`);
    const gone = exchange(operation, `/v1/things/${id}`, 200, null);
    made.note(gone, as(name));
    return gone;
  });
  return calls;
}

test("what a check created and did not delete is removed by whoever created it, once", async () => {
  const made = newMadeThings({});
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
  const made = newMadeThings({ createWebhookEndpoint: { request: {}, response: { id: "hook.key" } } });
  made.note(created({ hook: { key: "one" } }), as("us"));
  made.note(created({ id: "two" }), as("us"));
  expect(await removed(made)).toEqual(["one by us"]);
});

test("a message is taken back, unless it is too late for that", async () => {
  const made = newMadeThings({});
  const sent = (id: string) => exchange(operations.sendMessage.id, "/v1/messages", 202, { id });
  for (const id of ["waiting", "canceled", "claimed", "elsewhere"]) made.note(sent(id), as("us"));
  const { id: cancel } = operations.cancelMessage;
  const { code, referenceStatus: status } = errorRows.MessageNotCancelable;
  made.note(exchange(cancel, "/v1/messages/canceled", 200, null), as("us"));
  made.note(refusal(cancel, "/v1/messages/claimed", status, code), as("us"));
  made.note(refusal(cancel, "/v1/messages/elsewhere", errorRows.Forbidden.referenceStatus, "FORBIDDEN"), as("them"));
  expect(await removed(made)).toEqual(["waiting by us", "elsewhere by us"]);
});
