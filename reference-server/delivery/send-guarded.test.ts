import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok, startReceiver, status, type TestReceiver } from "../testing/test-receiver.ts";
import { send, testSender, unexplained } from "../testing/test-sender.ts";

let receiver: TestReceiver;

beforeAll(async () => {
  receiver = await startReceiver(ok);
});
afterAll(async () => {
  await receiver.close();
  expect(unexplained).toEqual([]);
});

describe("the guard", () => {
  it("lets nothing out to an address that stands in the URL", async () => {
    const before = receiver.connections();
    const answer = await send(receiver.url.replace("http:", "https:"), { policy: { loopback: false } });
    expect(answer).toMatchObject({ kind: "unanswered", error: "the address must be a public address" });
    expect(receiver.connections()).toBe(before);
  });

  it("lets nothing out to a name that leads inside, whatever it led to before", async () => {
    const before = receiver.connections();
    const url = `https://receiver.example:${receiver.port}/`;
    const sender = testSender({ policy: { loopback: false }, resolve: async () => ["127.0.0.1"] });
    const error = "the host does not lead to a public address";
    for (let count = 0; count < 2; count++)
      expect(await send(url, sender)).toMatchObject({ kind: "unanswered", error });
    expect(receiver.connections()).toBe(before);
  });

  it("resolves anew for each attempt, once, and connects to what it has checked", async () => {
    const other = await startReceiver(status(202), "127.0.0.2");
    const asked: string[] = [];
    const answers = ["127.0.0.1", "127.0.0.2", "10.0.0.1"];
    const resolve = async (name: string) => {
      asked.push(name);
      return [answers.shift() ?? ""];
    };
    const sender = testSender({ resolve });
    const here = `http://receiver.example:${receiver.port}/`;
    expect(await send(here, sender)).toMatchObject({ status: 200 });
    expect(receiver.received.at(-1)?.headers.host).toBe(`receiver.example:${receiver.port}`);
    const there = `http://receiver.example:${other.port}/`;
    expect(await send(there, sender)).toMatchObject({ status: 202 });
    expect(await send(there, sender)).toMatchObject({ error: "the host does not lead to a public address" });
    expect(asked).toEqual(Array(3).fill("receiver.example"));
    await other.close();
  });

  it("tries all addresses of a name", async () => {
    const url = `http://receiver.example:${receiver.port}/`;
    expect(await send(url, { resolve: async () => ["::1", "127.0.0.1"] })).toMatchObject({ status: 200 });
  });

  it("tells a name that nobody knows from one that leads inside", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("queryA"), { code: "ECONNREFUSED" }));
    const error = "the host name could not be resolved";
    expect(await send("http://receiver.example/", { resolve })).toMatchObject({ kind: "unanswered", error });
  });

  it("bears with a name server that says nothing no longer than with a receiver", async () => {
    const answer = await send("http://receiver.example/", {
      patience: { connect: 10_000, total: 400, body: 400 },
      resolve: () => new Promise(() => undefined),
    });
    expect(answer).toMatchObject({ kind: "unanswered", error: "no answer came within 0.4 s" });
  });

  it("refuses what can have come into the store in another way only", async () => {
    for (const url of ["", "nonsense", "file:///etc/passwd", "http://u:p@127.0.0.1/"])
      expect(await send(url)).toMatchObject({ kind: "unanswered", error: expect.stringMatching(/^the address must /) });
  });
});
