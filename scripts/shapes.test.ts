import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { objectOf } from "../conformance/exchange/exchange.ts";
import { run } from "../conformance/runner/run.ts";
import type { RunResult } from "../conformance/runner/run-result.ts";
import type { Shapes } from "../conformance/target/shapes.ts";
import { operations } from "../generated/operations.ts";
import type { Reference } from "./commands/reference-target.ts";
import { sharedReference } from "./shared-reference.ts";

/** How the server of this test has what the document does not show. */
const shapes: Shapes = {
  createWebhookEndpoint: {
    request: { url: "endpoint.address", events: "endpoint.types" },
    response: { id: "endpoints.0.id", org_id: "endpoints.0.org_id" },
  },
  testWebhookEndpoint: { request: {}, response: { event_id: "event.id", event_type: "event.type" } },
  rotateOrganizationSecret: { request: {}, response: { secret: "." } },
};

type Members = Readonly<Record<string, unknown>>;

const { createWebhookEndpoint, testWebhookEndpoint, rotateOrganizationSecret } = operations;
const testPath = new RegExp(`^${testWebhookEndpoint.path.replace("{id}", "[^/]+")}$`);

/** The body of a creation as the reference wants it; what names no endpoint is left to it as it is. */
function bodyFor(path: string, text: string): string {
  if (path !== createWebhookEndpoint.path) return text;
  try {
    const { endpoint, ...rest } = objectOf(JSON.parse(text)) ?? {};
    const { address, types } = objectOf(endpoint) ?? {};
    return endpoint === undefined ? text : JSON.stringify({ ...rest, url: address, events: types });
  } catch {
    return text;
  }
}

/** The data of an answer as this server has it. */
function dataFor(path: string, data: Members): unknown {
  if (path === createWebhookEndpoint.path) return { endpoints: [data] };
  if (testPath.test(path)) return { event: { id: data.event_id, type: data.event_type } };
  return path === rotateOrganizationSecret.path ? data.secret : data;
}

/** Headers that are about the message, not about one connection. */
const endToEnd = <T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(host|connection|keep-alive|content-length|transfer-encoding)$/.test(name),
    ),
  );

let reference: Reference;
let other: Server;

beforeAll(async () => {
  reference = await sharedReference();
  other = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
    const { method = "GET", url = "/" } = incoming;
    const headers = endToEnd(incoming.headers);
    const body = chunks.length === 0 ? null : bodyFor(url, Buffer.concat(chunks).toString("utf8"));
    const answer = await request(reference.target.baseUrl + url, { method: method as "GET", headers, body });
    const envelope = objectOf(await answer.body.json()) ?? {};
    const data = objectOf(envelope.data);
    const shaped = envelope.success === true && data !== null && method === "POST";
    outgoing.writeHead(answer.statusCode, endToEnd(answer.headers));
    outgoing.end(JSON.stringify(shaped ? { ...envelope, data: dataFor(url, data) } : envelope));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await new Promise((resolve) => other.close(resolve));
});

const verify = (mapping: Shapes): Promise<RunResult> =>
  run(
    { ...reference.target, baseUrl: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, shapes: mapping },
    allChecks,
    {
      ...{
        profile: "full",
        allow: new Set(),
        only: ["WHE", "WHO"],
        skip: [],
        seed: 1,
        runs: 3,
        jobs: null,
        path: null,
      },
      ...{ signal: new AbortController().signal, progress: () => undefined },
    },
  );

const idsWith = ({ rules }: RunResult, ...verdicts: readonly string[]): readonly string[] =>
  rules.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

test("a server of other shapes is judged through its mapping, whole", async () => {
  const result = await verify(shapes);
  expect(result.rules.filter((r) => r.verdict !== "pass").map((r) => [r.id, r.verdict, r.message])).toEqual([]);
});

test("without the mapping it is called no violator, but much stays undecided", async () => {
  const result = await verify({});
  expect(idsWith(result, "fail", "kit_error")).toEqual([]);
  expect(idsWith(result, "blocked").length).toBeGreaterThan(5);
});
