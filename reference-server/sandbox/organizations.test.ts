import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buckets } from "../../generated/limits.ts";
import { operationList } from "../../generated/operations.ts";
import { scopes as allScopes } from "../../generated/scopes.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const unknownId = "00000000-0000-4000-8000-000000000000";

const organization = async (arrangement: object = {}) =>
  (await server.sandbox("POST", "/organizations", arrangement)).body.data;

const stateOf = async (id: string) => (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;

describe("the token", () => {
  it("is asked for everywhere, and a wrong one is told from nothing", async () => {
    for (const token of [null, "wrong", "test-sandbox-toke", ""])
      for (const path of ["/sandbox/v1/capabilities", "/sandbox/v1/nothing", "/sandbox"]) {
        const answer = await server.call("GET", path, { token });
        refused(answer, 401, "SANDBOX_UNAUTHORIZED");
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    const body = "{";
    refused(await server.call("POST", "/sandbox/v1/organizations", { token: "x", body }), 401, "SANDBOX_UNAUTHORIZED");
  });

  it("is no key of the API, and a key is no token", async () => {
    const { key, keyId } = await server.organization();
    refused(await server.call("GET", "/sandbox/v1/capabilities", { token: key }), 401, "SANDBOX_UNAUTHORIZED");
    refused(await server.call("GET", `/v1/api-keys/${keyId}`, { token: "test-sandbox-token" }), 401, "UNAUTHORIZED");
  });

  it("without one there is no sandbox", async () => {
    const closed = await startTestServer({ withoutSandbox: true });
    refused(await closed.call("GET", "/sandbox/v1/capabilities", { token: "" }), 404, "NOT_FOUND");
    await closed.close();
  });
});

describe("capabilities", () => {
  it("tell operations, plans, buckets, scopes and outages", async () => {
    const { data } = (await server.sandbox("GET", "/capabilities")).body;
    const operations = operationList.filter(({ service }) => service === "sandbox").map(({ id }) => id);
    expect(data.operations).toEqual(operations);
    expect(data.buckets).toEqual([
      "apiKeyWrites",
      "deliveryReplays",
      "contactErasures",
      "consentRecords",
      "messageSendsPerSecond",
      "messageSendsPerMinute",
    ]);
    expect(data.plans).toContain("payg");
    expect(data.scopes).toEqual(allScopes);
    expect(data.outages).toEqual(["unhandled_error", "lookup", "billing_portal"]);
  });

  it("paths and methods that the sandbox does not have are its own errors", async () => {
    refused(await server.sandbox("GET", "/nothing"), 404, "SANDBOX_NOT_FOUND");
    const answer = await server.sandbox("POST", "/capabilities");
    refused(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")).toBe("GET");
  });
});

describe("an organization", () => {
  it("has the defaults of a new customer", async () => {
    const before = Date.now();
    const made = await organization();
    expect(made).toMatchObject({ plan: "payg", kind: "commercial", clock: "real" });
    expect(Date.parse(made.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(made.now)).toBeLessThanOrEqual(Date.now());
    expect(await stateOf(made.id)).toMatchObject({ wallet_micros: 0, lifetime_spend_micros: 0 });
  });

  it("is made as it is wanted", async () => {
    const made = await organization({
      plan: "growth",
      kind: "personal",
      lifetime_spend_micros: 123_456_789,
      wallet_micros: 5_008_000,
      clock: "manual",
      starts_at: "2030-05-06T07:08:09.010Z",
    });
    expect(made).toMatchObject({ plan: "growth", kind: "personal", clock: "manual", now: "2030-05-06T07:08:09.010Z" });
    expect(await stateOf(made.id)).toMatchObject({ wallet_micros: 5_008_000, lifetime_spend_micros: 123_456_789 });
  });

  it.each([
    ["an unknown plan", { plan: "gold" }, "UNKNOWN_ARRANGEMENT", "plan"],
    ["an unknown bucket", { limits: { nothing: { capacity: 1, period_seconds: 1 } } }, "UNKNOWN_ARRANGEMENT", "limits"],
    [
      "a bucket named after a prototype",
      '{"limits":{"__proto__":{"capacity":1,"period_seconds":1}}}',
      "UNKNOWN_ARRANGEMENT",
      "limits",
    ],
    ["a wrong kind", { kind: "royal" }, "INVALID_ARRANGEMENT", "kind"],
    ["a negative wallet", { wallet_micros: -1 }, "INVALID_ARRANGEMENT", "wallet_micros"],
    ["an unknown member", { plann: "payg" }, "INVALID_ARRANGEMENT", "plann"],
    ["a beginning for a real clock", { starts_at: "2030-01-01T00:00:00Z" }, "INVALID_ARRANGEMENT", "starts_at"],
    [
      "a beginning out of reach",
      { clock: "manual", starts_at: "2999-01-01T00:00:00Z" },
      "INVALID_ARRANGEMENT",
      "starts_at",
    ],
    [
      "a beginning on a leap second",
      { clock: "manual", starts_at: "2016-12-31T23:59:60Z" },
      "INVALID_ARRANGEMENT",
      "starts_at",
    ],
    [
      "a limit of nothing",
      { limits: { apiKeyWrites: { capacity: 0, period_seconds: 1 } } },
      "INVALID_ARRANGEMENT",
      "limits.apiKeyWrites.capacity",
    ],
    [
      "a limit out of reach",
      { limits: { apiKeyWrites: { capacity: 1e12, period_seconds: 1 } } },
      "INVALID_ARRANGEMENT",
      "limits.apiKeyWrites.capacity",
    ],
    ["broken JSON", "{", "INVALID_ARRANGEMENT", "body"],
    ["a list", "[]", "INVALID_ARRANGEMENT", "body"],
  ])("%s is refused by name", async (_case, body, code, field) => {
    const error = refused(await server.sandbox("POST", "/organizations", body), 422, code);
    expect(Object.keys(error.details)).toEqual([field]);
  });

  it("goes with all that is its own", async () => {
    const { id, key, keyId } = await server.organization();
    await server.call("POST", "/v1/api-keys", { token: key, body: { label: "x", scopes: ["apikeys:read"] } });
    const deleted = await server.sandbox("DELETE", `/organizations/${id}`);
    expect([deleted.status, deleted.body.data.id]).toEqual([200, id]);
    refused(await server.sandbox("DELETE", `/organizations/${id}`), 404, "SANDBOX_NOT_FOUND");
    refused(await server.sandbox("GET", `/organizations/${id}/state`), 404, "SANDBOX_NOT_FOUND");
    refused(await server.call("GET", `/v1/api-keys/${keyId}`, { token: key }), 401, "UNAUTHORIZED");
  });

  it("may have another limit", async () => {
    const limits = { apiKeyWrites: { capacity: 2, period_seconds: 7 } };
    const { key } = await server.organization({ clock: "manual", limits });
    const create = () =>
      server.call("POST", "/v1/api-keys", { token: key, body: { label: "x", scopes: ["apikeys:read"] } });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("4");
  });
});

describe("keys and sessions", () => {
  it("a new organization has a key of all scopes, which is shown once", async () => {
    const { id, key } = await organization();
    expect(key.scopes).toEqual(allScopes);
    const read = await server.call("GET", `/v1/api-keys/${key.id}`, { token: key.plaintext });
    expect(read.body.data).toMatchObject({ id: key.id, org_id: id, scopes: allScopes });
    expect(await server.sandbox("DELETE", `/organizations/${id}`)).not.toHaveProperty("body.data.key");
  });

  it("a key of any scopes draws on no limit", async () => {
    const { id, key, keyId } = await server.organization({ clock: "manual" }, ["apikeys:read", "apikeys:write"]);
    for (let count = 0; count < buckets.apiKeyWrites.capacity + 5; count++)
      expect((await server.sandbox("POST", `/organizations/${id}/keys`, { scopes: allScopes })).status).toBe(200);
    const read = await server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    expect(read.body.data).toMatchObject({ label: "sandbox key", scopes: ["apikeys:read", "apikeys:write"] });
    expect(
      (await server.call("POST", "/v1/api-keys", { token: key, body: { label: "x", scopes: ["apikeys:read"] } }))
        .status,
    ).toBe(201);
  });

  it("a scope that does not exist cannot be arranged", async () => {
    const { id } = await organization();
    const body = { scopes: ["messages:write"] };
    refused(await server.sandbox("POST", `/organizations/${id}/keys`, body), 422, "UNKNOWN_ARRANGEMENT");
    refused(await server.sandbox("POST", `/organizations/${id}/keys`, { scopes: [] }), 422, "INVALID_ARRANGEMENT");
    refused(
      await server.sandbox("POST", `/organizations/${unknownId}/keys`, { scopes: ["apikeys:read"] }),
      404,
      "SANDBOX_NOT_FOUND",
    );
  });

  it("a key is revoked once", async () => {
    const { id, keyId } = await server.organization({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const revoke = (organizationId: string, key: string) =>
      server.sandbox("POST", `/organizations/${organizationId}/keys/${key}/revoke`);
    const [first, second] = await Promise.all([revoke(id, keyId), revoke(id, keyId)]);
    expect([first?.status, second?.status].toSorted()).toEqual([200, 409]);
    const revoked = [first, second].find((answer) => answer?.status === 200);
    expect(revoked?.body.data).toEqual({ id: keyId, revoked_at: "2030-01-01T00:00:00.000Z" });
    refused(await revoke(id, keyId), 409, "ILLEGAL_TRANSITION");
    refused(await revoke(id, unknownId), 404, "SANDBOX_NOT_FOUND");
    refused(await revoke((await organization()).id, keyId), 404, "SANDBOX_NOT_FOUND");
    refused(await revoke(unknownId, keyId), 404, "SANDBOX_NOT_FOUND");
    refused(await revoke("x", "y"), 422, "INVALID_ARRANGEMENT");
  });

  it("a session belongs to its organization", async () => {
    const { id, keyId } = await server.organization();
    const { token } = (await server.sandbox("POST", `/organizations/${id}/sessions`, {})).body.data;
    expect((await server.call("GET", `/v1/api-keys/${keyId}`, { token })).status).toBe(200);
    refused(await server.sandbox("POST", `/organizations/${unknownId}/sessions`, {}), 404, "SANDBOX_NOT_FOUND");
  });
});

describe("the clock", () => {
  it("stands still and moves by what it is advanced", async () => {
    const { id } = await organization({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const advance = (seconds: unknown) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds });
    expect((await advance(0)).body.data).toEqual({ now: "2030-01-01T00:00:00.000Z", settled: true });
    expect((await advance(299.5)).body.data.now).toBe("2030-01-01T00:04:59.500Z");
    await Promise.all(Array.from({ length: 10 }, () => advance(1)));
    expect((await stateOf(id)).now).toBe("2030-01-01T00:05:09.500Z");
    refused(await advance(-1), 422, "INVALID_ARRANGEMENT");
    refused(await advance("1"), 422, "INVALID_ARRANGEMENT");
    for (let count = 0; count < 17; count++) await advance(315_360_000);
    const error = refused(await advance(315_360_000), 422, "INVALID_ARRANGEMENT");
    expect(error.details.seconds).toContain("2200");
  });

  it("that is real cannot be advanced", async () => {
    const { id } = await organization();
    refused(await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 1 }), 409, "ILLEGAL_TRANSITION");
    const unknown = await server.sandbox("POST", `/organizations/${unknownId}/advance`, { seconds: 1 });
    refused(unknown, 404, "SANDBOX_NOT_FOUND");
  });
});

describe("the digest", () => {
  it("stays equal over reads, refusals, uses and time, and changes with every change", async () => {
    const { id, key, keyId } = await server.organization({ clock: "manual" });
    const digest = async () => (await stateOf(id)).digest;
    const create = (body: unknown) => server.call("POST", "/v1/api-keys", { token: key, body });
    const before = await digest();
    await server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    await create({ label: "x", scopes: ["no:scope"] });
    await create({});
    await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 100 });
    await server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "unhandled_error", calls: 1 });
    await create({ label: "x", scopes: ["apikeys:read"] });
    expect(await digest()).toBe(before);
    const made = (await create({ label: "x", scopes: ["apikeys:read"] })).body.data;
    const created = await digest();
    await server.call("POST", `/v1/api-keys/${made.id}/rotate`, { token: key });
    const rotated = await digest();
    await server.sandbox("POST", `/organizations/${id}/keys/${made.id}/revoke`);
    expect(new Set([before, created, rotated, await digest()]).size).toBe(4);
  });
});

