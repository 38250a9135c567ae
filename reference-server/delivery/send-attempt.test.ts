import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";
import { eventually } from "../testing/test-courier.ts";
import { drip, hang, huge, ok, reset, startReceiver, status, type TestReceiver } from "../testing/test-receiver.ts";
import { send, sentBody, sentHeaders, testSender, unexplained } from "../testing/test-sender.ts";
import { SendingStopped } from "./send-attempt.ts";

/** For what ends by time alone. */
const total = 400;
const short = { patience: { connect: 10_000, total, body: 20_000 } };

let receiver: TestReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  expect(unexplained).toEqual([]);
});

/** A receiver that speaks bytes of its own when it is spoken to. */
async function rawReceiver(speak: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** What becomes of bytes that a receiver answers with before it ends the connection. */
async function answered(bytes: string): Promise<ReceiverAnswer> {
  const raw = await rawReceiver((socket) => socket.end(bytes));
  const answer = await send(raw.url);
  raw.close();
  return answer;
}

describe("an attempt", () => {
  it("posts the very bytes and headers to path and query", async () => {
    receiver.behave(ok);
    const answer = await send(`${receiver.url}/a%20b?c=d&e`);
    expect(answer).toMatchObject({ kind: "answered", status: 200, excerpt: "ok" });
    const received = receiver.received.at(-1);
    expect(received).toMatchObject({ method: "POST", path: "/hook/a%20b?c=d&e" });
    expect(received?.body).toEqual(sentBody);
    expect(received?.headers["content-length"]).toBe(String(sentBody.length));
    for (const [name, value] of Object.entries(sentHeaders)) {
      expect(received?.rawHeaders).toContain(name);
      expect(received?.headers[name.toLowerCase()]).toBe(value);
    }
  });

  it.each([200, 204, 299, 400, 410, 429, 500, 503])(
    "tells the status %i with what the body begins with",
    async (code) => {
      receiver.behave(status(code, code === 204 ? "" : "because"));
      expect(await send(receiver.url)).toMatchObject({
        kind: "answered",
        status: code,
        excerpt: code === 204 ? "" : "because",
      });
    },
  );

  it.each([301, 302, 303, 307, 308])("does not follow a %i, least of all inside", async (code) => {
    const inside = await startReceiver();
    receiver.behave((response) => void response.writeHead(code, { location: inside.url }).end());
    expect(await send(receiver.url)).toMatchObject({ kind: "answered", status: code });
    expect(inside.connections()).toBe(0);
    await inside.close();
  });

  it("takes as long as the receiver does", async () => {
    const delay = 100;
    receiver.behave((response) => void setTimeout(() => response.end("late"), delay));
    const answer = await send(receiver.url);
    // Timers may fire up to a millisecond early.
    expect(answer.milliseconds).toBeGreaterThanOrEqual(delay - 1);
    expect(answer).toMatchObject({ status: 200 });
  });

  it("keeps the beginning of a body in whole characters", async () => {
    receiver.behave((response) => void response.end(`${"a".repeat(1_022)}€uro`));
    expect(await send(receiver.url)).toMatchObject({ excerpt: "a".repeat(1_022) });
    expect(await send(receiver.url, { excerptBytes: 3 })).toMatchObject({ excerpt: "aaa" });
  });

  it("uses each connection once, and says so", async () => {
    receiver.behave(ok);
    const sender = testSender();
    const before = receiver.connections();
    for (let count = 0; count < 3; count++) await send(receiver.url, sender);
    expect(receiver.connections()).toBe(before + 3);
    expect(receiver.received.at(-1)?.headers.connection).toBe("close");
  });
});

describe("a receiver that misbehaves", () => {
  it("is given up when it hangs", async () => {
    receiver.behave(hang);
    expect(await send(receiver.url, short)).toMatchObject({ kind: "unanswered", error: "no answer came within 0.4 s" });
  });

  it("has answered when it gives a status and then drips", async () => {
    receiver.behave(drip);
    const answer = await send(receiver.url, short);
    expect(answer).toMatchObject({ kind: "answered", status: 200, excerpt: expect.stringMatching(/^d+$/) });
    expect(answer.milliseconds).toBeGreaterThanOrEqual(total - 1);
  });

  it("is let go of soon when it gives a status and then drips", async () => {
    receiver.behave(drip);
    const patience = { connect: 10_000, total: 3_600_000, body: 100 };
    const answer = await send(receiver.url, { patience });
    expect(answer).toMatchObject({ kind: "answered", status: 200, excerpt: expect.stringMatching(/^d+$/) });
  });

  it("cannot make the server read an endless body", async () => {
    receiver.behave(huge);
    expect(await send(receiver.url)).toMatchObject({
      ...{ kind: "answered", status: 200, excerpt: "h".repeat(1_024) },
    });
  });

  it("has answered when it gives a status and breaks off", async () => {
    expect(await answered("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")).toMatchObject({
      status: 200,
      excerpt: "half",
    });
  });

  it("has not answered when it resets or ends the connection", async () => {
    const error = "the connection was closed before an answer came";
    receiver.behave(reset);
    expect(await send(receiver.url)).toMatchObject({ kind: "unanswered", error });
    expect(await answered("")).toMatchObject({ kind: "unanswered", error });
    expect(await answered("HTTP/1.1 200 O")).toMatchObject({ kind: "unanswered", error });
  });

  it("has not answered when it speaks something else, or too much", async () => {
    expect(await answered("SSH-2.0-OpenSSH_9.9\r\n")).toMatchObject({ error: "the answer is not HTTP" });
    const flood = `HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await answered(flood)).toMatchObject({ error: "the headers of the answer are too large" });
  });

  it("cannot pass an early answer off as the last one", async () => {
    const informed = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno";
    expect(await answered(informed)).toMatchObject({ kind: "answered", status: 500, excerpt: "no" });
    expect(
      await answered("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ).toMatchObject({
      kind: "unanswered",
    });
  });

  it("is not there", async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await send(gone.url)).toMatchObject({ kind: "unanswered", error: "the connection was refused" });
  });

  it("speaks no TLS", async () => {
    const error = "no TLS connection came about";
    expect(await send(receiver.url.replace("http:", "https:"))).toMatchObject({ kind: "unanswered", error });
  });
});

it("a sender that was stopped breaks off what hangs, and sends nothing more", async () => {
  receiver.behave(hang);
  const sender = testSender();
  const before = receiver.received.length;
  const broken = send(receiver.url, sender).catch((problem: unknown) => problem);
  await eventually(() => receiver.received.length).toBe(before + 1);
  sender.stop();
  expect(await broken).toBeInstanceOf(SendingStopped);
  await expect(send(receiver.url, sender)).rejects.toThrow(SendingStopped);
  expect(receiver.received.length).toBe(before + 1);
});
