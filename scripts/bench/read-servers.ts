import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { referenceChoices } from "../../generated/choices.ts";
import { operations } from "../../generated/operations.ts";
import { newKey, newKeySecret } from "../../reference-server/domain/keys/api-keys.ts";
import { newCustomer } from "../../reference-server/domain/organizations/organization.ts";
import { machine } from "../../reference-server/server.ts";
import { openStore } from "../../reference-server/store/open-store.ts";
import type { Target } from "./load.ts";
import { type SpawnedServer, spawnServer, spawnServerAt } from "./spawned-server.ts";

const root = resolve(import.meta.dirname, "../..");

/** A server with the requests that it answers, one for each caller. */
export interface ReadServer extends Pick<SpawnedServer, "processorMilliseconds" | "close"> {
  readonly targets: readonly [Target, ...Target[]];
}

/** The reference server with its usual log, on a store, and so many keys of one organization, each of which reads itself. */
export async function referenceServer(store: string, callers: number): Promise<ReadServer> {
  const { place, environment } = withoutPassword(store);
  const keys = await newKeys(store, callers);
  const server = await spawnServer(
    [join(root, "scripts/bylaw.js"), "serve", "--port", "0", "--store", place],
    environment,
  );
  const targetOf = ({ id, plaintext }: NewKey): Target => ({
    url: server.url + operations.getApiKey.path.replace("{id}", id),
    headers: { authorization: `Bearer ${plaintext}` },
  });
  try {
    const [first, ...others] = keys;
    if (first === undefined) throw new Error("Nobody reads.");
    // What is written at a key's first use is not part of a sample.
    for (const { url, headers } of keys.map(targetOf)) await answerOf(url, { headers });
    return { ...server, targets: [targetOf(first), ...others.map(targetOf)] };
  } catch (problem) {
    await server.close();
    throw problem;
  }
}

/** Express with no middleware, which answers what the first target answers. */
export async function bareExpress(targets: ReadServer["targets"]): Promise<ReadServer> {
  const [{ url, headers }] = targets;
  const body = await (await answerOf(url, { headers })).text();
  const server = await spawnServer([join(import.meta.dirname, "bare-express.ts")], { BODY: body });
  return { ...server, targets: atOrigin(targets, server.url) };
}

/** Prism's mock of the generated document, with its usual log. */
export async function prismMock(targets: ReadServer["targets"]): Promise<ReadServer> {
  const port = await freePort();
  const program = join(root, "node_modules/@stoplight/prism-cli/dist/index.js");
  const url = `http://127.0.0.1:${port}`;
  // Its second process, usual in production, is for its log.
  const flags = ["--port", String(port), "--host", "127.0.0.1", "--no-multiprocess"];
  const server = await spawnServerAt(url, [program, "mock", join(root, "generated/openapi.yaml"), ...flags]);
  return { ...server, targets: atOrigin(targets, url) };
}

interface NewKey {
  readonly id: string;
  readonly plaintext: string;
}

async function newKeys(place: string, count: number): Promise<readonly NewKey[]> {
  const store = await openStore(place);
  try {
    const organization = newCustomer(machine);
    await store.insertOrganization(organization);
    const { scope } = operations.getApiKey;
    const wanted = { organizationId: organization.id, label: "bench", scopes: [scope], createdAt: machine.now() };
    const made = Array.from({ length: count }, () => {
      const secret = newKeySecret(machine, referenceChoices);
      return { key: newKey({ id: machine.newId(), ...wanted }, secret), plaintext: secret.plaintext };
    });
    await store.atomically(organization.id, async (tx) => {
      for (const { key } of made) await tx.keys.insert(key);
    });
    return made.map(({ key, plaintext }) => ({ id: key.id, plaintext }));
  } finally {
    await store.close();
  }
}

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.ok) return answer;
  throw new Error(`${url} was answered ${answer.status}.`);
}

function atOrigin([first, ...others]: ReadServer["targets"], origin: string): ReadServer["targets"] {
  const there = ({ url, headers }: Target): Target => ({ url: origin + new URL(url).pathname, headers });
  return [there(first), ...others.map(there)];
}

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
