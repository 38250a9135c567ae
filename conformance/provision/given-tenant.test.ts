import { expect, test } from "vitest";
import { editedEndpoint } from "../arrangements/edited-endpoint.ts";
import { emittedEvent } from "../arrangements/emitted-event.ts";
import { forcedAnswers } from "../arrangements/forced-answers.ts";
import { givenRevokedKey } from "../arrangements/given-revoked-key.ts";
import { waysToMeet } from "../arrangements/offers.ts";
import type { Requirement } from "../arrangements/requirement.ts";
import { sentCallback } from "../arrangements/sent-callback.ts";
import { signedInUser } from "../arrangements/signed-in-user.ts";
import type { HookCaller } from "../hooks/hook-caller.ts";
import { Blocked } from "../outcome/verdict.ts";
import { type GivenOrganization, givenTenant } from "./given-tenant.ts";
import type { Tenant } from "./tenant.ts";

const none: HookCaller = {
  has: () => false,
  ask: ({ name }) => Promise.reject(new Error(`There is no hook ${name}.`)),
  down: () => null,
};

const tenantWith = (hooks: HookCaller, more: Partial<GivenOrganization> = {}): Tenant =>
  givenTenant({
    ...{
      name: "the given key",
      key: "svc_live_ours00000000",
      id: "o1",
      scopes: null,
      own: false,
      clock: "real",
      startedAt: 0,
      hooks,
    },
    secrets: {},
    call: () => Promise.reject(new Error("Nothing is called here.")),
    ledger: { gone: () => undefined },
    waiting: { wait: () => Promise.resolve(), waited: () => 0, measuring: (work) => work() },
    ...more,
  });

test("what a given organization cannot arrange blocks with the ways to provide it", async () => {
  const tenant = tenantWith(none);
  const asked: readonly (readonly [Promise<unknown>, Requirement])[] = [
    [tenant.arrange(emittedEvent, { type: "lookup.completed" }), emittedEvent],
    [tenant.arrange(editedEndpoint, { endpoint_id: "e1", active: false }), editedEndpoint],
    [tenant.arrange(sentCallback, { url: "http://inbox" }), sentCallback],
    [tenant.arrange(forcedAnswers, { endpoint_id: "e1", answers: [{ status: 200 }] }), forcedAnswers],
    [tenant.arrange(signedInUser, {}), signedInUser],
  ];
  for (const [arranged, needed] of asked) {
    const error: unknown = await arranged.catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Blocked);
    expect(error).toMatchObject({ unblock: waysToMeet(needed), origin: "target file" });
  }
  const all = [emittedEvent, editedEndpoint, sentCallback, forcedAnswers, signedInUser];
  expect(all.filter((arrangement) => tenant.can(arrangement))).toEqual([]);
});

test("a secret that was given stands in for what the kit cannot arrange", async () => {
  const tenant = tenantWith(none, { secrets: { session_token: "sess_1" } });
  expect([tenant.can(signedInUser), tenant.can(givenRevokedKey)]).toEqual([true, false]);
  expect(await tenant.arrange(signedInUser, {})).toEqual({ token: "sess_1", userId: null });
});

test("hooks arrange it for the organization that they are asked about", async () => {
  const calls: unknown[] = [];
  const tenant = tenantWith({
    has: ({ name }) => name !== "advance",
    async ask({ name }, input) {
      calls.push({ [name]: input });
      return name === "emit_event" ? { event_id: "evt_1" } : {};
    },
    down: () => null,
  });
  const event = { type: "lookup.completed", data: { n: 1 } } as const;
  expect(await tenant.arrange(emittedEvent, event)).toEqual({ type: "lookup.completed", id: "evt_1" });
  await tenant.arrange(editedEndpoint, { endpoint_id: "e1", events: ["lookup.completed"] });
  await tenant.arrange(sentCallback, { url: "http://inbox" });
  expect(calls).toEqual([
    { emit_event: { ...event, organization_id: "o1" } },
    { change_endpoint: { endpoint_id: "e1", events: ["lookup.completed"], organization_id: "o1" } },
    { send_callback: { url: "http://inbox", organization_id: "o1" } },
  ]);
});

test("a key whose creation was answered 500 once is created for the next check that wants it", async () => {
  const answers = [
    { status: 500, json: { success: false, error: { code: "INTERNAL_ERROR" } } },
    { status: 201, json: { success: true, data: { id: "k1", plaintext: "svc_live_made00000000" } } },
  ];
  const tenant = tenantWith(none, {
    call: async () => {
      const { status, json } = answers.shift() ?? { status: 500, json: null };
      return {
        ...{ number: 1, operation: "createApiKey", sentAt: 0, answeredAt: 0 },
        request: { method: "POST", url: "http://target/v1/api-keys", headers: {}, body: null },
        outcome: { kind: "response", status, headers: {}, text: JSON.stringify(json), json, truncated: false },
      };
    },
  });
  await expect(tenant.keyWith(["apikeys:read"])).rejects.toThrow("500 INTERNAL_ERROR");
  const key = await tenant.keyWith(["apikeys:read"]);
  expect(key.id).toBe("k1");
  expect(await tenant.keyWith(["apikeys:read"])).toBe(key);
});
