import { expect, test } from "vitest";
import { Blocked } from "../check/verdict.ts";
import { type GivenGround, givenTenant } from "./given-tenant.ts";
import type { HookCalls } from "./hook-calls.ts";
import { waysToMeet } from "./offers.ts";
import type { Tenant } from "./tenant.ts";

const none: HookCalls = {
  ...{ revokeKey: null, newOrganization: null, deleteOrganization: null, advance: null, verifySignature: null },
  ...{ emitEvent: null, changeEndpoint: null, sendCallback: null, down: () => null },
};

const tenantWith = (hooks: Partial<HookCalls>, more: Partial<GivenGround> = {}): Tenant =>
  givenTenant({
    ...{ name: "the given key", key: "svc_live_ours00000000", id: "o1", own: false, clock: "real" },
    ...{ session: null, revokedKey: null, hooks: { ...none, ...hooks } },
    call: () => Promise.reject(new Error("Nothing is called here.")),
    ledger: { gone: () => undefined },
    waiting: { wait: () => Promise.resolve(), waited: () => 0 },
    ...more,
  });

test("what a given organization cannot arrange blocks with the ways to provide it", async () => {
  const tenant = tenantWith({});
  const asked: readonly (readonly [Promise<unknown>, string])[] = [
    [tenant.emit("lookup.completed"), waysToMeet("emit")],
    [tenant.changeEndpoint("e1", { active: false }), waysToMeet("endpoint-edit")],
    [tenant.sendCallback("http://inbox"), waysToMeet("callback")],
    [tenant.forceAnswers("e1", [{ status: 200 }]), waysToMeet("forced-answers")],
  ];
  for (const [arranged, unblock] of asked) {
    const error: unknown = await arranged.catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Blocked);
    expect(error).toMatchObject({ unblock, origin: "target file" });
  }
  const { canEmit, canChangeEndpoint, canSendCallback, canForceAnswers } = tenant;
  expect([canEmit, canChangeEndpoint, canSendCallback, canForceAnswers]).toEqual([false, false, false, false]);
});

test("hooks arrange it for the organization that they are asked about", async () => {
  const calls: unknown[] = [];
  const note = async (...call: readonly unknown[]): Promise<void> => void calls.push(call);
  const tenant = tenantWith({
    emitEvent: async (...call) => {
      calls.push(call);
      return "evt_1";
    },
    ...{ changeEndpoint: note, sendCallback: note },
  });
  expect(await tenant.emit("lookup.completed", { n: 1 })).toEqual({ type: "lookup.completed", id: "evt_1" });
  await tenant.changeEndpoint("e1", { events: ["lookup.completed"] });
  await tenant.sendCallback("http://inbox");
  expect(calls).toEqual([
    ["lookup.completed", { n: 1 }, "o1"],
    ["e1", { events: ["lookup.completed"] }, "o1"],
    ["http://inbox", "o1"],
  ]);
});

test("a key whose creation was answered 500 once is created for the next check that wants it", async () => {
  const answers = [
    { status: 500, json: { success: false, error: { code: "INTERNAL_ERROR" } } },
    { status: 201, json: { success: true, data: { id: "k1", plaintext: "svc_live_made00000000" } } },
  ];
  const tenant = tenantWith(
    {},
    {
      call: async () => {
        const { status, json } = answers.shift() ?? { status: 500, json: null };
        return {
          ...{ number: 1, operation: "createApiKey", sentAt: 0, answeredAt: 0 },
          request: { method: "POST", url: "http://target/v1/api-keys", headers: {}, body: null },
          outcome: { kind: "response", status, headers: {}, text: JSON.stringify(json), json, truncated: false },
        };
      },
    },
  );
  await expect(tenant.keyWith(["apikeys:read"])).rejects.toThrow("500 INTERNAL_ERROR");
  const key = await tenant.keyWith(["apikeys:read"]);
  expect(key.id).toBe("k1");
  expect(await tenant.keyWith(["apikeys:read"])).toBe(key);
});
