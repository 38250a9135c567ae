import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type OperationId, operations } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import { secretDefinitions } from "../arrangements/all.ts";
import type { Effect } from "../arrangements/effect.ts";
import { secretOf } from "../arrangements/requirement.ts";
import type { Check } from "../context/check.ts";
import { totalOf } from "../context/draws.ts";
import { createdThing, removedThing } from "../context/made-things.ts";
import { openContext } from "../context/open-context.ts";
import { seedOf } from "../context/seeded-random.ts";
import { redactedPlace } from "../evidence/place.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../exchange/exchange.ts";
import { newSecrets } from "../exchange/redaction.ts";
import { secretName } from "../exchange/secret-name.ts";
import { newHookCaller } from "../hooks/hook-caller.ts";
import { signatureHook } from "../hooks/signature-hook.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { invariants } from "../monitor/invariants.ts";
import { newMonitor } from "../monitor/monitor.ts";
import { type Finding, isBreach, type Likely } from "../outcome/verdict.ts";
import { readCapabilities } from "../preflight/preflight.ts";
import { askedSandbox } from "../probes/asked-sandbox.ts";
import { openInquiry } from "../probes/inquiry.ts";
import { newGuesses } from "../probes/likely.ts";
import { type LedgerListener, newLedger } from "../provision/ledger.ts";
import type { LeftBehind } from "../provision/left-behind.ts";
import { newProvisioner, type ProvisionerOptions } from "../provision/provisioner.ts";
import { newWaiting, type WaitingOptions } from "../provision/wait.ts";
import { newSigners } from "../receiver/signer.ts";
import { countingSender, openSender } from "../sending/sender.ts";
import { withSteps } from "../story/named-steps.ts";
import type { Step } from "../story/step.ts";
import { newStory, stepOf } from "../story/stories.ts";
import { newTallies } from "../story/tallies.ts";
import { redactedStory, toldStory } from "../story/told.ts";
import { toldTally } from "../story/told-tally.ts";
import { type Shapes, shapeResponse } from "../target/shapes.ts";
import type { Target } from "../target/target.ts";
import { blamed } from "./blame.ts";
import { checkDeadline } from "./check-deadline.ts";
import { blockedFindings, concluded, ruleResult, unservedResult, worstOf } from "./conclude.ts";
import { newEnding } from "./ending.ts";
import { inParallel } from "./in-parallel.ts";
import { longestFirst } from "./longest-first.ts";
import { type Plan, planOf } from "./plan.ts";
import { openRunReceiver } from "./run-receiver.ts";
import { type CheckResult, isDecided, type Profile, type RunResult } from "./run-result.ts";
import { drawsOf, fillWaitOf, waitSecondsOf } from "./waits.ts";
import { blamedOnStatus } from "./wrong-status.ts";

export interface RunOptions extends LedgerListener {
  readonly profile: Profile;
  readonly allow: ReadonlySet<Effect>;
  /** Ids of checks or rules, or areas; empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed: number;
  /** Values tried for each property; null for what fits the target. */
  readonly runs: number | null;
  /** Checks at a time, where each has an organization of its own; null for what fits the target. */
  readonly jobs: number | null;
  /** Flags that name the target on a command line; its address when left out. */
  readonly targetFlags?: readonly string[];
  /** Counterexample of the one property that is run. */
  readonly path: string | null;
  /** Seed of another order of the checks than the plan's: no verdict may depend on it. */
  readonly shuffle?: number;
  readonly signal: AbortSignal;
  /** Is told of each breach and warning in the moment in which it is found: who has seen enough may end the run. */
  readonly breached?: (finding: Finding) => void;
  /** Is told of each call of the API, once it is answered or lost. */
  readonly heard?: (exchange: Exchange) => void;
  readonly progress: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Check that was just finished; null at the start. */
  readonly check: CheckResult | null;
  readonly elapsedMs: number;
}

