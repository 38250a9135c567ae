import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { CannotRun } from "../commands/cannot-run.ts";
import { fetchDocument } from "./fetch-document.ts";
import { readSide } from "./read-side.ts";

/** The address of a server that lives as long as the test. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const problemOf = async (address: string, milliseconds?: number): Promise<string> => {
  const problem: unknown = await fetchDocument(address, milliseconds).catch((error: unknown) => error);
  if (!(problem instanceof CannotRun)) throw new Error(`${address} was fetched`);
  return problem.message;
};

it("reads a document, through three redirects", async () => {
  const origin = await serving((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
    else response.end("openapi: 3.1.0");
  });
  expect(await fetchDocument(`${origin}/3`)).toBe("openapi: 3.1.0");
  expect(await problemOf(`${origin}/4`)).toMatch(/redirects more than 3 times\.\n {2}Name the last address/);
});

it("says what was answered instead", async () => {
  const origin = await serving((_, response) => response.writeHead(404).end());
  expect(await problemOf(origin)).toMatch(/: The answer is 404\.\n {2}Look whether .+ curl -fsSL/);
});

it("reads 50 MB at most", async () => {
  const origin = await serving((_, response) => response.end(Buffer.alloc(50 * 1024 * 1024 + 1, "a")));
  expect(await problemOf(origin)).toContain("It is larger than 50 MB.");
});

it("waits no longer than it may", async () => {
  const origin = await serving(() => undefined);
  expect(await problemOf(origin, 50)).toContain("It took more than 0.05 s.");
});

it("says that nobody is there", async () => {
  const origin = await serving(() => undefined);
  const gone = origin.replace(/\d+$/, "1");
  expect(await problemOf(gone)).toMatch(/It cannot be reached: .+\./);
});

it.each([
  ["http://api.example.test/openapi.yaml", "Only HTTPS is read"],
  ["https://me:secret@api.example.test/openapi.yaml", "It holds credentials, which are not sent."],
  ["https://", "This is no URL."],
])("refuses %s before anything is sent", async (address, why) => {
  const message = await problemOf(address);
  expect(message).toContain(why);
  expect(message).not.toContain("secret");
});

it("is a side of a comparison where the network is allowed, its places at its address", async () => {
  const documents = ["openapi: 3.1.0\npaths: { /a: { get: { responses: {} } } }\n", "openapi: 3.1.0\na: [\n"];
  const origin = await serving((request, response) => response.end(documents[Number(request.url?.slice(1))]));
  await expect(readSide(`${origin}/0`, false)).rejects.toThrow("A URL is read with --allow-network only.");
  const { contract, shown } = await readSide(`${origin}/0`, true);
  expect([shown, contract.operations.map(({ place }) => place)]).toEqual([
    `${origin}/0`,
    [{ file: `${origin}/0`, line: 2, column: expect.any(Number) }],
  ]);
  await expect(readSide(`${origin}/1`, true)).rejects.toThrow(`${origin}/1 cannot be read.`);
});
