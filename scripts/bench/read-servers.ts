import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { operations } from "../../generated/operations.ts";
import type { Target } from "./load.ts";
import { type SpawnedServer, spawnServer, spawnServerAt } from "./spawned-server.ts";

const root = resolve(import.meta.dirname, "../..");

/** A server with the one request that it answers. */
export interface ReadServer extends Pick<SpawnedServer, "processorMilliseconds" | "close"> {
  readonly target: Target;
}

/** The reference server with its usual log, on a store, and a key of it that reads itself. */
export async function referenceServer(store: string): Promise<ReadServer> {
  const { place, environment } = withoutPassword(store);
  const flags = ["serve", "--port", "0", "--store", place, "--seed-organization"];
  const server = await spawnServer([join(root, "scripts/bylaw.js"), ...flags], environment);
  try {
    return { ...server, target: await ownKey(server) };
  } catch (problem) {
    await server.close();
    throw problem;
  }
}

/** Express with no middleware, which answers what the target answers. */
export async function bareExpress(target: Target): Promise<ReadServer> {
  const body = await (await answerOf(target.url, { headers: target.headers })).text();
  const server = await spawnServer([join(import.meta.dirname, "bare-express.ts")], { BODY: body });
  return { ...server, target: sameRequest(target, server.url) };
}

/** Prism's mock of the generated document, with its usual log. */
export async function prismMock(target: Target): Promise<ReadServer> {
  const port = await freePort();
  const program = join(root, "node_modules/@stoplight/prism-cli/dist/index.js");
  const url = `http://127.0.0.1:${port}`;
  // Its second process, usual in production, is for its log.
  const flags = ["--port", String(port), "--host", "127.0.0.1", "--no-multiprocess"];
  const server = await spawnServerAt(url, [program, "mock", join(root, "generated/openapi.yaml"), ...flags]);
  return { ...server, target: sameRequest(target, url) };
}

/** Creates a key with the first one, and uses it: what is written at a key's first use is not part of a sample. */
async function ownKey({ url, lines }: SpawnedServer): Promise<Target> {
  const first = textIn(JSON.parse(lines[0] ?? "null"), "api_key");
  const { createApiKey, getApiKey } = operations;
  const created = await answerOf(url + createApiKey.path, {
    method: createApiKey.method,
    headers: { authorization: `Bearer ${first}`, "content-type": "application/json" },
    body: JSON.stringify({ label: "bench", scopes: [getApiKey.scope] }),
  });
  const answer: unknown = await created.json();
  const key = memberOf(answer, "data");
  const target = {
    url: url + getApiKey.path.replace("{id}", textIn(key, "id")),
    headers: { authorization: `Bearer ${textIn(key, "plaintext")}` },
  };
  await answerOf(target.url, { headers: target.headers });
  return target;
}

function textIn(value: unknown, name: string): string {
  const text = memberOf(value, name);
  if (typeof text === "string") return text;
  throw new Error(`The reference server told no ${name}.`);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.ok) return answer;
  throw new Error(`${url} was answered ${answer.status}.`);
}

const sameRequest = ({ url, headers }: Target, origin: string): Target => ({
  url: origin + new URL(url).pathname,
  headers,
});

/** Every user of a machine can read the flags of its processes. */
function withoutPassword(store: string) {
  if (!store.startsWith("postgres")) return { place: store, environment: {} };
  const url = new URL(store);
  const environment = { PGPASSWORD: decodeURIComponent(url.password) };
  url.password = "";
  return { place: url.href, environment };
}

/** Prism wants to be told its port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address !== null ? address.port : 0;
}
