import { afterEach, describe, expect, it } from "vitest";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

let server: TestServer;
afterEach(() => server.close());

/** An organization, and what a user whom it signs in, or its key, does. */
async function begin() {
  server = await startTestServer();
  const { id, key } = await server.organization();
  const as = (token: string) => ({
    read: async () => (await server.call("GET", "/v1/me", { token })).body.data,
    change: (body: object) => server.call("PATCH", "/v1/me", { token, body }),
  });
  const signIn = async () => as((await server.sandbox("POST", `/organizations/${id}/sessions`, {})).body.data.token);
  return { signIn, byKey: as(key) };
}

describe("a profile", () => {
  it("is a user's own, and a key's that of the organization", async () => {
    const { signIn, byKey } = await begin();
    const [ada, bob] = [await signIn(), await signIn()];
    const fresh = { id: expect.any(String), name: null, timezone: "Etc/UTC" };
    expect([await ada.read(), await bob.read(), await byKey.read()]).toEqual([fresh, fresh, fresh]);
    const changed = await ada.change({ name: "Ada", timezone: "Europe/Paris" });
    expect([changed.status, changed.body.data]).toEqual([200, await ada.read()]);
    expect(await ada.read()).toMatchObject({ name: "Ada", timezone: "Europe/Paris" });
    await byKey.change({ name: "Owner" });
    expect([(await ada.read()).name, (await bob.read()).name, (await byKey.read()).name]).toEqual([
      "Ada",
      null,
      "Owner",
    ]);
  });

  it("takes all of a change or nothing", async () => {
    const { signIn } = await begin();
    const ada = await signIn();
    await ada.change({ name: "Ada", timezone: "Asia/Tokyo" });
    const before = await ada.read();
    const error = refused(await ada.change({ name: "Eve", timezone: "Mars/Olympus" }), 422, "INVALID_TIMEZONE");
    expect(error.details).toEqual({ timezone: expect.any(String) });
    refused(await ada.change({ name: "", timezone: "Asia/Seoul" }), 422, "VALIDATION_FAILED");
    expect(await ada.read()).toEqual(before);
    expect((await ada.change({})).body.data).toEqual(before);
  });
});