/** Runs the checks against the target. Throws nothing for what the target does. */
export async function run(target: Target, checks: readonly Check[], options: RunOptions): Promise<RunResult> {
  const started = Date.now();
  const plan = planOf(target, checks, options);
  const { breached = () => undefined, heard = () => undefined } = options;
  const secrets = newSecrets();
  for (const [name, secret] of givenSecrets(target)) if (secret !== null) secrets.learn(secret, name, null);
  const monitor = newMonitor(invariants, secrets, breached);
  const ledger = newLedger(options);
  const issued = new Map<string, Step>();
  const tallies = newTallies((secret) => issued.get(secret) ?? null);
  const breaker = newBreaker("target", "see whether the target still runs, and run again");
  const ending = newEnding(options.signal, breaker.signal);
  const { ended, closing } = ending;
  const sender = openSender({
    baseUrl: target.baseUrl,
    timeout: target.timing.requestTimeout,
    breaker,
    closing,
    observe(exchange) {
      for (const secret of shownSecrets(exchange, target.shapes)) {
        secrets.learn(secret, secretName(exchange), exchange.number);
        issued.set(secret, stepOf(exchange));
      }
      // What a sandbox's organizations have goes with them.
      if (target.sandbox === null) {
        for (const thing of createdBy(exchange, target.shapes)) ledger.made(thing);
        const gone = removedThing(exchange);
        if (gone !== null) ledger.gone(gone);
      }
      monitor.observe(exchange);
      heard(exchange);
    },
  });
  const waiting = newWaiting(waitingOf(target, plan, options));
  const told = await toldBySandbox(target);
  const hooks = newHookCaller(target, secrets, closing);
  const provisioner = newProvisioner({ target, sender, secrets, hooks, waiting, ledger, closing, ...told });
  const signer = newSigners(secrets, signatureHook(hooks));
  const receiver = await openRunReceiver(target, plan, ended);
  const inquiry = openInquiry({
    baseUrl: target.baseUrl,
    timeout: target.timing.requestTimeout,
    isDisposable: target.sandbox !== null,
    ended,
    sandbox: askedSandbox(target.sandbox, ended),
  });
  const findings: Finding[] = plan.checks.flatMap((p) =>
    p.blocked === null ? [] : blockedFindings(p.check, p.blocked),
  );
  const results: CheckResult[] = [];
  const runnable = inOrder(plan, options);
  options.progress({ done: 0, total: runnable.length, check: null, elapsedMs: 0 });

  const runOne = async (check: Check): Promise<void> => {
    const begun = Date.now();
    const own = countingSender(sender);
    const fixture = provisioner.fixture(check.needs);
    const inboxes = receiver.inboxesOf(check);
    const course = tallies.course();
    const story = newStory(check.id, course.hear);
    const runs = options.runs ?? plan.runs(check);
    const {
      context,
      findings: found,
      last,
      cleanUp,
    } = openContext(check, {
      ...{ timing: target.timing, sender: own, runSeed: options.seed, path: options.path, runs },
      ...{ tenant: fixture.tenant, otherTenant: fixture.otherTenant, signal: ended },
      unserved: plan.served.operation,
      ...{
        inbox: inboxes.inbox,
        spareInbox: inboxes.spareInbox,
        signer,
        shapes: target.shapes,
        numbers: target.numbers,
        ...{ breached, story, course },
      },
    });
    const outcome = await checkDeadline(check, target.timing, runs, ended)
      .run(() => {
        const work = () => story.run(() => check.run(context));
        return fillWaitOf(check, target) > 0 ? waiting.measuring(work) : work();
      })
      .then(
        () => null,
        (error: unknown) => error,
      );
    const why = blamedOnStatus(outcome, last());
    const decided = Date.now();
    await inquiry.ask(found(), { check, story, secrets });
    const askedMs = Date.now() - decided;
    // What cannot be taken back stays listed; it says nothing about a rule.
    if (target.sandbox === null) await cleanUp().catch(() => undefined);
    inboxes.close();
    await fixture.dispose();
    const all = concluded(check, found(), why);
    findings.push(...all);
    const result: CheckResult = {
      id: check.id,
      title: check.title,
      operation: check.operation ?? null,
      verdict: worstOf(all.map((f) => f.verdict)),
      durationMs: Date.now() - begun - askedMs,
      requests: own.count(),
    };
    results.push(result);
    options.progress({ done: results.length, total: runnable.length, check: result, elapsedMs: Date.now() - started });
  };

  const left = await inParallel(runnable, plan.jobs, ended, plan.turnOf, runOne);
  for (const check of left) findings.push(...concluded(check, [], whyEnded(ended)));
  await Promise.all([sender.close(), inquiry.close(), receiver.close()]);
  ending.release();
  if (results.length > 0) findings.push(...monitor.findings());
  const { sandboxDown, sandboxCalls } = provisioner;
  const helper = sandboxDown.aborted ? whyEnded(sandboxDown) : hooks.down();
  const interrupted = ending.reason() ?? helper?.message ?? null;
  const guesses = newGuesses();
  const likelyOf = (finding: Finding): readonly Likely[] => {
    const steps = [...(finding.story?.before ?? []), ...(finding.story?.steps ?? [])];
    const guessed = guesses({ finding, steps, secrets: secrets.known() });
    return [...inquiry.saidOf(finding), ...guessed].map((one) => ({ ...one, says: secrets.redact(one.says) }));
  };
  const redacted = blamed(findings).map((finding) => {
    const { story, at = [], ...f } = finding;
    const told = story === undefined ? null : toldStory(story, (secret) => issued.get(secret) ?? null);
    return {
      ...f,
      askedAgain: inquiry.againOf(finding).map(secrets.redact),
      likely: likelyOf(finding).map((one) => ({ ...one, ...withSteps(one.says, told) })),
      at: at.map((place) => redactedPlace(place, secrets.redact)),
      told: told === null ? null : redactedStory(told, secrets),
      tally: toldTally(isBreach(finding) ? tallies.tallyOf(finding) : null, told, secrets.redact),
      exchanges: (f.verdict === "pass" ? [] : f.exchanges).map((e) => secrets.redactExchange(e)),
      deliveries: (f.verdict === "pass" ? [] : f.deliveries).map((d) => secrets.redactDelivery(d)),
      ...texts(f, secrets.redact),
    };
  });
  return {
    format: 1,
    kitVersion: versionOfKit(),
    contract: contractIdentity(),
    target: {
      baseUrl: target.baseUrl,
      sandbox: target.sandbox !== null,
      implements: target.implements,
      flags: options.targetFlags ?? ["--url", target.baseUrl],
    },
    profile: options.profile,
    allow: [...options.allow].sort(),
    ...{ only: options.only, skip: options.skip },
    seed: options.seed,
    runs: options.runs ?? plan.defaultRuns,
    jobs: plan.jobs,
    startedAt: new Date(started).toISOString(),
    durationMs: Date.now() - started,
    requests: sender.count() + inquiry.count(),
    sandboxCalls: sandboxCalls(),
    waitedSeconds: waiting.waited(),
    interrupted: interrupted === null ? null : secrets.redact(interrupted),
    scope: plan.scope,
    rules: judgedRules(plan, findings).map(
      (id) => unservedResult(id, plan) ?? ruleResult(id, redacted, { checks, ran: results.length > 0 }, plan),
    ),
    checks: results.sort((a, b) => (a.id < b.id ? -1 : 1)),
    leftBehind: ledger.left(),
    nextSteps: plan.nextSteps,
    baseline: null,
  };
}

