import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openTestStore } from "./store/open-test-store.ts";
import type { Store } from "./store/store.ts";
import type { Keys } from "./store/unit-of-work.ts";
import { refused, sandboxToken, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
afterEach(() => server.close());

/** A store of which some methods do something else. */
async function storeWith(changes: (real: Store) => Partial<Store>): Promise<Store> {
  const real = await openTestStore();
  const changed = changes(real);
  return new Proxy(real, {
    get(target, name) {
      const own: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

const internals = "select * from api_keys -- at /srv/app/store.ts on db-1.internal, key svc_live_abcDEF123";

const failing = () =>
  storeWith(() => ({
    key: async () => {
      throw new Error(internals);
    },
  }));

const illShaped = () =>
  storeWith((real) => ({
    key: async (organizationId, id) => {
      const key = await real.key(organizationId, id);
      return key && { ...key, scopes: ["no-colon"] };
    },
  }));

describe("a handler that throws", () => {
  it("gives a generic 500, and the log has the cause under the request id", async () => {
    server = await startTestServer({ store: await failing() });
    const { key, keyId } = await server.organization();
    const answer = await server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    const error = refused(answer, 500, "INTERNAL_ERROR");
    expect(error).not.toHaveProperty("details");
    // The request's id is made up anew, of letters and digits.
    for (const internal of ["select", "/srv", "db-1", "Error:", "svc_live"])
      expect(answer.text.replace(error.request_id, "")).not.toContain(internal);
    const line = server.logged.find((text) => text.includes(error.request_id) && text.includes('"err"'));
    expect(line).toContain("select * from api_keys");
    expect(line).not.toContain("svc_live_abcDEF123");
  });

  it("gives the sandbox's own 500 there", async () => {
    const store = await storeWith(() => ({
      insertOrganization: async () => {
        throw new Error(internals);
      },
    }));
    server = await startTestServer({ store });
    refused(await server.sandbox("POST", "/organizations", {}), 500, "SANDBOX_FAILED");
  });

  it("is none where only the use of a key cannot be noted, which the log tells", async () => {
    const store = await storeWith(() => ({
      noteKeyUse: async () => {
        throw new Error(internals);
      },
    }));
    server = await startTestServer({ store });
    const { key, keyId } = await server.organization();
    expect((await server.call("GET", `/v1/api-keys/${keyId}`, { token: key })).status).toBe(200);
    expect(server.logged.find((text) => text.includes("a use was not noted"))).toContain("select * from api_keys");
  });

  it("is none where a use is noted after the server has begun to close", async () => {
    const noted: string[] = [];
    const store = await storeWith((real) => ({
      async noteKeyUse(id, ...rest) {
        await real.noteKeyUse(id, ...rest);
        noted.push(id);
      },
    }));
    server = await startTestServer({ store, chosen: { lastUsed: "delayed" } });
    const { key, keyId } = await server.organization();
    await server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    expect(noted).toEqual([]);
    await server.close();
    expect(noted).toEqual([keyId]);
    expect(server.logged.filter((text) => text.includes("a use was not noted"))).toEqual([]);
  });

  it("leaves a refusal what it is where a draw cannot be given back, which the log tells", async () => {
    const store = await storeWith(() => ({
      giveBack: async () => {
        throw new Error(internals);
      },
    }));
    server = await startTestServer({ store, chosen: { refusedCallsDraw: "never" } });
    const { key } = await server.organization();
    const unknown = `/v1/api-keys/${crypto.randomUUID()}/rotate`;
    refused(await server.call("POST", unknown, { token: key }), 404, "NOT_FOUND");
    expect(server.logged.find((text) => text.includes("was not undone"))).toContain("select * from api_keys");
  });

  it("has drawn on no limit where refused calls draw nothing", async () => {
    const store = await storeWith((store) => ({
      atomically: (organizationId, work) =>
        store.atomically(organizationId, (tx) => {
          const insert: Keys["insert"] = async (key) => {
            if (key.label === "fails") throw new Error(internals);
            await tx.keys.insert(key);
          };
          return work({ ...tx, keys: { ...tx.keys, insert } });
        }),
    }));
    server = await startTestServer({ store, chosen: { refusedCallsDraw: "never" } });
    const { id } = (await server.sandbox("POST", "/organizations", { clock: "manual" })).body.data;
    const { token } = (await server.sandbox("POST", `/organizations/${id}/sessions`, {})).body.data;
    const create = (label: string) =>
      server.call("POST", "/v1/api-keys", { token, body: { label, scopes: ["apikeys:read"] } });
    for (let count = 0; count < 20; count++) refused(await create("fails"), 500, "INTERNAL_ERROR");
    expect((await create("works")).status).toBe(201);
  });
});

describe("an answer that breaks its schema", () => {
  it("is a failure of the server, told without the values", async () => {
    server = await startTestServer({ store: await illShaped() });
    const { key, keyId } = await server.organization();
    refused(await server.call("GET", `/v1/api-keys/${keyId}`, { token: key }), 500, "INTERNAL_ERROR");
    const line = server.logged.find((text) => text.includes("breaks its schema"));
    expect(line).toContain("/data/scopes/0 (pattern)");
    expect(line).not.toContain("no-colon");
  });

  it("is not looked for in production", async () => {
    server = await startTestServer({ store: await illShaped(), production: true });
    const { key, keyId } = await server.organization();
    expect((await server.call("GET", `/v1/api-keys/${keyId}`, { token: key })).status).toBe(200);
  });
});

describe("a store that cannot serve", () => {
  it("makes the server not ready, but it still answers", async () => {
    const store = await storeWith(() => ({
      ping: async () => {
        throw new Error("gone");
      },
    }));
    server = await startTestServer({ store });
    expect((await server.call("GET", "/readyz")).status).toBe(503);
    expect((await server.call("GET", "/healthz")).status).toBe(200);
  });
});

describe("closing", () => {
  const slow = (wait: Promise<void>, begun: () => void) =>
    storeWith((real) => ({
      key: async (organizationId, id) => {
        begun();
        await wait;
        return real.key(organizationId, id);
      },
    }));

  it("finishes requests in flight and takes no new ones", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    server = await startTestServer({ store: await slow(promise, begin) });
    const { key, keyId } = await server.organization();
    const inFlight = server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    await begun;
    const closed = server.close();
    await expect(server.call("GET", "/healthz")).rejects.toThrow();
    resolve();
    expect((await inFlight).status).toBe(200);
    await closed;
    await expect(server.store.ping()).rejects.toThrow();
  });

  it("does not wait for ever", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    server = await startTestServer({ store: await slow(new Promise(() => undefined), begin) });
    const { key, keyId } = await server.organization();
    const inFlight = server.call("GET", `/v1/api-keys/${keyId}`, { token: key });
    inFlight.catch(() => undefined);
    await begun;
    await server.close(50);
    await expect(inFlight).rejects.toThrow();
  });

  it("ends idle connections that are kept alive", async () => {
    server = await startTestServer();
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((done) => socket.once("data", done));
    const ended = new Promise((done) => socket.once("close", done));
    socket.resume();
    await server.close(5000);
    await ended;
  });
});

describe("the log", () => {
  it("has one line for each request, and no secret in any", async () => {
    server = await startTestServer();
    const { id, key, keyId } = await server.organization();
    const { token } = (await server.sandbox("POST", `/organizations/${id}/sessions`, { staff: true })).body.data;
    const created = await server.call("POST", "/v1/api-keys", {
      token: key,
      body: { label: "x", scopes: ["apikeys:read"] },
    });
    const rotated = await server.call("POST", `/v1/api-keys/${keyId}/rotate`, { token });
    await server.call("GET", `/v1/api-keys/${key}`, { token: rotated.body.data.plaintext });
    await server.call("GET", `/v1/${key}?key=${key}`, { token: `${key}x` });
    await server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "unhandled_error", calls: 1 });
    await server.call("GET", "/v1/api-keys/x", { token });

    const all = server.logged.join("");
    for (const secret of [key, token, created.body.data.plaintext, rotated.body.data.plaintext, sandboxToken])
      expect(all).not.toContain(secret);
    const line = server.logged.map((text) => JSON.parse(text)).find((entry) => entry.status === 201);
    expect(line).toMatchObject({
      msg: "request",
      method: "POST",
      path: "/v1/api-keys",
      request_id: created.headers.get("x-request-id"),
      organization_id: id,
    });
    expect(line.ms).toBeGreaterThan(0);
    expect(server.logged.filter((text) => text.includes('"msg":"request"'))).toHaveLength(9);
  });
});
