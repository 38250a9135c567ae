import { afterAll, beforeAll, expect, test } from "vitest";
import { newBreaker } from "../../conformance/liveness/breaker.ts";
import { openSender } from "../../conformance/sending/sender.ts";
import type { Step } from "../../conformance/story/step.ts";
import { sandboxStep, stepOf } from "../../conformance/story/stories.ts";
import { operations } from "../../generated/operations.ts";
import type { Change } from "../../reference-server/edits/edit.ts";
import { type EditedServer, startEdited } from "../../reference-server/edits/start-edited.ts";
import { onData, withHeaders } from "../../reference-server/edits/wire.ts";
import { answeredApart, replayed } from "./replayed-story.ts";

const { createApiKey, createOrganization, getApiKey } = operations;

let server: EditedServer;
const steps: Step[] = [];

beforeAll(async () => {
  server = await startEdited([]);
  const { url: baseUrl, sandboxToken } = server;
  const sender = openSender({
    ...{ baseUrl, timeout: 5000, breaker: newBreaker("server", "look at it") },
    ...{ closing: new AbortController().signal, observe: () => undefined },
  });
  const asked = async ({ method }: { method: string }, path: string, token: string, body: object | null) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const exchange = await sender.send({ method, path, headers, body: body && JSON.stringify(body) });
    if (exchange.outcome.kind === "lost") throw new Error("The server does not answer.");
    return { exchange, data: (exchange.outcome.json as { data: Record<string, never> }).data };
  };
  const made = await asked(createOrganization, createOrganization.path, sandboxToken, {});
  const { method, url, headers, body } = made.exchange.request;
  steps.push(
    sandboxStep("create an organization", {
      ...{ method, url, headers, body: Buffer.from(body ?? ""), status: 200, sentAt: 0 },
      answer: Buffer.from(made.exchange.outcome.kind === "response" ? made.exchange.outcome.text : ""),
    }),
  );
  const { plaintext } = made.data.key ?? { plaintext: "" };
  const key = await asked(createApiKey, createApiKey.path, plaintext, { label: "a label", scopes: ["apikeys:read"] });
  const read = await asked(getApiKey, getApiKey.path.replace("{id}", String(key.data.id)), plaintext, null);
  steps.push(stepOf(key.exchange), stepOf(read.exchange));
  await sender.close();
});

afterAll(() => server.close());

/** What two servers answer differently, one with these changes. */
async function changedBy(...changes: readonly Change[]) {
  const told = await Promise.all(
    [changes, []].map(async (its) => {
      const other = await startEdited([{ id: "test", does: "", answers: "Q1", changes: its }]);
      return replayed(steps, server, other).finally(() => other.close());
    }),
  );
  expect(
    told.map((all) => all.map(({ answer }) => answer.outcome.kind === "response" && answer.outcome.status)),
  ).toEqual([1, 2].map(() => steps.map(({ outcome }) => outcome?.kind === "response" && outcome.status)));
  return [...answeredApart(told[0] ?? [], told[1] ?? [])];
}

test("a story is told again with the ids and secrets of the other server, which answers it alike", async () => {
  expect(await changedBy()).toEqual([]);
});

test("members, headers and times that differ are told with the call", async () => {
  const [, , read] = steps;
  const hour = 3_600_000;
  expect(
    await changedBy(
      { wire: onData("getApiKey", (data) => ({ ...data, label: "another" })) },
      { wire: onData("getApiKey", (data) => ({ ...data, created_at: new Date(Date.now() + hour).toISOString() })) },
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          return request.operation === "getApiKey" ? withHeaders(answer, { "x-more": "1" }) : answer;
        },
      },
    ),
  ).toEqual([[read?.exchange, ["header x-more", "/data/label", "/data/created_at"]]]);
});
