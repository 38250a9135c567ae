import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Answer, delay, drip, hang, huge, redirect, reset, respond } from "../exchange/answer.ts";
import { headerValues, seenDelivery } from "../exchange/delivery.ts";
import { loopbackReceiver } from "../target/loopback-receiver.ts";
import { selfSigned } from "../target/self-signed.ts";
import type { ReceiverSettings } from "../target/target.ts";
import { longestKept } from "./read-body.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-receiver-"));
const started: Receiver[] = [];
const stop = new AbortController();
// A sender of deliveries as simple as can be, which trusts the test's own certificate.
const agent = new Agent({ connect: { rejectUnauthorized: false } });

afterEach(async () => {
  for (const receiver of started.splice(0)) await receiver.close();
});
afterAll(async () => {
  await agent.destroy();
  rmSync(scratch, { recursive: true });
});

async function open(more: Partial<ReceiverSettings> = {}, signal = stop.signal): Promise<Receiver> {
  const opened = await openReceiver({ ...loopbackReceiver, ...more }, { patience: 5_000, signal });
  if (!opened.ok) throw new Error(opened.failure.message);
  started.push(opened.receiver);
  return opened.receiver;
}

/** Delivers and tells what came back. */
async function deliver(url: string, body: string | Buffer = "{}", signal?: AbortSignal): Promise<string> {
  try {
    const options = { method: "POST", body, dispatcher: agent, ...(signal === undefined ? {} : { signal }) } as const;
    const answer = await request(url, options);
    return `${answer.statusCode} ${await answer.body.text()}`.trim();
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("an inbox", () => {
  test("keeps what came, byte for byte and header for header, and answers 200", async () => {
    const inbox = (await open()).path();
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    const status = await new Promise<number | undefined>((resolve) => {
      const headers = ["Host", "h", "X-Twice", "1", "x-twice", "2", "Content-Length", String(body.length)];
      httpRequest(`${inbox.url}?q=1`, { method: "PUT", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end(body);
    });
    const [delivery, ...others] = inbox.deliveries();
    expect([status, others]).toEqual([200, []]);
    expect(delivery).toMatchObject({ number: 1, method: "PUT", size: 4, truncated: false, broken: false });
    expect(delivery?.body).toEqual(body);
    expect(delivery?.path.endsWith("?q=1")).toBe(true);
    expect(delivery?.headers.slice(0, 3)).toEqual([
      ["Host", "h"],
      ["X-Twice", "1"],
      ["x-twice", "2"],
    ]);
    expect(headerValues(delivery ?? { headers: [] }, "X-TWICE")).toEqual(["1", "2"]);
  });

  test("has an address of its own that nobody can guess", async () => {
    const receiver = await open();
    const [one, other] = [receiver.path(), receiver.path()];
    await deliver(one.url);
    expect(other.deliveries()).toEqual([]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/);
    expect(await deliver(`${receiver.url}/guessed`)).toBe("404");
    expect(receiver.traffic()).toEqual({ deliveries: 1, strays: 1 });
  });

  test("is found behind a path that a proxy adds or takes away", async () => {
    const receiver = await open({ publicUrl: "https://hooks.example/kit" });
    const inbox = receiver.path();
    const token = inbox.url.slice("https://hooks.example/kit/".length);
    expect(inbox.url.startsWith("https://hooks.example/kit/")).toBe(true);
    // Where it really listens shows in no address, so it is asked for a second one.
    expect(token).toMatch(/^[\w-]{32}$/);
    const local = await open();
    const [, localToken] = /\/([\w-]{32})$/.exec(local.path().url) ?? [];
    expect(await deliver(`${local.url}/added/by/proxy/${localToken}/and/after`)).toBe("200");
  });

  test("answers as programmed, in order, and stays with the last answer", async () => {
    const inbox = (await open()).path();
    inbox.answer(respond(503), respond(500, { body: "no" }), respond(204));
    const seen = [];
    for (let n = 0; n < 4; n += 1) seen.push(await deliver(inbox.url));
    expect(seen).toEqual(["503", "500 no", "204", "204"]);
    inbox.answer(respond(410));
    expect(await deliver(inbox.url)).toBe("410");
  });

  test("answers by what has come", async () => {
    const inbox = (await open()).path();
    inbox.answerBy(({ body }) => respond(body.toString() === "good" ? 200 : 500));
    expect(await Promise.all([deliver(inbox.url, "good"), deliver(inbox.url, "bad")])).toEqual(["200", "500"]);
  });

  test("tells a fault of the program to whoever waits", async () => {
    const inbox = (await open()).path();
    inbox.answerBy(() => {
      throw new Error("a slip in the check");
    });
    const waiting = expect(inbox.until(2)).rejects.toThrow("a slip in the check");
    expect(await deliver(inbox.url)).toBe("500");
    await waiting;
  });

  const unusual: readonly (readonly [string, Answer, RegExp])[] = [
    ["a redirect", redirect("http://127.0.0.1:1/inside"), /^307$/],
    ["a reset", reset, /^(ECONNRESET|UND_ERR_SOCKET)$/],
    ["a delay before an answer", delay(30, respond(202)), /^202$/],
    ["a drip with an end", drip(2, 5), /^200 x{5}$/],
    ["a flood with an end", huge(300_000), /^200 x{300000}$/],
  ];

  test.each(unusual)("gives %s", async (_, answer, seen) => {
    const inbox = (await open()).path();
    inbox.answer(answer);
    expect(await deliver(inbox.url)).toMatch(seen);
    const [delivery] = inbox.deliveries();
    await expect.poll(() => delivery?.ending.how).toBe("given");
  });

  test.each([
    ["hang", hang],
    ["drip", drip(5)],
    ["flood", huge()],
    ["delay", delay(60_000, respond(200))],
  ])("lets a %s without an end be abandoned by the sender", async (_, answer) => {
    const inbox = (await open()).path();
    inbox.answer(answer);
    const patience = new AbortController();
    const outcome = deliver(inbox.url, "{}", patience.signal);
    const arrival = await inbox.until(1);
    patience.abort();
    await outcome;
    expect(arrival.ok).toBe(true);
    await expect.poll(() => arrival.deliveries[0]?.ending.how).toBe("abandoned");
  });

  test("keeps what a sender leaves half sent, marked as broken", async () => {
    const receiver = await open();
    const inbox = receiver.path();
    const { hostname, port, pathname } = new URL(inbox.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf`);
    await expect.poll(() => receiver.traffic().deliveries).toBe(1);
    socket.destroy();
    const { deliveries } = await inbox.until(1);
    expect(deliveries[0]).toMatchObject({ broken: true, size: 4, answer: null });
    expect(deliveries[0] && seenDelivery(deliveries[0]).answer.remark).toContain("not whole");
  });

  test("keeps a bounded part of a body that it reads whole", async () => {
    const inbox = (await open()).path();
    const body = Buffer.alloc(longestKept + 1000, "y");
    expect(await deliver(inbox.url, body)).toBe("200");
    const [delivery] = inbox.deliveries();
    expect(delivery).toMatchObject({ size: body.length, truncated: true, broken: false });
    expect(delivery?.body.length).toBe(longestKept);
  });

  test("keeps apart what comes at the same time", async () => {
    const inbox = (await open()).path();
    const bodies = Array.from({ length: 50 }, (_, n) => `${n}`.repeat(2000));
    await Promise.all(bodies.map((body) => deliver(inbox.url, body)));
    const digests = (texts: readonly string[]) => texts.map((t) => createHash("sha256").update(t).digest("hex")).sort();
    expect(digests(inbox.deliveries().map((d) => d.body.toString()))).toEqual(digests(bodies));
  });
});

describe("waiting for deliveries", () => {
  test("ends as soon as enough of the right ones are there", async () => {
    const inbox = (await open()).path();
    const two = inbox.until(2, { where: (d) => d.body.toString() === "wanted" });
    for (const body of ["wanted", "other", "wanted"]) await deliver(inbox.url, body);
    const arrival = await two;
    expect(arrival.ok).toBe(true);
    expect(arrival.deliveries.map((d) => d.number)).toEqual([1, 3]);
    expect((await inbox.until((all) => all.some((d) => d.body.toString() === "other"))).deliveries).toHaveLength(3);
  });

  test("tells plainly that nothing came, and whether anything ever reached the receiver", async () => {
    const receiver = await open();
    const inbox = receiver.path();
    const nothing = await inbox.until(1, { within: 10 });
    expect(nothing).toMatchObject({ ok: false, deliveries: [], reached: false });
    expect(nothing.ok ? "" : nothing.message).toMatch(/^nothing arrived within 10 ms; nothing at all has reached http/);
    await deliver(inbox.url);
    await deliver(`${receiver.url}/elsewhere`);
    const few = await inbox.until(2, { within: 10 });
    expect(few).toMatchObject({ ok: false, reached: true });
    expect(few.ok ? "" : few.message).toBe(
      "1 of 2 deliveries arrived within 10 ms; requests to paths that the kit gave nobody: 1",
    );
  });

  test("is waited for in short once three addresses heard nothing, until something comes after all", async () => {
    const opened = await openReceiver(loopbackReceiver, { patience: 100, signal: new AbortController().signal });
    if (!opened.ok) throw new Error(opened.failure.message);
    const { receiver } = opened;
    const texts: string[] = [];
    const wait = async (): Promise<void> => {
      const arrival = await receiver.path().until(1);
      texts.push(arrival.ok ? "" : arrival.message);
    };
    // One address counts once, and a wait that was asked to be short not at all.
    const one = receiver.path();
    for (const within of [1, 100, 100]) await one.until(1, { within });
    for (const _ of ["two", "three", "four"]) await wait();
    expect(texts.slice(0, 2).map((text) => /within (\d+ ms)/.exec(text)?.[1])).toEqual(["100 ms", "100 ms"]);
    expect(texts[2]).toMatch(
      /^nothing arrived within 5 ms; .* in this run, where 3 addresses were waited for in full$/,
    );
    await deliver(one.url);
    await wait();
    expect(texts[3]).toBe("nothing arrived within 100 ms");
    await receiver.close();
  });

  test("sees what breaks the silence, and only that", async () => {
    const inbox = (await open()).path();
    await deliver(inbox.url, "before");
    expect(await inbox.quiet(20)).toEqual([]);
    const broken = inbox.quiet(60_000);
    await deliver(inbox.url, "late");
    expect((await broken).map((d) => d.body.toString())).toEqual(["late"]);
    expect(await inbox.quiet(60_000, { after: 1 })).toHaveLength(1);
    expect(await inbox.quiet(10, { after: 0, where: (d) => d.method !== "POST" })).toEqual([]);
  });

  test("ends with the run", async () => {
    const interruption = new AbortController();
    const inbox = (await open({}, interruption.signal)).path();
    const waiting = expect(inbox.until(1)).rejects.toThrow("interrupted");
    interruption.abort();
    await waiting;
  });
});

describe("the end of a receiver", () => {
  test("cuts the connections that it holds and ends all waiting", async () => {
    const receiver = await open();
    const inbox = receiver.path();
    inbox.answer(hang);
    const outcome = deliver(inbox.url);
    const { deliveries } = await inbox.until(1);
    const waiting = inbox.until(2, { within: 60_000 });
    await receiver.close();
    expect(await outcome).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect((await waiting).ok).toBe(false);
    expect(deliveries[0]?.ending.how).toBe("cut");
    expect(await deliver(inbox.url)).toBe("ECONNREFUSED");
  });

  test("an inbox that is closed answers 410 and keeps nothing more", async () => {
    const inbox = (await open()).path();
    inbox.close();
    expect(await deliver(inbox.url)).toBe("410");
    expect(inbox.deliveries()).toEqual([]);
  });
});

describe("starting to listen", () => {
  const certificate = { cert: join(scratch, "cert.pem"), key: join(scratch, "key.pem") };
  writeFileSync(certificate.cert, selfSigned.cert);
  writeFileSync(certificate.key, selfSigned.key);

  test("speaks TLS with a certificate", async () => {
    const inbox = (await open({ listen: { host: "localhost", port: 0 }, tls: certificate })).path();
    expect(inbox.url).toMatch(/^https:\/\/localhost:/);
    expect(await deliver(inbox.url, "secret")).toBe("200");
    inbox.answer(reset);
    expect(await deliver(inbox.url)).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(inbox.deliveries()).toHaveLength(2);
  });

  test("is reached on this machine where it listens everywhere", async () => {
    const inbox = (await open({ listen: { host: "0.0.0.0", port: 0 } })).path();
    expect(await deliver(inbox.url)).toBe("200");
  });

  const failureOf = async (more: Partial<ReceiverSettings>) => {
    const opened = await openReceiver({ ...loopbackReceiver, ...more }, { patience: 1, signal: stop.signal });
    if (opened.ok) started.push(opened.receiver);
    return opened.ok ? null : opened.failure;
  };

  test("tells that something listens there already", async () => {
    const port = Number(new URL((await open()).url).port);
    const failure = await failureOf({ listen: { host: "127.0.0.1", port } });
    expect(failure).toMatchObject({ kind: "receiver", where: `127.0.0.1:${port}` });
    expect(`${failure?.message} ${failure?.fix}`).toMatch(/listens there already.*--receiver-listen/);
  });

  test("tells that the address is none of this machine", async () => {
    const failure = await failureOf({ listen: { host: "192.0.2.1", port: 0 } });
    expect(failure?.message).toBe("192.0.2.1 is no address of this machine.");
  });

  test.each([
    ["a missing certificate", { ...certificate, cert: join(scratch, "none.pem") }, "certificate cannot be read"],
    ["a missing key", { ...certificate, key: join(scratch, "none.pem") }, "private key cannot be read"],
    ["a key for a certificate", { ...certificate, cert: certificate.key }, "no certificate"],
    ["a certificate for a key", { ...certificate, key: certificate.cert }, "no private key"],
  ])("names the file of %s, and shows nothing of it", async (_, tls, message) => {
    const failure = await failureOf({ tls });
    expect(failure?.message).toContain(message);
    expect(failure?.where.startsWith(scratch)).toBe(true);
    expect(JSON.stringify(failure)).not.toContain(selfSigned.key.slice(30, 60));
  });
});
