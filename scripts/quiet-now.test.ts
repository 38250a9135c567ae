import { expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import { localTime } from "../conformance/steps/local-time.ts";
import type { Target } from "../conformance/target/target.ts";
import * as sandbox from "../generated/client/sandbox-organizations.ts";
import { scopes } from "../generated/scopes.ts";
import { allEdits } from "../reference-server/edits/all-edits.ts";
import { startEdited } from "../reference-server/edits/start-edited.ts";

/** Checks of quiet hours at the time that it is: of an organization that was given, and of one of the kit's own. */
const given = "quiet-hours.as-they-are";
const own = "quiet-hours.right-now";

/** In which it is quiet in New York now, and not in all other places. */
function windowNow() {
  const at = (hours: number): string => localTime(Date.now() + hours * 3_600_000, "America/New_York");
  return { start: at(-1.5), end: at(1.5) };
}

/** What the two checks make of a server with these edits, by rule. */
async function verdictsOn(edits: readonly string[]) {
  const server = await startEdited(allEdits.filter(({ id }) => edits.includes(id)));
  const access = { baseUrl: server.url, token: server.sandboxToken };
  try {
    // Limits of who has spent so much ask for no waiting; the kit, which cannot know that, is allowed some.
    const money = { wallet_micros: 1_000_000_000, lifetime_spend_micros: 10_000_000_000 };
    const body = { ...money, quiet_hours: { mode: "reject" as const, ...windowNow() } };
    const made = await sandbox.createOrganization(access, { body });
    if (!made.ok) throw new Error(made.error.message);
    const key = await sandbox.createOrganizationKey(access, { path: { id: made.data.id }, body: { scopes } });
    if (!key.ok) throw new Error(key.error.message);
    const target: Target = {
      ...{ baseUrl: server.url, key: key.data.plaintext, secrets: {}, sandbox: null, hooks: {}, implements: null },
      ...{ receiver: null, shapes: {}, numbers: {} },
      timing: { requestTimeout: 10_000, maxWait: 3600, pollInterval: 20, pollTimeout: 500, clockSkew: 5_000 },
    };
    const verdicts = async (it: Target, only: string) => {
      const { rules } = await run(it, allChecks, {
        ...{ profile: "full", allow: new Set(["spends", "sends"] as const), only: [only], skip: [], seed: 1 },
        ...{ runs: 1, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
      });
      const findings = rules.flatMap((rule) => rule.findings).filter(({ check }) => check === only);
      return Object.fromEntries(findings.map(({ rule, verdict }) => [rule, verdict]));
    };
    return {
      given: await verdicts(target, given),
      own: await verdicts({ ...target, key: null, sandbox: access }, own),
    };
  } finally {
    await server.close();
  }
}

const rules = ["MSG-24", "MSG-25", "MSG-26", "MSG-27", "MSG-28", "MSG-29", "MSG-38", "MSG-55"];

test("what an obedient server answers now, in an organization with quiet hours or a new one, is called so", async () => {
  const all = Object.fromEntries(rules.map((rule) => [rule, "pass"]));
  expect(await verdictsOn([])).toEqual({ given: all, own: all });
});

test.each(["MSG-25-zone", "MSG-25-next", "MSG-26-seconds", "MSG-27-past", "MSG-27-local"])(
  "the mutant %s is found now, whosever the organization is",
  async (mutant) => {
    const rule = mutant.slice(0, "MSG-00".length);
    expect(await verdictsOn([mutant])).toMatchObject({ given: { [rule]: "fail" }, own: { [rule]: "fail" } });
  },
);