/** The time that a run may wait. Checks that measure a limit come last: what they need stays reserved for them. */
function waitingOf(target: Target, plan: Plan, { runs }: RunOptions): WaitingOptions {
  const checks = plan.checks.flatMap(({ check, blocked }) => (blocked === null ? [check] : []));
  const maxSeconds = target.timing.maxWait;
  const measuringSeconds = checks.reduce((sum, check) => sum + fillWaitOf(check, target), 0);
  return {
    maxSeconds,
    reservedSeconds: Math.min(maxSeconds, measuringSeconds),
    enoughSeconds: waitSecondsOf(checks, target, (check) => runs ?? plan.runs(check)),
  };
}

const operationsById: ReadonlyMap<string | null, (typeof operations)[OperationId]> = new Map(
  Object.values(operations).map((operation) => [operation.id, operation]),
);

/** Secrets that an answer shows where its operation declares them. */
function shownSecrets(exchange: Exchange, shapes: Shapes): string[] {
  const operation = operationsById.get(exchange.operation);
  if (operation === undefined) return [];
  const data = dataOf(exchange);
  // Where the contract has them, and where the target says that it does.
  const forms = [data, shapeResponse(shapes, operation.id, data)];
  const pointers: readonly string[] = operation.secrets;
  return pointers.flatMap((pointer) => forms.flatMap((form) => valuesAt(form, pointer.split("/").slice(1))));
}

