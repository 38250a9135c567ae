import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { pages } from "./pages.ts";
import { send, type Transport } from "./transport.ts";

const head = { status: 200, requestId: "", headers: {} };

/** A list whose pages have these cursors, one after the other. */
const listOf = (cursors: readonly (string | null)[]) => {
  let page = 0;
  return pages(async () => ({ ...head, ok: true, data: { next: cursors[page++ % cursors.length] } }), "/next");
};

it("an id of dots is refused before anything is sent: it would call another path", async () => {
  const envelope = { code: "/code", message: null, details: null, requestId: null };
  for (const id of [".", ".."]) {
    const call = { method: "GET", path: `/v1/api-keys/${id}`, envelope, errors: [], rows: {} } as const;
    const sent = send({ baseUrl: "http://127.0.0.1:1", token: "none" }, call);
    await expect(sent).rejects.toThrow(RangeError);
  }
});

it("a list ends with the page that has no cursor", async () => {
  const seen: unknown[] = [];
  for await (const page of listOf(["a", "b", null])) seen.push(page);
  expect(seen).toEqual([{ next: "a" }, { next: "b" }, { next: null }]);
});

it("a list whose cursor comes again ends with an error that says so", async () => {
  const read = async (): Promise<void> => {
    for await (const _ of listOf(["a", "b"]));
  };
  await expect(read()).rejects.toThrow('The server gave the cursor "a" a second time.');
});

/** The way to a server that answers like this. */
async function wayTo(answer: RequestListener): Promise<Transport> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, token: "none" };
}

const envelope = { code: "/error/code", message: "/error/message", details: null, requestId: "x-request-id" };
const call = { method: "GET", path: "/v1/widgets", query: { q: "a b" }, envelope, errors: [], rows: {} } as const;

it("an answer that comes in pieces is read whole, behind what is sent before it", async () => {
  const transport = await wayTo(async (request, response) => {
    response.writeProcessing();
    response.writeHead(200, { "content-type": "application/json", "x-request-id": String(request.url) });
    for (const piece of ['{"text":"', "\u{1f4ec}", '"}']) {
      response.write(piece);
      await new Promise((done) => setTimeout(done, 5));
    }
    response.end();
  });
  const answer = await send(transport, call);
  expect(answer).toMatchObject({ ok: true, status: 200, requestId: "/v1/widgets?q=a+b", data: { text: "\u{1f4ec}" } });
});

it("an answer that does not come in time, or not whole, is given up", async () => {
  const silent = await wayTo(() => undefined);
  await expect(send({ ...silent, timeout: 50 }, call)).rejects.toThrow("No answer came in time.");
  const halting = await wayTo((_, response) => void response.writeHead(200).write('{"text":'));
  await expect(send({ ...halting, timeout: 200 }, call)).rejects.toThrow("No answer came in time.");
});

it("a call ends with its signal, before and while it is sent, for the signal's reason", async () => {
  const silent = await wayTo(() => ended.abort(new Error("enough")));
  const ended = new AbortController();
  await expect(send({ ...silent, signal: ended.signal }, call)).rejects.toThrow("enough");
  await expect(send({ ...silent, signal: ended.signal }, call)).rejects.toThrow("enough");
});

it("a connection that is refused or ends early, and a header that cannot be sent, are errors", async () => {
  const ending = await wayTo((_, response) => void response.destroy());
  await expect(send(ending, call)).rejects.toThrow();
  await expect(send({ baseUrl: "http://127.0.0.1:1", token: "none" }, call)).rejects.toThrow("ECONNREFUSED");
  await expect(send({ ...ending, token: "a\nb" }, call)).rejects.toThrow("invalid");
});
