import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { loopbackReceiver } from "../target/loopback-receiver.ts";
import { receiverFailure, tryReceiver } from "./try-receiver.ts";

test("a receiver is tried under the address that the target is told", async () => {
  expect(await tryReceiver(loopbackReceiver, 5000)).toMatchObject({ ok: true, fromHere: true });
});

test("an address that leads elsewhere is told from one that leads to the receiver", async () => {
  const elsewhere = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const publicUrl = `http://127.0.0.1:${port}`;
  expect(await tryReceiver({ ...loopbackReceiver, publicUrl }, 5000)).toEqual({
    ...{ ok: true, url: publicUrl, fromHere: false },
  });
  const taken = { ...loopbackReceiver, listen: { host: "127.0.0.1", port } };
  expect(await tryReceiver(taken, 5000)).toMatchObject({ ok: false, failure: { where: `127.0.0.1:${port}` } });
  expect(await receiverFailure(taken)).toMatchObject({ kind: "receiver" });
  await new Promise<void>((resolve) => elsewhere.close(() => resolve()));
});

test("an address that never answers costs no more than the time given", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const trial = await tryReceiver({ ...loopbackReceiver, publicUrl: `http://127.0.0.1:${port}` }, 100);
  expect(trial).toMatchObject({ ok: true, fromHere: false });
  silent.closeAllConnections();
  await new Promise<void>((resolve) => silent.close(() => resolve()));
});

test("a port is free again after it was tried", async () => {
  const first = await tryReceiver(loopbackReceiver, 5000);
  const port = first.ok ? Number(new URL(first.url).port) : 0;
  const again = { ...loopbackReceiver, listen: { host: "127.0.0.1", port } };
  expect([await receiverFailure(again), await receiverFailure(again)]).toEqual([null, null]);
});
