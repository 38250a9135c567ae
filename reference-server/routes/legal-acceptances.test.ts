import { afterEach, expect, it } from "vitest";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

let server: TestServer;
afterEach(() => server.close());

const path = "/v1/legal-acceptances";
const body = { document: "terms_of_service", version: "2026-01-01 \0" };

it("records what a user accepts, each time, and nothing for a key", async () => {
  server = await startTestServer();
  const { id, key } = await server.organization();
  const { token } = (await server.sandbox("POST", `/organizations/${id}/sessions`, {})).body.data;
  const digest = async () => (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.digest;
  const fresh = await digest();
  refused(await server.call("POST", path, { token: key, body }), 403, "USER_REQUIRED");
  refused(await server.call("POST", path, { token, body: { ...body, version: "" } }), 422, "VALIDATION_FAILED");
  expect(await digest()).toBe(fresh);
  const [one, again] = [
    await server.call("POST", path, { token, body }),
    await server.call("POST", path, { token, body }),
  ];
  expect(one.status).toBe(201);
  expect(one.body.data).toEqual({ ...body, id: expect.any(String), accepted_at: expect.any(String) });
  expect(again.body.data.id).not.toBe(one.body.data.id);
  expect(await digest()).not.toBe(fresh);
});
