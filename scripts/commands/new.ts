import { type Command, Option } from "commander";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { updateLists } from "../lists/kept-list.ts";
import { specList } from "../lists/spec-list.ts";
import { type Addition, writeAdditions } from "../new/addition.ts";
import { newCheck } from "../new/new-check.ts";
import { newMutant } from "../new/new-mutant.ts";
import { newOperation } from "../new/new-operation.ts";
import { newRule } from "../new/new-rule.ts";
import { openWorkshop } from "../new/workshop.ts";
import { CannotRun } from "./cannot-run.ts";
import { decidingChecks } from "./deciding-checks.ts";
import { exitWith } from "./exit-with.ts";
import { listed } from "./listed.ts";
import { onFiles } from "./on-files.ts";
import { usesColour } from "./uses-colour.ts";

/** Registers `new`. Exit codes: see its help. */
export function addNew(program: Command): void {
  const command = program
    .command("new")
    .description(
      "begin an operation, a rule, a check or a mutant: writes what is missing, and leaves open what only you know",
    )
    .addHelpText("after", help);
  command
    .command("operation")
    .description("declare an operation; write a handler and a sound input for it that throw until they are written")
    .argument("<id>", "its name, such as getWebhookEndpoint")
    .argument("<route>", 'method and path, such as "GET /v1/webhooks/{id}"')
    .option("--resource <name>", "resource that it belongs to, or a new one (default: that of the paths most like it)")
    .option("--scope <scope>", "scope that a caller needs, such as webhooks:read")
    .option("--answer <model>", "model of the data that it answers with")
    .option("--body <model>", "model of the body that it takes")
    .addHelpText("after", exampleOf('operation getWebhookEndpoint "GET /v1/webhooks/{id}" --scope webhooks:read'))
    .action((id: string, route: string, flags: OperationFlags, self: Command) =>
      exitWith(self, () => beginOperation(id, route, flags)),
    );
  command
    .command("rule")
    .description("add a rule with the next free id of its area")
    .argument("<about>", "what it is about: an operation, a model or its property, an error row")
    .argument("<sentence>", "what holds; statuses, codes and limits as placeholders: {NotFound}")
    .option("--area <area>", "area of its id (default: that of the rules beside it)")
    .addOption(
      new Option("--entailed <why>", "no server that obeys the document can do otherwise").conflicts("assumed"),
    )
    .addOption(new Option("--assumed <why>", "a sensible expectation; a breach warns").conflicts("observed"))
    .addOption(new Option("--observed <why>", "recorded, never judged").conflicts("entailed"))
    .option("--draft <owner>", `who owes it check and mutant, and has ${draftDays} days for them`)
    .addHelpText("after", exampleOf('rule getWebhookEndpoint "An unknown id gives {NotFound}." --area WHE'))
    .action((about: string, sentence: string, flags: RuleFlags, self: Command) =>
      exitWith(self, () => beginRule(about, sentence, flags)),
    );
  command
    .command("check")
    .description("make a file for a check that decides nothing until it is written")
    .argument("<id>", "area and name, such as webhooks.reading")
    .argument("<rules...>", "rules that it decides", listed)
    .addHelpText("after", exampleOf("check webhooks.reading WHE-19 WHE-20"))
    .action((id: string, rules: readonly string[], _flags: object, self: Command) =>
      exitWith(self, () => beginCheck(id, rules)),
    );
  command
    .command("mutant")
    .description("add a mutant whose server does not start until it is written")
    .argument("<rule>", "rule that it breaks")
    .argument("<name>", "a word or two, such as lost")
    .argument("<does>", 'what the server does: "serves deleted endpoints as well"')
    .addHelpText("after", exampleOf('mutant WHE-19 deleted "serves deleted endpoints as well"'))
    .action((rule: string, name: string, does: string, _flags: object, self: Command) =>
      exitWith(self, () => beginMutant(rule, name, does)),
    );
}

const exampleOf = (args: string): string => `
Example:
  npx bylaw new ${args}`;

const help = `
Examples:
  npx bylaw new operation getWebhookEndpoint "GET /v1/webhooks/{id}" --scope webhooks:read
  npx bylaw new rule getWebhookEndpoint "An unknown id gives {NotFound}." --area WHE
  npx bylaw new check webhooks.reading WHE-19
  npx bylaw new mutant WHE-19 any "serves whatever id it is asked for"

What it writes throws when it is run, and the tests refuse it until it is written.

Exit codes:
  0  written; what is to do next is printed
  2  there is one already, or it cannot be written; nothing was`;

interface OperationFlags {
  readonly resource?: string;
  readonly scope?: string;
  readonly answer?: string;
  readonly body?: string;
}

