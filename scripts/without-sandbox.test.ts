import { beforeAll, expect, test } from "vitest";
import { otherKey } from "../conformance/arrangements/other-organization.ts";
import { signedInUser } from "../conformance/arrangements/signed-in-user.ts";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import type { Target } from "../conformance/target/target.ts";
import * as sandbox from "../generated/client/sandbox-organizations.ts";
import { buckets } from "../generated/limits.ts";
import { scopes } from "../generated/scopes.ts";
import type { Reference } from "./commands/reference-target.ts";
import { sharedReference } from "./shared-reference.ts";

let reference: Reference;
beforeAll(async () => {
  reference = await sharedReference();
});

/** What the owner of an organization with money and wide limits can give: a key, and a user's session. */
async function givenBySomebody() {
  const { sandbox: access } = reference.target;
  if (access === null) throw new Error("The reference has no sandbox.");
  const limits = Object.fromEntries(Object.keys(buckets).map((name) => [name, { capacity: 1e6, period_seconds: 1 }]));
  const body = { wallet_micros: 1_000_000_000, lifetime_spend_micros: 10_000_000_000, limits };
  const created = await sandbox.createOrganization(access, { body });
  if (!created.ok) throw new Error(created.error.message);
  const path = { id: created.data.id };
  const key = await sandbox.createOrganizationKey(access, { path, body: { scopes } });
  if (!key.ok) throw new Error(key.error.message);
  const session = await sandbox.createSession(access, { path, body: {} });
  if (!session.ok) throw new Error(session.error.message);
  return { key: key.data.plaintext, session: session.data.token };
}

/** Rules that a check left without a word, where it could run, and how many were decided. */
async function leftUndecided(given: Partial<Target>) {
  const { timing } = reference.target;
  const result = await run(
    { ...reference.target, sandbox: null, receiver: null, ...given, timing: { ...timing, maxWait: 0 } },
    allChecks,
    {
      ...{ profile: "full", allow: new Set(["spends", "sends", "exhausts"] as const), only: [], skip: [], seed: 1 },
      ...{ runs: 1, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
    },
  );
  const findings = result.rules.flatMap((rule) => rule.findings);
  return {
    decided: findings.filter(({ verdict }) => verdict === "pass").length,
    undecided: findings
      .filter(({ verdict }) => verdict === "kit_error")
      .map(({ rule, check, message }) => `${rule} ${check}: ${message}`),
  };
}

const secretsOf = (session: string, other: string) => ({
  [otherKey.setting]: other,
  [signedInUser.secret?.setting ?? ""]: session,
});

const receiver = { listen: { host: "127.0.0.1", port: 0 }, publicUrl: null, tls: null };

test.each([
  ["a key", false],
  ["two keys, a session and a receiver", true],
])("no check ends without a word on a rule where all that it has is %s", async (_, more) => {
  const [one, other] = [await givenBySomebody(), await givenBySomebody()];
  const { decided, undecided } = await leftUndecided({
    key: one.key,
    ...(more ? { receiver, secrets: secretsOf(one.session, other.key) } : {}),
  });
  expect(undecided).toEqual([]);
  expect(decided).toBeGreaterThan(200);
});
