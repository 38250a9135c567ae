import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../test-server.ts";

const patience = { head: 200, request: 400, idle: 100, stall: 600 };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ patience });
});
afterAll(() => server.close());

/** Writes pieces a moment apart and gives all that comes until the server ends the connection. */
async function conversation(...pieces: readonly string[]): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  const heard = text(socket);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return heard;
}

/** Statuses with the code in the body behind each. */
const answers = (heard: string): readonly string[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})(?:(?:(?!HTTP)[^{])*\{"success":false,"error":\{"code":"(\w+)")?/g)].map(
    ([, status, code]) => (code === undefined ? `${status}` : `${status} ${code}`),
  );

const get = "GET /v1/api-keys/1 HTTP/1.1\r\nHost: x\r\n\r\n";
const post = (header: string): string => `POST /v1/api-keys HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;

it("what is no request is refused behind the answers to the requests before it", async () => {
  expect(answers(await conversation(`${get}${get}nonsense\r\n\r\n`, "more nonsense"))).toEqual([
    ...["401 UNAUTHORIZED", "401 UNAUTHORIZED", "400 INVALID_INPUT"],
  ]);
});

it("a request that breaks off after its answer gets no second one", async () => {
  const heard = await conversation(post("Transfer-Encoding: chunked"), "zz\r\n\r\n");
  expect(answers(heard)).toEqual(["401 UNAUTHORIZED"]);
});

it("leave to continue is given to a request in its turn, and never inside another answer", async () => {
  const asking = post("Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close");
  expect(answers(await conversation(asking, "{}"))).toEqual(["100", "401 UNAUTHORIZED"]);
  const heard = await conversation(`${get}${asking}`, "{}");
  expect(answers(heard)).toEqual(["401 UNAUTHORIZED", "401 UNAUTHORIZED"]);
  expect(heard).toMatch(/\r\n\r\n\{"success":false[^\r\n]*\}$/);
});

it("an expectation that nobody knows is passed over", async () => {
  expect(answers(await conversation(post("Content-Length: 0\r\nExpect: 200-ok")))).toEqual(["401 UNAUTHORIZED"]);
});

it("a tunnel is refused in the envelope, also to clients that leave at once", async () => {
  expect(answers(await conversation("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n"))).toEqual(["400 INVALID_INPUT"]);
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`${get}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`, () => socket.resetAndDestroy());
  expect(answers(await conversation(get))).toEqual(["401 UNAUTHORIZED"]);
});

it.each(["*", "HTTP://", "http://x/v1/api-keys/1", "//v1", "?", "#x"])("the target %s is answered", async (target) => {
  const heard = await conversation(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answers(heard)).toEqual([target.includes("/v1/") ? "401 UNAUTHORIZED" : expect.stringMatching(/^40[04] /)]);
});

it.each([
  ["nothing", ""],
  ["half a head", "GET / HTTP/1.1\r\nHo"],
  ["half a body", post("Content-Length: 9")],
])("a client that sends %s is let go of", async (_case, bytes) => {
  const start = performance.now();
  await conversation(bytes);
  // Of itself Node.js lets go of half a head after a minute.
  expect(performance.now() - start).toBeLessThan(40_000);
});

it("a client that reads no answers is let go of", async () => {
  const socket = connect(server.port, "127.0.0.1").pause();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  // More than the buffers of both sides hold, whatever their sizes.
  const flood = setInterval(() => socket.write(get.repeat(2_000)), 10);
  const start = performance.now();
  await closed;
  clearInterval(flood);
  expect(performance.now() - start).toBeLessThan(20_000);
});