async function beginOperation(id: string, route: string, flags: OperationFlags): Promise<0> {
  if (!/^[a-z][A-Za-z\d]*$/.test(id))
    throw new CannotRun(`"${id.slice(0, 80)}" is no name of an operation.\n  Write it like createApiKey.`);
  const [, method = "", path = ""] = /^(get|post|put|patch|delete) (\/\S+)$/i.exec(route.trim()) ?? [];
  if (path === "")
    throw new CannotRun(
      `"${route.slice(0, 80)}" is no route.\n  Write method and path in one argument: "GET /v1/webhooks/{id}".`,
    );
  const { resource = null, scope = null, answer = null, body = null } = flags;
  const workshop = await openWorkshop();
  const begun = await newOperation({ id, method: method.toLowerCase(), path, resource, scope, answer, body }, workshop);
  const { resource: own } = begun.operation;
  return finish(workshop.project.root, begun.additions, [
    `spec/${own}.tsp: its scope${scope === null ? "" : " (done)"}, its buckets, the data of its answer, every error row that may answer it`,
    `spec/document/${own}.ts: the same facts, typed from the API document by someone who did not do step 1`,
    `spec/${own}.examples.tsp: an @@opExample`,
    "npx bylaw compile",
    `reference-server/routes/${own}.ts: the handler`,
    `conformance/steps/sound-inputs/${own}.ts: an input with which it succeeds`,
    `npx bylaw new rule ${id} "…": each sentence of the document about it`,
    `npx bylaw explain ${id}: tells at any time what is still missing`,
  ]);
}

interface RuleFlags {
  readonly area?: string;
  readonly entailed?: string;
  readonly assumed?: string;
  readonly observed?: string;
  readonly draft?: string;
}

/** Days for which a draft holds unless its author writes another last one into the spec. */
const draftDays = 60;

async function beginRule(about: string, says: string, flags: RuleFlags): Promise<0> {
  const { area = null } = flags;
  const [basis] = (["entailed", "assumed", "observed"] as const).flatMap((kind) => {
    const why = flags[kind];
    return why === undefined ? [] : [{ kind, why }];
  });
  const draft =
    flags.draft === undefined
      ? null
      : { owner: flags.draft, expires: new Date(Date.now() + draftDays * 86_400_000).toISOString().slice(0, 10) };
  const workshop = await openWorkshop();
  const { id, additions } = await newRule({ about, says, area, basis: basis ?? null, draft }, workshop);
  return finish(workshop.project.root, additions, [
    ...(basis === undefined
      ? ["its basis, unless the document states it: entailed, assumed or observed, with the reason"]
      : []),
    "the open questions that it leans on, if any: open: #[…]",
    "npx bylaw lock && npx bylaw compile",
    ...(draft === null
      ? []
      : [`merge it; ${draft.owner} has until ${draft.expires} for the rest, and takes the draft away`]),
    `npx bylaw new check <area>.<name> ${id}, or add ${id} to the rules of a check that can decide it`,
    `npx bylaw new mutant ${id} <name> "…"`,
  ]);
}

async function beginCheck(id: string, rules: readonly string[]): Promise<0> {
  const workshop = await openWorkshop();
  const checks = await decidingChecks();
  if (checks === null) throw new CannotRun('The kit\'s checks cannot be told.\n  Run "npx bylaw compile" first.');
  return finish(workshop.project.root, newCheck({ id, rules }, checks, workshop), [
    "what it needs, does to the target and draws on limits, and its run: decide every rule on every path",
    `npx bylaw verify --reference --profile full --only ${id}`,
    ...rules.map(
      (rule) => `npx bylaw new mutant ${rule} <name> "…", unless there is one: it shows that the check can fail`,
    ),
  ]);
}

async function beginMutant(breaks: string, name: string, does: string): Promise<0> {
  const workshop = await openWorkshop();
  const { id, additions } = newMutant({ breaks, name, does }, workshop);
  return finish(workshop.project.root, additions, [
    "its change: over the wire (onData, onAnswer, onRequest), else through a port (mutantOf), else of the source (mutant)",
    `npm run edits -- ${id}: sees it die by a check of ${breaks}`,
    "npm run edits, once all is done: rewrites conformance/MATRIX.md",
  ]);
}

async function finish(root: string, additions: readonly Addition[], next: readonly string[]): Promise<0> {
  await onFiles(() => writeAdditions(root, additions));
  updateLists(root, [specList(root)]);
  process.stdout.write(told(additions, next, paintWith(usesColour(process.stdout))));
  return 0;
}

function told(additions: readonly Addition[], next: readonly string[], paint: Paint): string {
  const places = additions.map(({ file, line }) => `${file}:${line}`);
  const width = Math.max(...places.map((place) => place.length)) + 2;
  const written = additions.map(({ what }, at) => `  ${(places[at] ?? "").padEnd(width)}${what}\n`);
  const steps = next.map((step, at) => `  ${at + 1}. ${step}\n`);
  return `${paint.green("✔")} Written:\n${written.join("")}\nWhat is to do now, in this order:\n${steps.join("")}`;
}
