import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { readTarget } from "../configuration/read-target.ts";
import { selfSigned } from "../target/self-signed.ts";
import type { Target } from "../target/target.ts";
import { preflight, readCapabilities } from "./preflight.ts";

const open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
});

/** Port on which the server listens until the test is over. */
async function listening(server: Server, tls = false): Promise<number> {
  const sockets = new Set<Socket>();
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => sockets.add(socket));
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  open.push({ server, sockets });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The test server has no port.");
  return address.port;
}

const http = (listener: RequestListener): Promise<number> => listening(createServer(listener));

function targetAt(url: string, environment: Readonly<Record<string, string>> = {}, timeout = "10s"): Target {
  const read = readTarget({
    file: null,
    environment: { BYLAW_API_KEY: "svc_live_first", ...environment },
    flags: { "--url": url, "--request-timeout": timeout },
  });
  if (read.ok) return read.target;
  throw new Error(JSON.stringify(read.problems));
}

const answering =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Answers whoever has a key, and sends others away. */
const knowing =
  (answer: RequestListener): RequestListener =>
  (request, response) =>
    (request.headers.authorization === undefined ? answering(401, error("UNAUTHORIZED")) : answer)(request, response);

const error = (code: string): unknown => ({ success: false, error: { code, message: "m", request_id: "r" } });

