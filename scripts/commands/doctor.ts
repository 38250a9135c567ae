import type { Command } from "commander";
import { secretDefinitions } from "../../conformance/arrangements/all.ts";
import { hookOf, secretOf } from "../../conformance/arrangements/requirement.ts";
import { verifySignature } from "../../conformance/arrangements/verified-signature.ts";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { type LackingScope, lackingScopes } from "../../conformance/preflight/lacking-scopes.ts";
import { preflight, readCapabilities } from "../../conformance/preflight/preflight.ts";
import { type ReceiverTrial, tryReceiver } from "../../conformance/receiver/try-receiver.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { nextStepLines } from "../../conformance/reports/plan-text.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
import { padEnd } from "../../conformance/reports/text-layout.ts";
import { lackingOperations } from "../../conformance/runner/lacking-operations.ts";
import { planOf } from "../../conformance/runner/plan.ts";
import { durationText } from "../../conformance/target/duration.ts";
import { starlessShapes } from "../../conformance/target/starless-shapes.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { buckets as limits } from "../../generated/limits.ts";
import type { Capabilities } from "../../generated/models/sandbox-organizations.ts";
import { operationList, operations } from "../../generated/operations.ts";
import { CannotRun } from "./cannot-run.ts";
import { exitWith } from "./exit-with.ts";
import { targetFrom } from "./target-from.ts";
import { addTargetOptions, environmentHelp, type TargetOptions } from "./target-options.ts";
import { usesColour } from "./uses-colour.ts";

/** Registers `doctor`: what the kit makes of a target, and what is missing. Exit code 0 when a run makes sense. */
export function addDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .description("look at a target before a run, with a handful of calls that change nothing");
  addTargetOptions(command)
    .addHelpText("after", `${environmentHelp}\n${help}`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((options: TargetOptions, self: Command) => exitWith(self, () => doctor(options)));
}

const help = `
Examples:
  npx bylaw doctor --url http://127.0.0.1:8080           with the key in BYLAW_API_KEY
  npx bylaw doctor --target target.yaml
  npx bylaw doctor --url http://127.0.0.1:8080 --receiver-listen 127.0.0.1:9100

Exit codes: 0 a run makes sense; 2 it does not.`;

async function doctor(options: TargetOptions): Promise<0> {
  const target = await targetFrom(options);
  const failure = await preflight(target);
  if (failure !== null) throw new CannotRun(problemText(failure));
  const { sandbox, timing } = target;
  const read = sandbox === null ? null : await readCapabilities(sandbox, timing.requestTimeout);
  if (read !== null && !read.ok) throw new CannotRun(problemText(read.failure));
  const trial = target.receiver === null ? null : await tryReceiver(target.receiver, timing.requestTimeout);
  if (trial?.ok === false) throw new CannotRun(problemText(trial.failure));
  const paint = paintWith(usesColour(process.stdout));
  const found = { capabilities: read?.capabilities ?? null, trial, lacking: await lackingScopes(target) };
  process.stdout.write(diagnosis(target, found, paint));
  return 0;
}

/** What a look at a sound target found. */
interface Found {
  readonly capabilities: Capabilities | null;
  readonly trial: Extract<ReceiverTrial, { ok: true }> | null;
  readonly lacking: readonly LackingScope[];
}