function valuesAt(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (key === undefined) return typeof value === "string" ? [value] : [];
  if (key === "*") return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return valuesAt(objectOf(value)?.[key], rest);
}

/** What a successful creation leaves on the target. */
function createdBy(exchange: Exchange, shapes: Shapes): LeftBehind[] {
  const created = exchange.operation === operations.createApiKey.id && isSuccess(exchange);
  const { id, org_id } = (created ? objectOf(dataOf(exchange)) : null) ?? {};
  const organizationId = typeof org_id === "string" ? org_id : null;
  const thing = createdThing(exchange, shapes);
  return [
    ...(typeof id === "string" ? [{ kind: "api-key", id, organizationId } as const] : []),
    ...(thing === null ? [] : [thing]),
  ];
}

function texts(
  f: Finding,
  redact: (text: string) => string,
): Pick<Finding, "message" | "expected" | "actual" | "counterexample" | "spared"> {
  return {
    counterexample: f.counterexample && { ...f.counterexample, value: redact(f.counterexample.value) },
    message: redact(f.message),
    expected: f.expected === null ? null : redact(f.expected),
    actual: f.actual === null ? null : redact(f.actual),
    ...(f.spared === undefined ? {} : { spared: f.spared.map(redact) }),
  };
}

const givenSecrets = (target: Target): [string, string | null][] => [
  ["BYLAW_API_KEY", target.key],
  ...secretDefinitions.map((secret): [string, string | null] => [secret.variable, secretOf(target, secret)]),
  ["BYLAW_SANDBOX_TOKEN", target.sandbox?.token ?? null],
];

/** Scopes that the target's sandbox names, or those of the document where it names none; and the limits that it sets. */
async function toldBySandbox({ sandbox, timing }: Target): Promise<Pick<ProvisionerOptions, "scopes" | "limits">> {
  const read = sandbox === null ? null : await readCapabilities(sandbox, timing.requestTimeout);
  const capabilities = read?.ok ? read.capabilities : null;
  const named = capabilities?.scopes ?? [];
  return { scopes: named.length > 0 ? named : documentedScopes, limits: capabilities?.buckets ?? null };
}

/** The rules that the run set out to decide, and those that answers showed besides. */
const judgedRules = ({ rules, shown }: Plan, findings: readonly Finding[]): readonly RuleId[] =>
  [...new Set([...rules, ...shown.filter((id) => findings.some((f) => f.rule === id && isDecided(f.verdict)))])].sort();

/** What is run, in the order of the seed that is given; without one as planned, and of several at a time the longest first. */
function inOrder(plan: Plan, { shuffle, runs }: RunOptions): readonly Check[] {
  const checks = plan.checks.filter((p) => p.blocked === null).map((p) => p.check);
  if (shuffle !== undefined) return checks.sort((a, b) => seedOf(shuffle, a.id) - seedOf(shuffle, b.id));
  if (plan.jobs === 1) return checks;
  return longestFirst(checks, (check) => totalOf(drawsOf(check, runs ?? plan.runs(check))));
}

function versionOfKit(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

/** The service that clients rely on stands first. */
interface ContractHead {
  readonly services: readonly {
    readonly document: { readonly info: { readonly title: string; readonly version: string } };
  }[];
}

/** Read once: a process may run the kit often. */
let identity: RunResult["contract"] | null = null;

function contractIdentity(): RunResult["contract"] {
  if (identity !== null) return identity;
  const text = readFileSync(new URL("../../generated/contract.json", import.meta.url), "utf8");
  const { services } = JSON.parse(text) as ContractHead;
  const [main] = services;
  if (main === undefined) throw new Error("generated/contract.json has no service. Run npx bylaw compile.");
  const { info } = main.document;
  identity = { title: info.title, version: info.version, digest: createHash("sha256").update(text).digest("hex") };
  return identity;
}
