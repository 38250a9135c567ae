import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { openDeadline } from "../liveness/deadline.ts";
import { interruption } from "../liveness/or-ended.ts";
import { countingSender, openSender } from "./sender.ts";
import { soonClosed } from "./soon-closed.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function sendingTo(answer: RequestListener, timeout = 60_000) {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const seen: Exchange[] = [];
  const breaker = newBreaker("target", "see whether it runs");
  const closing = new AbortController();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const observe = (exchange: Exchange): void => void seen.push(exchange);
  const sender = openSender({ baseUrl, timeout, breaker, closing: closing.signal, observe });
  const ask = (path = "/v1/x") => sender.send({ method: "GET", path, headers: {}, body: null });
  return { sender, ask, seen, breaker, closing };
}

test("an answer that comes after its check has ended is still seen, so that what it made is known", async () => {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const { sender, ask, seen } = await sendingTo(async (_, response) => {
    asked.resolve();
    await release.promise;
    response.end("made");
  });
  const run = new AbortController();
  const deadline = openDeadline({ milliseconds: 60_000, ended: run.signal, late: interruption });
  const outcome = deadline.run(() => ask()).catch((error: unknown) => error);
  await asked.promise;
  run.abort(interruption());
  expect(await outcome).toMatchObject({ message: "the run was interrupted" });
  expect(seen).toEqual([]);
  const closed = sender.close();
  release.resolve();
  await closed;
  expect(seen).toMatchObject([{ outcome: { kind: "response", text: "made" } }]);
});

test("requests of those who send at the same time are counted for each of them", async () => {
  const release = Promise.withResolvers<void>();
  const { sender } = await sendingTo(async (_, response) => {
    await release.promise;
    response.end();
  });
  const outgoing = { method: "GET", path: "/v1/x", headers: {}, body: null };
  const [one, other] = [countingSender(sender), countingSender(sender)];
  const sent = [one.send(outgoing), other.send(outgoing), other.send(outgoing)];
  release.resolve();
  await Promise.all(sent);
  expect([one.count(), other.count(), sender.count()]).toEqual([1, 2, 3]);
  await sender.close();
});

test("closing gives up what nobody answers", async () => {
  const asked = Promise.withResolvers<void>();
  const { sender, ask, seen, closing } = await sendingTo(() => asked.resolve());
  const outcome = ask().catch((error: unknown) => error);
  await asked.promise;
  closing.abort(interruption());
  await sender.close();
  expect(await outcome).toMatchObject({ name: "Blocked" });
  expect(seen).toEqual([]);
});

test("three requests in a row without an answer end the sending, and the fourth is not sent", async () => {
  let asked = 0;
  const { ask, seen, sender } = await sendingTo((request, response) => {
    asked += 1;
    if (request.url === "/v1/first") response.end("{}");
  }, 500);
  await ask("/v1/first");
  for (let number = 0; number < 2; number += 1) expect((await ask()).outcome).toMatchObject({ reason: "timeout" });
  await ask().catch(() => undefined);
  const error: unknown = await ask().catch((problem: unknown) => problem);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^target down since .*, after GET \/v1\/first \(200\)/),
  });
  expect([asked, seen.length]).toEqual([4, 3]);
  await sender.close();
});

test("a single lost connection of a server that lives is told and goes no further", async () => {
  const { ask, breaker, sender } = await sendingTo((request, response) => {
    if (request.url === "/v1/lost") request.socket.resetAndDestroy();
    else response.end("{}");
  });
  for (let number = 0; number < 5; number += 1) {
    expect((await ask("/v1/lost")).outcome).toMatchObject({ kind: "lost", reason: "reset" });
  }
  expect((await ask()).outcome.kind).toBe("response");
  expect(breaker.signal.aborted).toBe(false);
  await sender.close();
});

test("bytes and repeated headers are sent as they are, and told", async () => {
  const came = Promise.withResolvers<{ readonly names: readonly string[]; readonly bytes: Buffer }>();
  const { sender } = await sendingTo(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    came.resolve({ names: request.rawHeaders, bytes: Buffer.concat(chunks) });
    response.end("{}");
  });
  const body = Buffer.from([0x7b, 0xff, 0x7d]);
  const headers = { authorization: "one", "content-type": "application/json" };
  const repeatedHeaders = [
    ["authorization", "two"],
    ["content-type", "text/plain"],
  ] as const;
  const { request } = await sender.send({ method: "POST", path: "/v1/x", headers, repeatedHeaders, body });
  const { names, bytes } = await came.promise;
  expect(bytes.equals(body)).toBe(true);
  expect(names).toEqual(expect.arrayContaining(["one", "two", "application/json", "text/plain"]));
  expect(request).toMatchObject({ repeatedHeaders, bodyBase64: body.toString("base64") });
  await sender.close();
});

test("an answer whose bytes are no UTF-8 is no JSON", async () => {
  const { ask, sender } = await sendingTo((_, response) => void response.end(Buffer.from('{"a":"é"}', "latin1")));
  expect((await ask()).outcome).toMatchObject({ kind: "response", json: undefined });
  await sender.close();
});

test("of an answer beyond four mebibytes the beginning is kept, and that it was cut", async () => {
  const { ask, sender } = await sendingTo((_, response) => void response.end("x".repeat(5 * 1024 * 1024)));
  const { outcome } = await ask();
  expect(outcome).toMatchObject({ kind: "response", truncated: true, json: undefined });
  expect(outcome.kind === "response" && outcome.text.length).toBe(16 * 1024);
  await sender.close();
});

test("what a server says before its answer is not the answer", async () => {
  const { sender, ask } = await sendingTo((_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeHead(202, { "Set-Cookie": ["one=1", "other=2"], "X-Kind": "answer" });
    response.write("first, ");
    response.end("then");
  });
  const { outcome } = await ask();
  expect(outcome).toMatchObject({ kind: "response", status: 202, text: "first, then" });
  expect(outcome).toMatchObject({ headers: { "set-cookie": "one=1, other=2", "x-kind": "answer" } });
  await sender.close();
});

test("an answer that ends before all of it came is lost", async () => {
  const { sender, ask } = await sendingTo((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setImmediate(() => response.destroy());
  });
  expect((await ask()).outcome).toMatchObject({ kind: "lost", reason: "reset" });
  await sender.close();
});

test("an answer that drips for longer than there is time is lost to that time", async () => {
  const { sender, ask } = await sendingTo((_, response) => {
    response.writeHead(200);
    response.write("half");
  }, 200);
  expect((await ask()).outcome).toMatchObject({ kind: "lost", reason: "timeout" });
  await sender.close();
});

test("a connection that had nothing to do for a moment is used no more, as the server may be closing it", async () => {
  const connections = new Set<unknown>();
  const { ask } = await sendingTo((request, response) => {
    connections.add(request.socket);
    response.end();
  });
  await ask();
  await sleep(2 * soonClosed.keepAliveTimeout);
  await ask();
  expect(connections.size).toBe(2);
});

test("a body is sent in chunks, without its length, where that is asked for", async () => {
  const { sender } = await sendingTo((request, response) => {
    const { "transfer-encoding": encoding, "content-length": length = null } = request.headers;
    response.write(JSON.stringify({ encoding, length }));
    request.pipe(response);
  });
  const headers = { "transfer-encoding": "chunked" };
  const { outcome, request } = await sender.send({ method: "POST", path: "/v1/x", headers, body: "whole" });
  expect(outcome).toMatchObject({ text: '{"encoding":"chunked","length":null}whole' });
  expect(request).toMatchObject({ headers, body: "whole" });
});
