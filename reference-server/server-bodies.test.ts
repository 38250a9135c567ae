import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refused, startTestServer, type TestOrganization, type TestServer } from "./test-server.ts";

let server: TestServer;
let ours: TestOrganization;

beforeAll(async () => {
  server = await startTestServer();
  ours = await server.organization({ clock: "manual" });
});
afterAll(() => server.close());

/** A fresh organization, so that its limits are untouched. */
const fresh = (arrangement: object = {}) => server.organization({ clock: "manual", ...arrangement });

const create = (key: string, body: unknown = { label: "made by a test", scopes: ["apikeys:read"] }) =>
  server.call("POST", "/v1/api-keys", { token: key, body });

describe("bodies", () => {
  const body = { label: "from a body test", scopes: ["apikeys:read"] };

  it("broken JSON is structurally wrong", async () => {
    for (const text of ["{", "{'a':1}", "undefined", "[1,", '"\\u12"', "\u0000"])
      expect(refused(await create(ours.key, text), 400, "INVALID_INPUT")).not.toHaveProperty("details");
  });

  it("JSON of another type names the body", async () => {
    for (const text of ["null", "[]", '"text"', "7", "true"]) {
      const { details } = refused(await create(ours.key, text), 422, "VALIDATION_FAILED");
      expect(Object.keys(details)).toEqual(["body"]);
    }
  });

  it("a body that is left out is asked for", async () => {
    const answer = await server.call("POST", "/v1/api-keys", { token: ours.key });
    expect(refused(answer, 422, "VALIDATION_FAILED").details).toEqual({ body: "is required" });
  });

  it("another media type, or none, is refused", async () => {
    for (const type of ["text/plain", "application/xml", "application/json; charset=latin1", "application/jsonx"]) {
      const answer = await server.call("POST", "/v1/api-keys", {
        token: ours.key,
        body,
        headers: { "content-type": type },
      });
      refused(answer, 400, "INVALID_INPUT");
    }
  });

  it("the charset of JSON may be named", async () => {
    const { key } = await fresh();
    for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
      expect(
        (await server.call("POST", "/v1/api-keys", { token: key, body, headers: { "content-type": type } })).status,
      ).toBe(201);
  });

  it("a compressed body, and one that is not UTF-8, are refused", async () => {
    const headers = { "content-encoding": "gzip" };
    refused(await server.call("POST", "/v1/api-keys", { token: ours.key, body, headers }), 400, "INVALID_INPUT");
    const bytes = await bytesRequest(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect(bytes).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });

  it("a body beyond the bound is refused, with its length announced or not", async () => {
    for (const mebibytes of [1, 10]) {
      const text = JSON.stringify({ ...body, label: "x".repeat(mebibytes * 1024 * 1024) });
      refused(await create(ours.key, text), 413, "PAYLOAD_TOO_LARGE");
      expect(await bytesRequest(Buffer.from(text), { "transfer-encoding": "chunked" })).toMatchObject({
        status: 413,
        code: "PAYLOAD_TOO_LARGE",
      });
    }
  });

  it("deep nesting is refused, and a long list in little time", async () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    refused(await create(ours.key, `{"label":"x","scopes":${deep}}`), 400, "INVALID_INPUT");
    /** Microseconds of processor time. */
    const costOf = async (length: number): Promise<number> => {
      const scopes = Array.from({ length }, (_, index) => `a:${index}`);
      const start = process.cpuUsage();
      refused(await create(ours.key, { label: "x", scopes }), 400, "INVALID_INPUT");
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    await costOf(10_000);
    // Ten times as long costs ten times as much; to look for each among the others would cost a hundred times as much.
    expect((await costOf(100_000)) / (await costOf(10_000))).toBeLessThan(40);
  });

  it("text that is no Unicode is refused, as a value and as a name", async () => {
    for (const text of ['{"label":"\\ud800","scopes":["apikeys:read"]}', '{"\\udc00":1}'])
      refused(await create(ours.key, text), 400, "INVALID_INPUT");
  });

  it("members named after prototypes are plain members", async () => {
    const { key } = await fresh();
    const text = '{"__proto__":{"label":"x","scopes":["apikeys:read"]},"constructor":{"prototype":{"a":1}}}';
    const { details } = refused(await create(key, text), 422, "VALIDATION_FAILED");
    expect(Object.keys(details).sort()).toEqual(["label", "scopes"]);
    expect(({} as Record<string, unknown>).label).toBeUndefined();
  });

  it("every bad field is named", async () => {
    const { details } = refused(await create(ours.key, { label: 7, scopes: "all" }), 422, "VALIDATION_FAILED");
    expect(Object.keys(details).sort()).toEqual(["label", "scopes"]);
  });

  it("unknown members are ignored", async () => {
    const { key } = await fresh();
    expect((await create(key, { ...body, colour: "red" })).status).toBe(201);
  });
});

describe("what is no request at all", () => {
  it.each([
    ["garbage", () => "nonsense\r\n\r\n"],
    ["a head too large", () => `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`],
    ["a bad chunk", () => `${head("Transfer-Encoding: chunked")}zz\r\n\r\n`],
  ])("%s gets the envelope", async (_case, bytes) => {
    const [start = "", text = ""] = (await rawRequest(bytes())).split("\r\n\r\n");
    expect(start).toMatch(/^HTTP\/1\.1 400/);
    const { success, error } = JSON.parse(text);
    expect([success, error.code]).toEqual([false, "INVALID_INPUT"]);
    expect(start).toContain(error.request_id);
  });

  it("a client that leaves in the middle of its body does no harm", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`${head("Content-Length: 100")}{`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await server.call("GET", "/healthz")).status).toBe(200);
    expect(server.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

/** The head of a request that creates a key. */
const head = (more: string): string =>
  [
    "POST /v1/api-keys HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${ours.key}`,
    "Content-Type: application/json",
    more,
    "",
    "",
  ].join("\r\n");

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

/** Creates a key with a body of exactly these bytes. */
function bytesRequest(bytes: Buffer, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    const sent = request(`${server.url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${ours.key}`, "content-type": "application/json", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode, code: JSON.parse(text).error.code }));
    });
    sent.end(bytes);
  });
}