describe("a target that can be judged", () => {
  test.each([
    ["404 in the envelope", answering(404, error("NOT_FOUND"))],
    ["403 in the envelope", answering(403, error("FORBIDDEN"))],
    ["2xx in the envelope", answering(200, { success: true, data: {} })],
  ])("%s is fine", async (_, listener) => {
    expect(await preflight(targetAt(`http://127.0.0.1:${await http(knowing(listener))}`))).toBeNull();
  });

  const broken = { status: 404, body: { succes: false, error: error("NOT_FOUND") } };
  test.each([
    ["whose envelope is misspelt", answering(broken.status, broken.body)],
    ["whose errors are plain text", answering(404, "not found", { "content-type": "text/plain" })],
    ["whose errors are an empty object", answering(404, {})],
    ["that fails where it knows the caller", answering(500, "oops", { "content-type": "text/plain" })],
    ["that sends who has a key elsewhere", answering(302, "", { location: "/elsewhere" })],
  ])("one %s is for a run to judge, as long as it turns strangers away", async (_, listener) => {
    expect(await preflight(targetAt(`http://127.0.0.1:${await http(knowing(listener))}`))).toBeNull();
  });

  test("the requests are one authenticated read and, without the key, one write without effect", async () => {
    const seen: string[] = [];
    const port = await http((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      knowing(answering(404, error("NOT_FOUND")))(request, response);
    });
    await preflight(targetAt(`http://127.0.0.1:${port}/base/`));
    expect(seen.slice(1)).toEqual(["POST /base/v1/api-keys undefined"]);
    expect(seen[0]).toMatch(/^GET \/base\/v1\/api-keys\/[0-9a-f-]{36} Bearer svc_live_first$/);
  });

  test("a proxy of the environment is not used", async () => {
    const port = await http(knowing(answering(404, error("NOT_FOUND"))));
    const before = process.env.http_proxy;
    process.env.http_proxy = "http://127.0.0.1:9";
    try {
      expect(await preflight(targetAt(`http://127.0.0.1:${port}`))).toBeNull();
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });
});

describe("a target that cannot be judged", () => {
  const answers: readonly (readonly [string, RequestListener, string, string])[] = [
    [
      "redirects",
      answering(302, "", { location: "https://elsewhere.example/" }),
      "redirect",
      "to https://elsewhere.example/ (302)",
    ],
    [
      "answers HTML",
      answering(200, "<!doctype html>", { "content-type": "text/html; charset=utf-8" }),
      "not-json",
      "200 with text/html",
    ],
    ["answers broken JSON", answering(404, "{"), "not-json", "application/json that is not JSON"],
    ["answers nothing", answering(204, "", { "content-type": "" }), "not-json", "not JSON"],
    ["answers JSON without the envelope", answering(200, {}), "no-envelope", "without the API's envelope"],
    [
      "answers an envelope without data",
      answering(200, { success: true }),
      "no-envelope",
      "without the API's envelope",
    ],
    [
      "does not know the key",
      answering(401, error("UNAUTHORIZED")),
      "refused-secret",
      "does not accept the API key (401",
    ],
    ["fails", answering(500, error("INTERNAL_ERROR")), "server-error", "(500 INTERNAL_ERROR)"],
    ["is behind a broken gateway", answering(502, "<html>"), "server-error", "(502)"],
    [
      "sends control characters",
      answering(302, "", { location: "http://h/\u0080\u009b31m" }),
      "redirect",
      "to http://h/ 31m (302)",
    ],
  ];

  test.each(answers)("a target that %s is told", async (_, listener, kind, message) => {
    const failure = await preflight(targetAt(`http://127.0.0.1:${await http(listener)}`));
    expect(failure?.kind).toBe(kind);
    expect(failure?.message).toContain(message);
    expect(failure?.fix).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(failure)).not.toContain("svc_live");
  });

  test("a site is told, though it answers a write otherwise than a read", async () => {
    const port = await http((request, response) =>
      answering(request.method === "GET" ? 404 : 405, "<html>", { "content-type": "text/html" })(request, response),
    );
    expect(await preflight(targetAt(`http://127.0.0.1:${port}`))).toMatchObject({ kind: "not-json" });
    const sandboxOnly = targetAt(`http://127.0.0.1:${port}`, { BYLAW_API_KEY: "", BYLAW_SANDBOX_TOKEN: "token" });
    expect(await preflight(sandboxOnly)).toMatchObject({ kind: "not-json" });
  });

  test("a name without an address is told", async () => {
    const failure = await preflight(targetAt("http://no-such-host.invalid"));
    expect(failure).toMatchObject({
      kind: "unresolved",
      where: expect.stringContaining("http://no-such-host.invalid/v1/"),
    });
  });

  test("a port where nothing listens is told", async () => {
    const server = createTcpServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await new Promise((done) => server.close(done));
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`));
    expect(failure).toMatchObject({ kind: "refused", message: expect.stringContaining("Nothing listens") });
  });

  test("a self-signed certificate is told, with the variable that lets Node trust it", async () => {
    const port = await listening(createTlsServer(selfSigned, answering(404, error("NOT_FOUND"))), true);
    const failure = await preflight(targetAt(`https://127.0.0.1:${port}`));
    expect(failure).toMatchObject({ kind: "tls", fix: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
  });

  test("https at a port that speaks plain HTTP is told", async () => {
    const port = await http(answering(404, error("NOT_FOUND")));
    const failure = await preflight(targetAt(`https://127.0.0.1:${port}`));
    expect(failure).toMatchObject({ kind: "tls", fix: expect.stringContaining(`http://127.0.0.1:${port}`) });
  });

  test("plain HTTP at a port that speaks TLS is told", async () => {
    const port = await listening(createTlsServer(selfSigned, answering(404, error("NOT_FOUND"))), true);
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`));
    expect(["closed", "not-http"]).toContain(failure?.kind);
    expect(failure?.fix).toContain("https://");
  });

  test("another protocol than HTTP is told", async () => {
    const port = await listening(createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")));
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`));
    expect(failure?.kind).toBe("not-http");
  });

  test("a connection that is closed without an answer is told", async () => {
    const port = await listening(createTcpServer((socket) => socket.once("data", () => socket.destroy())));
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`));
    expect(failure?.kind).toBe("closed");
  });

  test("an answer that never begins is told within its time", async () => {
    const port = await http(() => {});
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`, {}, "300ms"));
    expect(failure).toMatchObject({ kind: "slow-head", message: expect.stringContaining("300 ms") });
  });

  test("an answer that never ends is told within its time", async () => {
    const port = await http((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`, {}, "300ms"));
    expect(failure?.kind).toBe("slow-body");
  });

  test("an answer without bounds is read to one mebibyte only", async () => {
    const port = await http((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", pour);
      pour();
    });
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`));
    expect(failure).toMatchObject({ kind: "endless-body", message: expect.stringContaining("1 MiB") });
  });

  test.each([
    [404, error("NOT_FOUND"), "404 NOT_FOUND", "nothing of the API is at"],
    [403, error("FORBIDDEN"), "403 FORBIDDEN", "looks at no request"],
    [429, error("RATE_LIMITED"), "429 RATE_LIMITED", "looks at no request"],
    [200, { success: true, data: {} }, "answers 200 to everything", "looks at no request"],
  ])("one that answers %i to everything looks at no request", async (status, body, message, fix) => {
    const port = await http(answering(status, body));
    expect(await preflight(targetAt(`http://127.0.0.1:${port}`))).toMatchObject({
      kind: "answers-alike",
      message: expect.stringContaining(message),
      fix: expect.stringContaining(fix),
    });
  });

  test("a wrong secret is told by its name", async () => {
    const port = await http((request, response) =>
      request.headers.authorization === "Bearer svc_live_first"
        ? answering(404, error("NOT_FOUND"))(request, response)
        : answering(401, error("UNAUTHORIZED"))(request, response),
    );
    const url = `http://127.0.0.1:${port}`;
    expect((await preflight(targetAt(url, { BYLAW_OTHER_API_KEY: "other" })))?.where).toBe("BYLAW_OTHER_API_KEY");
    expect((await preflight(targetAt(url, { BYLAW_SESSION_TOKEN: "other" })))?.where).toBe("BYLAW_SESSION_TOKEN");
  });
});

