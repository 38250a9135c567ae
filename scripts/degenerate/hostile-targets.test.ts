import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeAll, expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { preflight } from "../../conformance/preflight/preflight.ts";
import { run } from "../../conformance/runner/run.ts";
import { exitCodeOf, type RunResult } from "../../conformance/runner/run-result.ts";
import { selfSigned } from "../../conformance/target/self-signed.ts";
import type { Target } from "../../conformance/target/target.ts";
import { createOrganization, createOrganizationKey } from "../../generated/client/sandbox-organizations.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import type { Reference } from "../commands/reference-target.ts";
import { sharedReference } from "../shared-reference.ts";
import { forwardingTo } from "./forwarding.ts";
import { type HostileTarget, hostileTargets, jobs, startHostile, threeInRow } from "./hostile-targets.ts";

let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
  setDefaultCACertificates([...getCACertificates("default"), selfSigned.cert]);
});

/** The sandbox stays sound, so that every check gets as far as the target lets it. */
const verify = (baseUrl: string, only: readonly string[], more: Partial<Target> = {}): Promise<RunResult> => {
  const timing = { requestTimeout: 500, maxWait: 0, pollInterval: 20, pollTimeout: 200, clockSkew: 5_000 };
  return run({ ...reference.target, baseUrl, receiver: null, timing, ...more }, allChecks, {
    ...{ profile: "full", allow: new Set(), only, skip: [], seed: 1, runs: 1, jobs, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  });
};

const idsWith = ({ rules }: RunResult, verdict: string): readonly string[] =>
  rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);

it.each(hostileTargets)("a target that $name ends the run by $bound", async (hostile) => {
  const { only, mostTurned, exits, interrupted, neverPass } = hostile;
  const target = await startHostile(hostile, reference.target.baseUrl);
  const result = await verify(target.url, only);
  await target.close();
  expect(idsWith(result, "kit_error")).toEqual([]);
  expect(exits).toContain(exitCodeOf(result));
  expect(target.turned()).toBeLessThanOrEqual(mostTurned);
  if (interrupted === null) expect(result.interrupted).toBeNull();
  else expect(result.interrupted ?? "").toMatch(interrupted);
  expect(idsWith(result, "pass").filter((id) => neverPass.includes(id))).toEqual([]);
  // What was made was given back, whatever became of the target.
  expect(result.leftBehind).toEqual([]);
});

it("a sandbox that hangs while the API lives ends what needs it by three time-outs in a row", async () => {
  const { baseUrl, sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const hanging: HostileTarget = {
    ...{ name: "hangs", only: [], sound: 30, turns: () => () => undefined, bound: "", mostTurned: 0, exits: [] },
    ...{ interrupted: null, neverPass: [] },
  };
  const target = await startHostile(hanging, sandbox.baseUrl);
  const result = await verify(baseUrl, ["api-keys", "envelope"], { sandbox: { ...sandbox, baseUrl: target.url } });
  await target.close();
  expect(exitCodeOf(result)).toBe(2);
  expect(result.interrupted).toMatch(/^sandbox down since \S+Z, after it was asked to /);
  expect(["fail", "warn", "kit_error"].flatMap((verdict) => idsWith(result, verdict))).toEqual([]);
  expect(target.turned()).toBeLessThanOrEqual(threeInRow + jobs);
});

it("a receiver that no delivery reaches blocks what wants one, and nothing is blamed on the target", async () => {
  const timing = { ...reference.target.timing, pollInterval: 20, pollTimeout: 200 };
  const unreached = { listen: { host: "127.0.0.1", port: 0 }, publicUrl: "http://127.0.0.1:9", tls: null };
  const wanting = allChecks.filter(({ needs }) => needs.includes("receiver")).map(({ id }) => id);
  const result = await verify(reference.target.baseUrl, wanting, { receiver: unreached, timing });
  expect(["fail", "kit_error"].flatMap((verdict) => idsWith(result, verdict))).toEqual([]);
  expect(idsWith(result, "blocked")).toContain("EVT-08");
  const findings = result.rules.flatMap(({ findings: found }) => found);
  expect(findings.some(({ message }) => message.includes("3 addresses were waited for in full"))).toBe(true);
});

it("a server whose envelope is misspelt is judged by the rules of the envelope, not turned away", async () => {
  const misspelt: HostileTarget = {
    ...{ name: "misspells", only: [], sound: 0, bound: "", mostTurned: 0, exits: [], interrupted: null, neverPass: [] },
    turns: (url) => forwardingTo(url, { becomes: (body) => body.replace('"success":', '"succes":') }),
  };
  const target = await startHostile(misspelt, reference.target.baseUrl);
  const own = { ...reference.target, baseUrl: target.url, key: await newKey() };
  const failure = await preflight(own);
  const result = await verify(target.url, [], { key: own.key, sandbox: null });
  await target.close();
  expect(failure).toBeNull();
  expect(exitCodeOf(result)).toBe(1);
  expect(idsWith(result, "fail")).toContain("ENV-04");
  expect(idsWith(result, "kit_error")).toEqual([]);
});

/** A key of a new organization of the reference server. */
async function newKey(): Promise<string> {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const created = await createOrganization(sandbox, { body: {} });
  if (!created.ok) throw new Error(created.error.message);
  const granted = await createOrganizationKey(sandbox, {
    path: { id: created.data.id },
    body: { scopes: documentedScopes },
  });
  if (!granted.ok) throw new Error(granted.error.message);
  return granted.data.plaintext;
}
