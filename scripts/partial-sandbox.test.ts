import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { monitorId } from "../conformance/monitor/monitor.ts";
import type { Verdict } from "../conformance/outcome/verdict.ts";
import { run } from "../conformance/runner/run.ts";
import { errorRows } from "../generated/error-rows.ts";
import { operations } from "../generated/operations.ts";
import { documentedScopes } from "../generated/scopes.ts";
import type { Reference } from "./commands/reference-target.ts";
import { sharedReference } from "./shared-reference.ts";

let reference: Reference;
beforeAll(async () => {
  reference = await sharedReference();
});

/** The reference's sandbox behind a door that knows no capabilities and, of the scopes, only these, and leaves members out. */
async function partialSandbox(known: readonly string[], leftOut: readonly string[]) {
  const keys = new RegExp(`^${operations.createOrganizationKey.path.replace("{id}", "[^/]+")}$`);
  const refuse = (response: ServerResponse, row: "SandboxNotFound" | "UnknownArrangement"): void => {
    const { status, code } = errorRows[row];
    const error = { code, message: "This sandbox does not have it.", request_id: "none" };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: false, error }));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/", headers } = request;
    const body = await buffer(request);
    if (url === operations.getCapabilities.path) return refuse(response, "SandboxNotFound");
    const wanted: unknown = keys.test(url) ? JSON.parse(body.toString()).scopes : [];
    if (Array.isArray(wanted) && wanted.some((scope) => !known.includes(scope)))
      return refuse(response, "UnknownArrangement");
    const { authorization = "" } = headers;
    const passed = await fetch(reference.target.baseUrl + url, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body.length === 0 ? {} : { body }),
    });
    response.writeHead(passed.status, { "content-type": "application/json" });
    const answered = Buffer.from(await passed.arrayBuffer());
    response.end(leftOut.length === 0 ? answered : withoutMembers(answered, leftOut));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The same answer but for some members of its data. */
function withoutMembers(answer: Buffer, names: readonly string[]): string {
  const { data, ...others } = JSON.parse(answer.toString());
  const kept = Object.entries(Object(data)).filter(([name]) => !names.includes(name));
  return JSON.stringify({ ...others, data: Object.fromEntries(kept) });
}

const ofKeysAndEndpoints = ["api-keys.grants-documented-scopes", "api-keys.revoked-key-read", "webhooks.rotate-answer"];

/** What came of some checks, those of keys and endpoints unless others are named, by verdict. */
async function verdictsWith(
  known: readonly string[],
  { only = ofKeysAndEndpoints, leftOut = [] }: { only?: readonly string[]; leftOut?: readonly string[] } = {},
) {
  const door = await partialSandbox(known, leftOut);
  const sandbox = { baseUrl: door.baseUrl, token: reference.target.sandbox?.token ?? "" };
  const result = await run({ ...reference.target, sandbox }, allChecks, {
    profile: "full",
    allow: new Set(),
    only,
    skip: [],
    seed: 1,
    runs: 1,
    jobs: null,
    path: null,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  door.close();
  return Map.groupBy(result.rules, ({ verdict }) => verdict);
}

describe("a sandbox that tells no capabilities", () => {
  test("is asked for no scope that the document does not name", async () => {
    const verdicts = await verdictsWith(documentedScopes);
    expect([...verdicts.keys()]).toEqual(["pass"]);
  });

  test("and leaves out whatever its answers may do without is asked for it, and decides as much", async () => {
    const only = [...ofKeysAndEndpoints, "events.recorded-outcomes.sandbox"];
    const whole = await verdictsWith(documentedScopes, { only });
    const without = await verdictsWith(documentedScopes, { only, leftOut: ["key", "settled"] });
    const idsIn = (verdicts: typeof whole) => [...verdicts].map(([verdict, all]) => [verdict, all.map(({ id }) => id)]);
    expect(idsIn(without)).toEqual(idsIn(whole));
    expect(without.get("pass")?.map(({ id }) => id)).toEqual(expect.arrayContaining(["EVT-11", "EVT-12", "KEYC-13"]));
  });

  test("and does not know some of those loses the rules that need them, and no others", async () => {
    const ofKeys = documentedScopes.filter((scope) => scope.startsWith("apikeys:"));
    const { scope } = operations.rotateEndpointSecret;
    const needing = allChecks.find(({ id }) => id === "webhooks.rotate-answer")?.rules ?? [];
    const verdicts = await verdictsWith(ofKeys);
    const idsWith = (verdict: Verdict) => (verdicts.get(verdict) ?? []).map(({ id }) => id);
    expect(idsWith("pass")).toEqual(expect.arrayContaining(["KEYC-13", "KEYG-07"]));
    expect(idsWith("blocked")).toEqual(expect.arrayContaining([...needing]));
    for (const { id, findings } of verdicts.get("blocked") ?? []) {
      if (!needing.some((rule) => rule === id)) continue;
      const unblocks = findings.filter(({ check }) => check !== monitorId).map(({ unblock }) => unblock);
      expect({ id, unblocks }).toEqual({ id, unblocks: [`give the kit a key that holds ${scope}`] });
    }
    expect([...verdicts.keys()].sort()).toEqual(["blocked", "pass"]);
  });
});
