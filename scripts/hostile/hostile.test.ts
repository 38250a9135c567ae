import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type ChildServer, startChildServer } from "../child-server.ts";
import { flawsOf } from "./answers.ts";
import { hostileConversation } from "./hostile-conversations.ts";
import type { Known } from "./hostile-heads.ts";
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
    limits: { apiKeyWrites: { capacity: 1_000_000, period_seconds: 1 } },
  });
  const key = await arrange(`/organizations/${ours.id}/keys`, { scopes: ["apikeys:read", "apikeys:write"] });
  const spare = await arrange(`/organizations/${ours.id}/keys`, { scopes: ["apikeys:read"] });
  const session = await arrange(`/organizations/${ours.id}/sessions`, { staff: true });
  const victim = await arrange("/organizations", {});
  known = {
    ...{ key: key.plaintext, keyId: key.id, spareKeyId: spare.id },
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

/** An ordinary read, on a connection of its own. */
async function isServed(): Promise<boolean> {
  const headers = { authorization: `Bearer ${known.key}`, connection: "close" };
  const answer = await fetch(`${server.url}/v1/api-keys/${known.keyId}`, { headers });
  return answer.status === 200;
}

/** What was wrong with the server's side of a conversation. */
async function flawsIn(conversation: Conversation): Promise<readonly string[]> {
  const { answers, rest, over } = await converse(Number(new URL(server.url).port), conversation);
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

describe("hostile clients", () => {
  it("get no failure, no bare answer and no endless wait, and the next client is served", async () => {
    const crowd = fc.array(hostileConversation(known), { minLength: 48, maxLength: 48, size: "max" });
    await fc.assert(
      fc.asyncProperty(crowd, async (conversations) => {
        const flaws: string[] = (await Promise.all(conversations.map(flawsIn))).flat();
        if (!(await isServed())) flaws.push("the next request is not served");
        const faults = await server.ask("faults");
        if (faults !== "[]") flaws.push(`faults in the log: ${faults}`);
        if (flaws.length > 0) throw new Error(flaws.join("\n"));
      }),
      { seed: 20260101, numRuns: 12, endOnFailure: true, reporter: briefly },
    );
  });
});