describe("a sandbox", () => {
  const capabilities = { operations: ["createApiKey"], plans: ["a"], buckets: [], outages: ["unhandled_error"] };
  const serving =
    (answer: RequestListener): RequestListener =>
    (request, response) =>
      request.url?.startsWith("/sandbox/")
        ? answer(request, response)
        : knowing(answering(404, error("NOT_FOUND")))(request, response);

  const withoutCapabilities =
    (code: string): RequestListener =>
    (request, response) =>
      (request.url?.endsWith("/capabilities") ? answering(404, "<html>") : answering(401, error(code)))(
        request,
        response,
      );

  test.each([
    ["answers its capabilities", answering(200, { success: true, data: capabilities }), null, ""],
    ["refuses the token", answering(401, error("SANDBOX_UNAUTHORIZED")), "refused-secret", "BYLAW_SANDBOX_TOKEN"],
    ["is not there", answering(404, error("NOT_FOUND")), "no-sandbox", "/sandbox/v1/capabilities"],
    ["tells no capabilities", answering(404, error("SANDBOX_NOT_FOUND")), null, ""],
    [
      "tells none and refuses the token",
      withoutCapabilities("SANDBOX_UNAUTHORIZED"),
      "refused-secret",
      "BYLAW_SANDBOX",
    ],
    ["answers something else", answering(200, { success: true, data: [] }), "no-sandbox", "/sandbox/v1/capabilities"],
    ["fails", answering(500, error("SANDBOX_FAILED")), "server-error", "/sandbox/v1/capabilities"],
  ])("a sandbox that %s is told", async (_, answer, kind, where) => {
    const port = await http(serving(answer));
    const failure = await preflight(targetAt(`http://127.0.0.1:${port}`, { BYLAW_SANDBOX_TOKEN: "token" }));
    expect(failure?.kind ?? null).toBe(kind);
    expect(failure?.where ?? "").toContain(where);
  });

  test("what it can arrange is read", async () => {
    const port = await http(serving(answering(200, { success: true, data: capabilities })));
    const read = await readCapabilities({ baseUrl: `http://127.0.0.1:${port}`, token: "token" }, 1000);
    expect(read).toEqual({ ok: true, capabilities });
    const naming = { ...capabilities, scopes: ["keys:all", 7] };
    const named = await http(serving(answering(200, { success: true, data: naming })));
    expect(await readCapabilities({ baseUrl: `http://127.0.0.1:${named}`, token: "token" }, 1000)).toEqual({
      ok: true,
      capabilities: { ...capabilities, scopes: ["keys:all"] },
    });
  });

  test("an unreachable sandbox is told with its own address", async () => {
    const port = await http(knowing(answering(404, error("NOT_FOUND"))));
    const target = targetAt(`http://127.0.0.1:${port}`, {
      BYLAW_SANDBOX_TOKEN: "token",
      BYLAW_SANDBOX_URL: "http://no-such-host.invalid",
    });
    expect((await preflight(target))?.where).toContain("http://no-such-host.invalid/sandbox/v1/");
  });
});
