import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buckets } from "../../generated/limits.ts";
import { refused, startTestServer, type TestOrganization, type TestServer } from "../test-server.ts";

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

describe("creating a key", () => {
  it("shows the secret once, and keeps what was asked for", async () => {
    const { id, key } = await fresh({ clock: "real" });
    const before = Date.now();
    const answer = await create(key, { label: "prod key ü", scopes: ["apikeys:read", "messages:send"] });
    const { plaintext, ...rest } = answer.body.data;
    expect(answer.status).toBe(201);
    expect(rest).toMatchObject({
      org_id: id,
      label: "prod key ü",
      scopes: ["apikeys:read", "messages:send"],
      last_used_at: null,
      revoked_at: null,
    });
    expect(plaintext).toMatch(/^svc_live_[0-9A-Za-z]{36}$/);
    expect(plaintext.startsWith(rest.prefix) && rest.prefix.length < plaintext.length).toBe(true);
    expect(Date.parse(rest.created_at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(rest.created_at)).toBeLessThanOrEqual(Date.now());
    const read = await server.call("GET", `/v1/api-keys/${rest.id}`, { token: key });
    expect(read.body.data).toEqual(rest);
    expect(read.text + JSON.stringify([...read.headers])).not.toContain(plaintext);
  });

  it("keeps every label as it came", async () => {
    const limits = { apiKeyWrites: { capacity: 100_000, period_seconds: 1 } };
    const { key } = await fresh({ limits });
    const label = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));
    await fc.assert(
      fc.asyncProperty(label, async (text) => {
        const made = await create(key, { label: text, scopes: ["apikeys:read"] });
        expect([made.status, made.body.data?.label]).toEqual([201, text]);
        const read = await server.call("GET", `/v1/api-keys/${made.body.data.id}`, { token: key });
        expect(read.body.data.label).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it("marks the key as used when it is used", async () => {
    const { key } = await fresh();
    const { id, plaintext } = (await create(key)).body.data;
    const read = async () => (await server.call("GET", `/v1/api-keys/${id}`, { token: key })).body.data.last_used_at;
    expect(await read()).toBeNull();
    expect((await server.call("GET", `/v1/api-keys/${id}`, { token: plaintext })).status).toBe(200);
    expect(await read()).toMatch(/Z$/);
  });

  it.each([
    ["an unknown scope", ["nothing:read"]],
    ["a scope that the document calls unknown", ["messages:write"]],
    ["no scope", []],
    ["a scope twice", ["apikeys:read", "apikeys:read"]],
    ["a scope of no form", ["apikeys"]],
    ["a long unknown scope", [`a:${"b".repeat(5000)}`]],
  ])("%s is structurally wrong", async (_case, scopes) => {
    const { key } = await fresh();
    const error = refused(await create(key, { label: "x", scopes }), 400, "INVALID_INPUT");
    expect(error).not.toHaveProperty("details");
    expect(error.message.length).toBeLessThan(300);
  });

  it("grants no scope that the caller lacks, not even beside one that it holds", async () => {
    const { key } = await server.organization({ clock: "manual" }, ["apikeys:read", "apikeys:write"]);
    refused(await create(key, { label: "x", scopes: ["messages:send"] }), 403, "FORBIDDEN");
    refused(await create(key, { label: "x", scopes: ["apikeys:read", "messages:send"] }), 403, "FORBIDDEN");
    refused(await create(key, { label: "x", scopes: ["messages:send", "no:scope"] }), 400, "INVALID_INPUT");
  });

  it.each([
    ["blank", "   "],
    ["empty", ""],
    ["101 characters", "x".repeat(101)],
    ["a line break", "a\nb"],
  ])("a label that is %s is refused", async (_case, label) => {
    const { details } = refused(await create(ours.key, { label, scopes: ["apikeys:read"] }), 422, "VALIDATION_FAILED");
    expect(Object.keys(details)).toEqual(["label"]);
  });
});

describe("reading and rotating a key", () => {
  it("another organization's key cannot be told from one that does not exist", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/rotate"],
    ] as const) {
      const [foreign, unknown] = await Promise.all(
        [theirs.keyId, unknownId].map((id) => server.call(method, `/v1/api-keys/${id}${path}`, { token: ours.key })),
      );
      if (!foreign || !unknown) throw new Error("two calls give two answers");
      const errors = [foreign, unknown].map((answer) => ({ ...refused(answer, 404, "NOT_FOUND"), request_id: "" }));
      expect(errors[0]).toEqual(errors[1]);
      const headers = [foreign, unknown].map((answer) => [...answer.headers.keys()]);
      expect(headers[0]).toEqual(headers[1]);
    }
  });

  it("rotation ends the old secret at once and keeps all else", async () => {
    const { key } = await fresh();
    const made = (await create(key)).body.data;
    const answer = await server.call("POST", `/v1/api-keys/${made.id}/rotate`, { token: key });
    const rotated = answer.body.data;
    expect(answer.status).toBe(200);
    expect(rotated).toMatchObject({ id: made.id, label: made.label, scopes: made.scopes, created_at: made.created_at });
    expect(rotated.plaintext).not.toBe(made.plaintext);
    expect(rotated.plaintext.startsWith(rotated.prefix)).toBe(true);
    refused(await server.call("GET", `/v1/api-keys/${made.id}`, { token: made.plaintext }), 401, "UNAUTHORIZED");
    expect((await server.call("GET", `/v1/api-keys/${made.id}`, { token: rotated.plaintext })).status).toBe(200);
  });

  it("a key can rotate itself", async () => {
    const { key, keyId } = await fresh();
    const { plaintext } = (await server.call("POST", `/v1/api-keys/${keyId}/rotate`, { token: key })).body.data;
    refused(await create(key), 401, "UNAUTHORIZED");
    expect((await create(plaintext)).status).toBe(201);
  });

  it("a revoked key cannot be rotated, nor one that may do more than the caller", async () => {
    const { id, key } = await fresh();
    const made = (await create(key, { label: "x", scopes: ["apikeys:read", "apikeys:write"] })).body.data;
    const strong = (await create(key, { label: "x", scopes: ["messages:send"] })).body.data;
    const answer = await server.call("POST", `/v1/api-keys/${strong.id}/rotate`, { token: made.plaintext });
    refused(answer, 403, "FORBIDDEN");
    await server.sandbox("POST", `/organizations/${id}/keys/${strong.id}/revoke`);
    refused(await server.call("POST", `/v1/api-keys/${strong.id}/rotate`, { token: key }), 409, "CONFLICT");
    const read = await server.call("GET", `/v1/api-keys/${strong.id}`, { token: key });
    expect(read.body.data.revoked_at).toMatch(/Z$/);
  });
});

describe("the limit", () => {
  const { capacity, periodSeconds } = buckets.apiKeyWrites;

  it("200 parallel creations admit exactly as many as the limit holds", async () => {
    const { id, key } = await fresh();
    const { length: before } = (await server.store.resources(id))?.keys ?? [];
    const answers = await Promise.all(Array.from({ length: 200 }, () => create(key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(capacity);
    const [throttled] = answers.filter(({ status }) => status === 429);
    if (!throttled) throw new Error("none was refused");
    expect(refused(throttled, 429, "RATE_LIMITED")).not.toHaveProperty("details");
    expect(throttled.headers.get("retry-after")).toBe(String(Math.ceil(periodSeconds / capacity)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - capacity);
    const { keys } = (await server.store.resources(id)) ?? { keys: [] };
    expect(keys).toHaveLength(before + capacity);
  });

  it("creating and rotating share it, reading does not draw on it, other organizations do not feel it", async () => {
    const { key, keyId, id } = await fresh();
    const second = (await server.sandbox("POST", `/organizations/${id}/keys`, { scopes: ["apikeys:write"] })).body.data;
    let token = key;
    for (let used = 0; used < capacity; used++) {
      const rotates = used % 2 === 0;
      const answer = rotates
        ? await server.call("POST", `/v1/api-keys/${keyId}/rotate`, { token })
        : await create(token);
      expect(answer.body.success).toBe(true);
      if (rotates) token = answer.body.data.plaintext;
    }
    refused(await create(token), 429, "RATE_LIMITED");
    refused(await create(second.plaintext), 429, "RATE_LIMITED");
    refused(await server.call("POST", `/v1/api-keys/${keyId}/rotate`, { token }), 429, "RATE_LIMITED");
    expect((await server.call("GET", `/v1/api-keys/${keyId}`, { token })).status).toBe(200);
    expect((await create((await fresh()).key)).status).toBe(201);
  });

  it("admits again after Retry-After and not a moment before", async () => {
    const { id, key } = await fresh();
    const advance = (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds });
    for (let used = 0; used < capacity; used++) await create(key);
    const wait = Number((await create(key)).headers.get("retry-after"));
    await advance(wait - 0.001);
    refused(await create(key), 429, "RATE_LIMITED");
    await advance(0.001);
    expect((await create(key)).status).toBe(201);
    refused(await create(key), 429, "RATE_LIMITED");
    await advance(periodSeconds);
    const answers = await Promise.all(Array.from({ length: capacity + 5 }, () => create(key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(capacity);
  });

  it("a request that fails validation draws nothing", async () => {
    const { key } = await fresh();
    for (let count = 0; count < capacity + 5; count++) await create(key, { label: 1 });
    expect((await create(key)).status).toBe(201);
  });
});
