import { afterEach, describe, expect, it } from "vitest";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

let server: TestServer;
afterEach(() => server.close());

const path = "/v1/me/notifications";

/** An organization, its key, and what users do whom it signs in. */
async function begin() {
  server = await startTestServer();
  const { id, key } = await server.organization();
  const signIn = async (user_id?: string) => {
    const { data } = (await server.sandbox("POST", `/organizations/${id}/sessions`, { user_id })).body;
    const { token } = data;
    return {
      id: data.user_id,
      read: async () => (await server.call("GET", path, { token })).body.data,
      change: (body: object) => server.call("PATCH", path, { token, body }),
    };
  };
  return { key, signIn };
}

describe("notification settings", () => {
  it("are a user's own, in whatever session", async () => {
    const { signIn } = await begin();
    const [ada, bob] = [await signIn(), await signIn()];
    const usual = await bob.read();
    const changed = await ada.change({ email: { billing: false } });
    expect([changed.status, changed.body.data]).toEqual([200, { email: { ...usual.email, billing: false } }]);
    expect(await ada.read()).toEqual(changed.body.data);
    expect(await (await signIn(ada.id)).read()).toEqual(changed.body.data);
    expect(await bob.read()).toEqual(usual);
  });

  it("take all of a change or nothing", async () => {
    const { signIn } = await begin();
    const ada = await signIn();
    const before = await ada.read();
    const unknown = refused(await ada.change({ email: { billing: false, x: true } }), 422, "UNKNOWN_NOTIFICATION_KEY");
    expect(unknown.details).toEqual({ "email.x": expect.any(String) });
    refused(await ada.change({ email: { billing: false }, sms: {} }), 422, "UNKNOWN_NOTIFICATION_KEY");
    const change = { email: { billing: false, security_alerts: true } };
    refused(await ada.change(change), 422, "IMMUTABLE_NOTIFICATION_KEY");
    refused(await ada.change({ email: { billing: "no" } }), 422, "VALIDATION_FAILED");
    expect(await ada.read()).toEqual(before);
  });

  it("are no key's", async () => {
    const { key } = await begin();
    refused(await server.call("GET", path, { token: key }), 403, "USER_REQUIRED");
    refused(await server.call("PATCH", path, { token: key, body: {} }), 403, "USER_REQUIRED");
  });
});
