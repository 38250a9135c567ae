import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refused, startTestServer, type TestOrganization, type TestServer } from "./test-server.ts";

let server: TestServer;
let ours: TestOrganization;
let theirs: TestOrganization;

beforeAll(async () => {
  server = await startTestServer();
  ours = await server.organization({ clock: "manual" });
  theirs = await server.organization({ clock: "manual" });
});
afterAll(() => server.close());

const unknownId = "00000000-0000-4000-8000-000000000000";

/** A fresh organization, so that its limits are untouched. */
const fresh = (arrangement: object = {}) => server.organization({ clock: "manual", ...arrangement });

const create = (key: string, body: unknown = { label: "made by a test", scopes: ["apikeys:read"] }) =>
  server.call("POST", "/v1/api-keys", { token: key, body });

describe("credentials", () => {
  const causes: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["no header", {}],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["an empty token", { authorization: "Bearer " }],
    ["two tokens", { authorization: "Bearer one two" }],
    ["a token that is no secret of ours", { authorization: "Bearer abc" }],
    ["an unknown key with a wrong checksum", { authorization: `Bearer svc_live_${"a".repeat(36)}` }],
    ["an unknown session", { authorization: `Bearer svc_sess_${"a".repeat(36)}` }],
  ];

  it.each(causes)("%s gives the one 401", async (_cause, headers) => {
    const answer = await server.call("GET", `/v1/api-keys/${ours.keyId}`, { headers });
    const error = refused(answer, 401, "UNAUTHORIZED");
    expect(error).not.toHaveProperty("details");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    const plain = await server.call("GET", "/v1/api-keys/x");
    expect(error.message).toBe(plain.body.error.message);
  });

  it("an unknown key with a right checksum and a revoked key give the one 401", async () => {
    const other = await fresh();
    await server.sandbox("POST", `/organizations/${other.id}/keys/${other.keyId}/revoke`);
    const revoked = refused(await server.call("GET", "/v1/api-keys/x", { token: other.key }), 401, "UNAUTHORIZED");
    const gone = await fresh();
    await server.sandbox("DELETE", `/organizations/${gone.id}`);
    const unknown = refused(await server.call("GET", "/v1/api-keys/x", { token: gone.key }), 401, "UNAUTHORIZED");
    expect(revoked.message).toBe(unknown.message);
  });

  it("the scheme is taken in any case", async () => {
    const headers = { authorization: `bEARER ${ours.key}` };
    expect((await server.call("GET", `/v1/api-keys/${ours.keyId}`, { headers })).status).toBe(200);
  });

  it("two Authorization headers are refused", async () => {
    const raw = await rawRequest(
      `GET /v1/api-keys/${ours.keyId} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\nAuthorization: Bearer ${ours.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(raw).toContain("HTTP/1.1 401");
  });

  it("bad credentials weigh more than a bad path, method, id or body", async () => {
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["DELETE", "/v1/api-keys"],
      ["GET", "/v1/api-keys/not-a-uuid"],
      ["GET", "/v1/api-keys/%ZZ"],
    ] as const)
      refused(await server.call(method, path, { token: "wrong" }), 401, "UNAUTHORIZED");
    refused(await server.call("POST", "/v1/api-keys", { token: "wrong", body: "{" }), 401, "UNAUTHORIZED");
  });
});

describe("permissions", () => {
  it("a key without the operation's scope is refused before the id or body is looked at", async () => {
    const { key } = await server.organization({ clock: "manual" }, ["messages:send"]);
    for (const id of [ours.keyId, unknownId, "not-a-uuid"])
      expect(
        refused(await server.call("GET", `/v1/api-keys/${id}`, { token: key }), 403, "FORBIDDEN"),
      ).not.toHaveProperty("details");
    refused(await create(key, "{"), 403, "FORBIDDEN");
    refused(await server.call("POST", `/v1/api-keys/${unknownId}/rotate`, { token: key }), 403, "FORBIDDEN");
  });

  it("writing keys does not allow reading them", async () => {
    const { key, keyId } = await server.organization({ clock: "manual" }, ["apikeys:write"]);
    refused(await server.call("GET", `/v1/api-keys/${keyId}`, { token: key }), 403, "FORBIDDEN");
  });

  it.each(["own", "other", unknownId, "garbage", ""])("X-Target-Org %j is refused for a customer", async (value) => {
    const target = value === "own" ? ours.id : value === "other" ? theirs.id : value;
    const headers = { "X-Target-Org": target };
    const answer = await server.call("GET", `/v1/api-keys/${ours.keyId}`, { token: ours.key, headers });
    expect(refused(answer, 403, "PLATFORM_REQUIRED")).toEqual({
      code: "PLATFORM_REQUIRED",
      message: "Only platform staff may send X-Target-Org. Leave the header out.",
      request_id: answer.headers.get("x-request-id"),
    });
    refused(await server.call("GET", "/v1/api-keys/x", { token: "wrong", headers }), 401, "UNAUTHORIZED");
  });

  it("staff act in the organization that they name", async () => {
    const { token } = (await server.sandbox("POST", `/organizations/${ours.id}/sessions`, { staff: true })).body.data;
    const own = await server.call("GET", `/v1/api-keys/${theirs.keyId}`, { token });
    refused(own, 404, "NOT_FOUND");
    const headers = { "X-Target-Org": theirs.id };
    const named = await server.call("GET", `/v1/api-keys/${theirs.keyId}`, { token, headers });
    expect(named.body.data.org_id).toBe(theirs.id);
    for (const target of [unknownId, "garbage", ""])
      refused(
        await server.call("GET", `/v1/api-keys/${theirs.keyId}`, { token, headers: { "X-Target-Org": target } }),
        404,
        "NOT_FOUND",
      );
  });

  it("a user's session holds every scope but is no staff", async () => {
    const { token } = (await server.sandbox("POST", `/organizations/${ours.id}/sessions`, {})).body.data;
    expect((await server.call("GET", `/v1/api-keys/${ours.keyId}`, { token })).status).toBe(200);
    const headers = { "X-Target-Org": ours.id };
    refused(await server.call("GET", `/v1/api-keys/${ours.keyId}`, { token, headers }), 403, "PLATFORM_REQUIRED");
  });
});

describe("paths and methods", () => {
  it("an unknown path is refused inside the envelope, under the API and outside of it", async () => {
    refused(await server.call("GET", "/v1/nothing", { token: ours.key }), 404, "NOT_FOUND");
    refused(await server.call("GET", "/v1", { token: ours.key }), 404, "NOT_FOUND");
    refused(await server.call("GET", "/v1/api-keys/", { token: ours.key }), 404, "NOT_FOUND");
    refused(await server.call("GET", "/V1/API-KEYS", { token: ours.key }), 404, "NOT_FOUND");
    refused(await server.call("GET", "/"), 404, "NOT_FOUND");
    refused(await server.call("GET", "/v1/%ZZ", { token: ours.key }), 404, "NOT_FOUND");
  });

  it("a wrong method tells the right ones", async () => {
    const answer = await server.call("DELETE", "/v1/api-keys", { token: ours.key });
    refused(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")).toBe("POST");
    const options = await server.call("OPTIONS", `/v1/api-keys/${ours.keyId}`, { token: ours.key });
    expect([options.status, options.headers.get("allow")]).toEqual([405, "GET"]);
  });

  it("HEAD is not served and has no body", async () => {
    const answer = await server.call("HEAD", `/v1/api-keys/${ours.keyId}`, { token: ours.key });
    expect([answer.status, answer.text]).toEqual([405, ""]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it.each(["not-a-uuid", "%ZZ", "%00", "%E0%A4%A", "a%2Fb", "1e3", `${unknownId}0`, "'; drop table api_keys; --"])(
    "the malformed id %j names its parameter",
    async (id) => {
      const answer = await server.call("GET", `/v1/api-keys/${id.includes(" ") ? encodeURIComponent(id) : id}`, {
        token: ours.key,
      });
      expect(Object.keys(refused(answer, 400, "VALIDATION_FAILED").details)).toEqual(["id"]);
    },
  );

  it("health and readiness answer with a request id", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await server.call("GET", path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  it("the client's own request id is ignored, and no two answers share one", async () => {
    const headers = { "X-Request-Id": "mine" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.call("GET", "/healthz", { headers })));
    const ids = answers.map((answer) => answer.headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain("mine");
  });

  it("a conditional request gets the whole answer", async () => {
    const headers = { "If-None-Match": "*" };
    const answer = await server.call("GET", `/v1/api-keys/${ours.keyId}`, { token: ours.key, headers });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
  });
});

/** Sends bytes as they are and gives all that comes back. */
function rawRequest(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      all += String(chunk);
    });
    socket.on("close", () => resolve(all));
    socket.on("error", reject);
  });
}