/** What a sound target offers and what more would help, for people. */
function diagnosis(target: Target, found: Found, paint: Paint): string {
  const sections = [
    [`${paint.green("✓")} ${paint.bold(target.baseUrl)} answers as this API.`],
    offered(target, found, paint),
    reach(target, paint),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function offered(target: Target, { capabilities, trial, lacking }: Found, paint: Paint): readonly string[] {
  const { key, sandbox, timing, hooks, shapes, numbers, implements: served } = target;
  const hooked = Object.keys(hooks).filter((name) => name !== verifySignature.name);
  const judged = hookOf(target, verifySignature) !== null;
  const mapped = Object.keys(shapes);
  const own = Object.keys(numbers);
  const line = (there: boolean, name: string, detail: string): string =>
    `  ${there ? paint.green("✓") : paint.dim("·")} ${padEnd(name, 28)}${there ? detail : paint.dim(detail)}`;
  const credential = (value: string | null, name: string, variable: string, isTried: boolean): string => {
    const there = isTried ? "accepted" : "given";
    const absent = sandbox === null ? `not given: ${variable}` : "not needed: the sandbox gives it";
    return line(value !== null, name, value === null ? absent : there);
  };
  return [
    paint.bold("What the kit has"),
    credential(key, "API key", "BYLAW_API_KEY", true),
    ...lacking.map(
      ({ scope, operations: needing, rules }) =>
        `      ${paint.yellow("!")} lacks ${scope}, which ${needing.join(", ")} ${needing.length === 1 ? "needs" : "need"}: ${counted(rules, "rule")} or more stay undecided`,
    ),
    ...(lacking.length === 0 ? [] : [`      → ${scopeCure(lacking)}`]),
    ...secretDefinitions.map((secret) =>
      credential(
        secretOf(target, secret),
        secret.what.replace(/^an? /, ""),
        secret.variable,
        secret.ifRefused !== null,
      ),
    ),
    line(sandbox !== null, "sandbox", sandbox === null ? "not given: BYLAW_SANDBOX_TOKEN" : sandbox.baseUrl),
    ...(hooked.length === 0
      ? []
      : [line(sandbox === null, "hooks", sandbox === null ? hooked.join(", ") : "not needed: the sandbox is used")]),
    ...(sandbox === null ? [] : capabilityLines(capabilities, paint)),
    line(trial !== null, "receiver", trial === null ? "not given: --receiver-listen" : trial.url),
    ...(trial === null ? [] : reachLines(trial, paint)),
    line(
      judged,
      "signatures",
      judged
        ? `judged by the ${verifySignature.name} hook`
        : `found out from the first delivery; a ${verifySignature.name} hook judges ways that the kit does not know`,
    ),
    ...(mapped.length === 0 ? [] : [line(true, "shapes", mapped.join(", "))]),
    ...starlessShapes(shapes).map(
      ({ operation, field, path }) =>
        `      ${paint.yellow("!")} ${operation}.response.${field}: "${path}" has no star, but data is a list: write "*.${path}"`,
    ),
    line(
      true,
      "phone numbers",
      own.length === 0 ? "of the range for use in fiction" : `your own for ${own.join(", ")}`,
    ),
    line(
      true,
      "time to wait",
      `${durationText(timing.maxWait * 1000)} in all, ${durationText(timing.requestTimeout)} a request`,
    ),
    ...(served === null ? [] : [line(true, "resources", served.join(", "))]),
  ];
}

/** Returns the way to a key with the scopes: a caller can grant only its own scopes. */
function scopeCure(lacking: readonly LackingScope[]): string {
  const { method, path } = operations.createApiKey;
  const scopes = lacking.map(({ scope }) => scope);
  return (
    `give the kit a key that also holds ${scopes.join(", ")}: create it by ${method} ${path} ` +
    `with ${scopes.length === 1 ? "it" : "them"} among "scopes", called by somebody who holds ${scopes.length === 1 ? "it" : "them"}`
  );
}

/** How far the way to the receiver can be known. */
const reachLines = ({ fromHere }: Extract<ReceiverTrial, { ok: true }>, paint: Paint): readonly string[] => [
  `      ${
    fromHere
      ? "a trial delivery from this machine arrived; whether the target's arrive, the run will show"
      : `${paint.yellow("!")} a trial delivery from this machine did not arrive; the target's may all the same`
  }`,
];

function capabilityLines(capabilities: Capabilities | null, paint: Paint): readonly string[] {
  const line = (name: string, text: string): string => `      ${padEnd(name, 26)}${printableLine(text)}`;
  if (capabilities === null) {
    return [
      line("capabilities", `not told: GET ${operations.getCapabilities.path} is not there`),
      line("scopes of its keys", unnamedScopes),
    ];
  }
  const { plans, buckets, outages, scopes } = capabilities;
  const known = operationList.filter((o) => o.service === "sandbox");
  const served = known.filter((o) => capabilities.operations.includes(o.id));
  const unset = Object.keys(limits).filter((name) => !buckets.includes(name));
  return [
    line("operations", `${served.length} of the sandbox API's ${known.length}`),
    ...lackingOperations(capabilities.operations, allChecks).map(
      ({ operation, rules }) =>
        `      ${paint.yellow("!")} lacks ${operation}: ${counted(rules.length, "rule")} cannot be decided without it${rules.length === 0 ? "" : ` (${listOf(rules)})`}`,
    ),
    line("plans", listOf(plans)),
    line("limits it can set", listOf(buckets)),
    ...(unset.length === 0 ? [] : [line("limits it cannot set", `${listOf(unset)}: blocks checks that want them`)]),
    line("outages it can cause", listOf(outages)),
    line("scopes of its keys", scopes === undefined || scopes.length === 0 ? unnamedScopes : listOf(scopes)),
  ];
}

/** As many names as a line holds, the first of them whatever its length; how many more there are. */
function listOf(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.filter((_, index) => index === 0 || names.slice(0, index + 1).join(", ").length <= longestList);
  const more = names.length - shown.length;
  return shown.join(", ").slice(0, longestList) + (more === 0 ? "" : ` and ${more} more`);
}

const longestList = 200;

const unnamedScopes = "not told: those that the API document names";

function reach(target: Target, paint: Paint): readonly string[] {
  const none = { allow: new Set<never>(), only: [], skip: [] };
  const full = planOf(target, allChecks, { profile: "full", ...none });
  const core = planOf(target, allChecks, { profile: "core", ...none });
  const runnable = (plan: typeof full): string =>
    `${plan.checks.filter((c) => c.blocked === null).length} of ${counted(plan.checks.length, "check")} can run; ${counted(plan.rules.length, "rule")} in all`;
  return [
    paint.bold("What a run would reach"),
    `  --profile core   ${runnable(core)}`,
    `  --profile full   ${runnable(full)}`,
    ...(full.nextSteps.length === 0
      ? []
      : ["", paint.bold("What more would help"), ...nextStepLines(full.nextSteps, process.stdout.columns ?? 100)]),
  ];
}
