import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Identity, selfSigned, testAuthority } from "../testing/test-certificates.ts";
import { send, testSender, unexplained } from "../testing/test-sender.ts";

const name = "receiver.example";
const trusted = testAuthority();
const refused = "the certificate of the host was not accepted";
const usual = getCACertificates("default");
const endings: (() => Promise<void>)[] = [];

beforeAll(() => setDefaultCACertificates([...usual, trusted.cert]));
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});
afterAll(() => {
  setDefaultCACertificates(usual);
  expect(unexplained).toEqual([]);
});

/**
 * A receiver over TLS on this machine until the test ends; `asked` tells the names that it was asked for. `others` are the
 * identities that it has for other names at the same address: `identity` is shown to whoever asks for none of them.
 */
async function receiverWith(identity: Identity, others: Readonly<Record<string, Identity>> = {}) {
  const asked: (string | false | null)[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer({ key: identity.key, cert: identity.cert }, (request, response) => {
    paths.push(request.url);
    response.end("ok");
  });
  for (const [hostname, { key, cert }] of Object.entries(others)) server.addContext(hostname, { key, cert });
  server.on("secureConnection", (socket: TLSSocket) => asked.push(socket.servername));
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `https://${name}:${port}/hook`, port, asked, paths };
}

const resolve = async () => ["127.0.0.1"];

describe("a receiver over TLS", () => {
  it("gets deliveries when its certificate is good, and is asked for by its name", async () => {
    const { url, asked, paths } = await receiverWith(trusted.issue({ name }));
    const sender = testSender({ resolve });
    for (let count = 0; count < 2; count++)
      expect(await send(url, sender)).toMatchObject({ kind: "answered", status: 200, excerpt: "ok" });
    expect(asked).toEqual([name, name]);
    expect(paths).toEqual(["/hook", "/hook"]);
  });

  it("of several names at one address shows the certificate of the one that it was asked for", async () => {
    const names = ["one.example", "two.example"];
    const identities = Object.fromEntries(names.map((each) => [each, trusted.issue({ name: each })]));
    const { port, asked, paths } = await receiverWith(trusted.issue({ name: "nobody.example" }), identities);
    const sender = testSender({ resolve });
    for (const each of [...names, ...names])
      expect(await send(`https://${each}:${port}/${each}`, sender)).toMatchObject({ kind: "answered", status: 200 });
    expect(new Set(asked)).toEqual(new Set(names));
    expect(paths).toEqual([...names, ...names].map((each) => `/${each}`));
    // A name that the receiver does not have there gets the certificate of another one, and no delivery.
    expect(await send(`https://three.example:${port}/three`, sender)).toMatchObject({
      kind: "unanswered",
      error: refused,
    });
    expect(paths).toHaveLength(4);
  });

  it.each([
    ["has expired", trusted.issue({ name, expires: Date.now() - 1_000 })],
    ["is not valid yet", trusted.issue({ name, expires: Date.now() + 20 * 86_400_000 })],
    ["is for another name", trusted.issue({ name: "other.example" })],
    ["is signed by itself", selfSigned({ name })],
    ["is signed by an authority that nobody trusts", testAuthority().issue({ name })],
  ])("gets nothing when its certificate %s", async (_what, identity) => {
    const { url, paths } = await receiverWith(identity);
    expect(await send(url, { resolve })).toMatchObject({ kind: "unanswered", error: refused });
    expect(paths).toEqual([]);
  });

  it("gets nothing more when a good certificate is followed by a bad one", async () => {
    const sender = testSender({ resolve });
    const good = await receiverWith(trusted.issue({ name }));
    expect(await send(good.url, sender)).toMatchObject({ kind: "answered" });
    const bad = await receiverWith(selfSigned({ name }));
    expect(await send(bad.url, sender)).toMatchObject({ kind: "unanswered", error: refused });
    expect(bad.paths).toEqual([]);
  });

  it("gets nothing inside, whatever its certificate", async () => {
    const { url, asked } = await receiverWith(trusted.issue({ name }));
    const answer = await send(url, { resolve, policy: { loopback: false } });
    expect(answer).toMatchObject({ kind: "unanswered", error: "the host does not lead to a public address" });
    expect(asked).toEqual([]);
  });
});
