import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import type { Effect } from "../conformance/arrangements/effect.ts";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import type { RunResult } from "../conformance/runner/run-result.ts";
import { operationOf } from "../conformance/sending/sender.ts";
import * as sandbox from "../generated/client/sandbox-organizations.ts";
import { operations } from "../generated/operations.ts";
import { scopes } from "../generated/scopes.ts";
import type { Reference } from "./commands/reference-target.ts";
import { forwardingTo } from "./degenerate/forwarding.ts";
import { sharedReference } from "./shared-reference.ts";

let reference: Reference;
beforeAll(async () => {
  reference = await sharedReference();
});

/** A key of somebody who has money, of whom the kit knows nothing else. */
async function givenKey(): Promise<string> {
  const { sandbox: access } = reference.target;
  if (access === null) throw new Error("The reference has no sandbox.");
  const body = { wallet_micros: 1_000_000_000, lifetime_spend_micros: 10_000_000_000 };
  const created = await sandbox.createOrganization(access, { body });
  if (!created.ok) throw new Error(created.error.message);
  const key = await sandbox.createOrganizationKey(access, { path: { id: created.data.id }, body: { scopes } });
  if (!key.ok) throw new Error(key.error.message);
  return key.data.plaintext;
}

/** What a run with that key alone has the target do: what comes of it, and how often each operation succeeded. */
async function doneBy(profile: "core" | "full", allow: ReadonlySet<Effect>, only: readonly string[], maxWait: number) {
  const succeeded = new Map<string, number>();
  const hand = forwardingTo(reference.target.baseUrl, {});
  const server = createServer((request, response) => {
    const id = operationOf(request.method ?? "", request.url ?? "") ?? "";
    response.on("finish", () => {
      if (response.statusCode < 300) succeeded.set(id, (succeeded.get(id) ?? 0) + 1);
    });
    hand(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { timing } = reference.target;
  const result: RunResult = await run(
    { ...reference.target, baseUrl, key: await givenKey(), sandbox: null, timing: { ...timing, maxWait } },
    allChecks,
    {
      ...{ profile, allow, only, skip: [], seed: 1, runs: 1, jobs: null, path: null },
      ...{ signal: new AbortController().signal, progress: () => undefined },
    },
  );
  server.close();
  const times = (id: string): number => succeeded.get(id) ?? 0;
  return { result, times };
}

const { sendMessage, cancelMessage, requestDoubleOptIn, createLookup } = operations;
test("without leave nobody is texted, looked up or charged", async () => {
  const { result, times } = await doneBy("core", new Set(), [], 0);
  expect(result.rules.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(50);
  for (const { id } of [sendMessage, requestDoubleOptIn, createLookup])
    expect({ [id]: times(id) }).toEqual({ [id]: 0 });
});

test("with leave to spend but none to send nobody is texted, and no message that a run scheduled stays", async () => {
  // What limits may ask for on their lowest tier; of an organization that has spent so much they ask for nothing.
  const { result, times } = await doneBy("full", new Set(["spends"]), ["messages", "consent"], 3600);
  expect(result.rules.filter(({ verdict }) => verdict === "fail" || verdict === "kit_error")).toEqual([]);
  expect(times(sendMessage.id)).toBeGreaterThan(10);
  expect(times(requestDoubleOptIn.id)).toBe(0);
  // Each that was taken was canceled, some of them more than once.
  expect(times(cancelMessage.id)).toBeGreaterThanOrEqual(times(sendMessage.id));
  expect(result.leftBehind.filter(({ kind }) => kind === "message")).toEqual([]);
});
