import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../generated/events.ts";
import { operationList, operations } from "../../generated/operations.ts";
import { type ChildServer, startChildServer } from "../child-server.ts";
import { flawsOf } from "./answers.ts";
import { hostileConversation } from "./hostile-conversations.ts";
import type { Known } from "./known.ts";
import { type Conversation, converse } from "./raw-client.ts";

const sandboxToken = randomBytes(16).toString("hex");
let server: ChildServer;
let known: Known;

beforeAll(async () => {
  server = await startChildServer(
    ["--expose-gc", join(import.meta.dirname, "serve-impatient.ts"), sandboxToken],
    "Serving at",
  );
  const ours = await arrange("/organizations", {
    wallet_micros: 1_000_000_000,
    limits: { apiKeyWrites: { capacity: 1_000_000, period_seconds: 1 } },
  });
  const key = await arrange(`/organizations/${ours.id}/keys`, {
    scopes: [...new Set(operationList.flatMap(({ service, scope }) => (service === "api" && scope ? [scope] : [])))],
  });
  const endpoint = await fetch(`${server.url}${operations.createWebhookEndpoint.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.plaintext}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://receiver.invalid/hook", events: eventTypes }),
  });
  const { data } = (await endpoint.json()) as { data: Arranged };
  const spare = await arrange(`/organizations/${ours.id}/keys`, { scopes: [operations.getApiKey.scope] });
  const session = await arrange(`/organizations/${ours.id}/sessions`, { staff: true });
  const victim = await arrange("/organizations", {});
  known = {
    ...{ key: key.plaintext, keyId: key.id, spareKeyId: spare.id, endpointId: data.id },
    ...{ staffSession: session.token, sandboxToken, victim: victim.id },
  };
});
afterAll(() => server.close());

interface Arranged {
  readonly id: string;
  readonly plaintext: string;
  readonly token: string;
}

async function arrange(path: string, body: object): Promise<Arranged> {
  const answer = await fetch(`${server.url}/sandbox/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandboxToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Arranged }).data;
}

const portOf = ({ url }: ChildServer): number => Number(new URL(url).port);

/** An ordinary read, on a connection of its own. */
async function isServed(): Promise<boolean> {
  const headers = { authorization: `Bearer ${known.key}`, connection: "close" };
  const answer = await fetch(`${server.url}/v1/api-keys/${known.keyId}`, { headers });
  return answer.status === 200;
}

/** What was wrong with the server's side of a conversation. */
async function flawsIn(conversation: Conversation): Promise<readonly string[]> {
  const { answers, rest, over } = await converse(portOf(server), conversation);
  const flaws = [
    ...answers.flatMap(flawsOf),
    ...(rest === "" ? [] : [`no HTTP: ${rest.slice(0, 200)}`]),
    ...(over ? [] : ["no end"]),
  ];
  const sent = Buffer.concat(conversation.pieces).toString("latin1").slice(0, 500);
  return flaws.map((flaw) => `${flaw} after ${conversation.leaving} ${JSON.stringify(sent)}`);
}

type Outcome = Pick<fc.RunDetailsCommon<unknown>, "failed" | "seed" | "counterexamplePath" | "errorInstance">;

/** Tells what was wrong and how to see it again, not the thousands of bytes of the whole crowd. */
function briefly({ failed, seed, counterexamplePath, errorInstance }: Outcome): void {
  if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`);
}

/** So many conversations at once, then an ordinary request; gives all that was wrong. */
async function flawsOfCrowd(conversations: readonly Conversation[]): Promise<readonly string[]> {
  const flaws: string[] = (await Promise.all(conversations.map(flawsIn))).flat();
  if (!(await isServed())) flaws.push("the next request is not served");
  const faults = await server.ask("faults");
  if (faults !== "[]") flaws.push(`faults in the log: ${faults}`);
  return flaws;
}

const seed = 20260101;

describe("hostile clients", () => {
  it("get no failure, no bare answer and no endless wait, and the next client is served", async () => {
    const crowd = fc.array(hostileConversation(known), { minLength: 64, maxLength: 64, size: "max" });
    const property = fc.asyncProperty(crowd, async (conversations) => {
      const flaws = await flawsOfCrowd(conversations);
      if (flaws.length > 0) throw new Error(flaws.join("\n"));
    });
    await fc.assert(property, { seed, numRuns: 12, endOnFailure: true, reporter: briefly });
  });

  it("reach the handlers too: the property would be idle if the parser stopped them all", async () => {
    const wanted = [200, 201, 400, 401, 404, 405, 422];
    const statuses = new Set<number>();
    // Which of them one crowd reaches is chance.
    for (let crowd = 0; crowd < 30 && wanted.some((status) => !statuses.has(status)); crowd += 1) {
      const conversations = fc.sample(hostileConversation(known), { seed: seed + crowd, numRuns: 300 });
      const heard = await Promise.all(conversations.map((conversation) => converse(portOf(server), conversation)));
      for (const { answers } of heard) for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining(wanted));
  });

  it("that hold connections open half-way keep nobody else out, and are let go of", async () => {
    const half = [
      "",
      "GET",
      "GET /v1/api-keys HTTP/1.1\r\nHost: x\r\nX: ",
      "POST /v1/api-keys HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
    ];
    const idle = Array.from({ length: 400 }, (_, index): Conversation => {
      return { pieces: [Buffer.from(half[index % half.length] ?? "")], leaving: "listen", bodiless: false };
    });
    const flaws = flawsOfCrowd(idle);
    expect(await isServed()).toBe(true);
    expect(await flaws).toEqual([]);
  });

  it("leave no memory behind", async () => {
    const crowd = fc.sample(hostileConversation(known), { seed, numRuns: 150 });
    await flawsOfCrowd(crowd);
    const before = Number(await server.ask("heap"));
    for (let round = 0; round < 6; round += 1) expect(await flawsOfCrowd(crowd)).toEqual([]);
    expect(Number(await server.ask("heap")) / before).toBeLessThan(1.25);
  });
});