describe("an outage", () => {
  it("fails exactly the next calls of its organization, also when they come at once", async () => {
    const { id, key, keyId } = await server.organization();
    const other = await server.organization();
    const get = (token: string, of: string) => server.call("GET", `/v1/api-keys/${of}`, { token });
    const set = (calls: number) =>
      server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "unhandled_error", calls });
    expect((await set(7)).body.data).toEqual({ kind: "unhandled_error", calls: 7 });
    expect((await get(other.key, other.keyId)).status).toBe(200);
    expect((await get("wrong", keyId)).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 30 }, () => get(key, keyId)));
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(7);
    const failed = answers.find(({ status }) => status === 500);
    expect(failed?.text).not.toMatch(/SQLITE|select|\/srv|internal"/);
    await set(5);
    await set(0);
    expect((await get(key, keyId)).status).toBe(200);
  });

  it("of an unknown kind or organization is refused", async () => {
    const { id } = await organization();
    const put = (of: string, body: object) => server.sandbox("PUT", `/organizations/${of}/outage`, body);
    refused(await put(id, { kind: "fire", calls: 1 }), 422, "INVALID_ARRANGEMENT");
    refused(await put(id, { kind: "unhandled_error", calls: 1001 }), 422, "INVALID_ARRANGEMENT");
    refused(await put(unknownId, { kind: "unhandled_error", calls: 1 }), 404, "SANDBOX_NOT_FOUND");
  });
});
