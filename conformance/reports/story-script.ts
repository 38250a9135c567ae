import type { SentRequest } from "../exchange/exchange.ts";
import { curlWords, expanded } from "./curl.ts";
import { printableLine } from "./printable.ts";
import type { ResultsFailure, ResultsRule, ResultsStep } from "./results-json.ts";
import { shellQuoted } from "./shell-quoted.ts";

/**
 * The story of a failure as a script for bash, which does again with curl what the kit did: each step, with what earlier
 * answers gave in place of what they gave then. Secrets that no step gives come from the environment.
 */
export function storyScript(baseUrl: string, rule: ResultsRule, failure: ResultsFailure): string {
  const variables = newVariables();
  const steps = togetherIn(failure.story).flatMap((some) => ["", ...momentLines(some, baseUrl, variables)]);
  const wanted = [...variables.wanted].sort();
  return `${[
    "#!/usr/bin/env bash",
    `# ${rule.id}: ${printableLine(rule.says)}`,
    `# As ${printableLine(failure.check)} found it: ${printableLine(failure.message)}`,
    "#",
    "# Wants bash, curl and node. Where the kit waited, it waits again. What it did at once is begun at once, though no",
    "# two programs start as near to each other: a race may want several runs.",
    ...(failure.storyOmitted === 0
      ? []
      : [`# ${failure.storyOmitted} steps in the middle of a long story are missing.`]),
    ...(failure.deliveries.length === 0 ? [] : ["# Deliveries went to a receiver of the kit: have one listen there."]),
    "set -u",
    `[ -n "\${BASE:-}" ] || BASE=${shellQuoted(baseUrl)}`,
    ...wanted.map((name) => `: "\${${name}:?set it: no step of this script gives it}"`),
    ...helpers,
    ...steps,
    "",
    `echo ${shellQuoted(`expected: ${printableLine(failure.expected ?? "")}`)}`,
    `echo ${shellQuoted(`then:     ${printableLine(failure.actual ?? "")}`)}`,
  ].join("\n")}\n`;
}

/** What each script begins with: a call that keeps the answer, and a look into that. */
const helpers = [
  "",
  "# Calls curl with the words after the first two, and shows what came beside what came then.",
  "call() {",
  '  local step="$1" then="$2" got; shift 2',
  `  got="$(curl --silent --show-error --max-time 60 --write-out '\\n%{http_code}' "$@")"`,
  `  answer="\${got%$'\\n'*}"`,
  `  printf '%s\\n   %s (then: %s) %.400s\\n' "$step" "\${got##*$'\\n'}" "$then" "$answer"`,
  "}",
  "# The value at a JSON Pointer of the last answer.",
  "value() {",
  `  node -e 'const at = process.argv[1].split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));`,
  `    const answer = JSON.parse(require("node:fs").readFileSync(0, "utf8"));`,
  `    console.log(at.reduce((value, name) => value[name], answer));' "$1" <<<"$answer"`,
  "}",
];

interface Variables {
  /** Names of what no step before gave. */
  readonly wanted: Set<string>;
  /** Takes what an answer gave, and tells the variable for it. */
  give(step: number, pointer: string, value: string): string;
  /** The request with variables in place of what answers gave. */
  used(request: SentRequest): SentRequest;
  readonly names: Set<string>;
}

function newVariables(): Variables {
  const given = new Map<string, string>();
  const names = new Set<string>(["BASE"]);
  const wanted = new Set<string>();
  const isPlaceholder = (text: string): boolean => /^\$\{\w+\}$/.test(text);
  const inPlace = (text: string): string => {
    let written = text;
    // The longer first: one value may be part of another.
    for (const [value, name] of [...given].sort(([one], [other]) => other.length - one.length))
      written = written.replaceAll(value, `\${${name}}`);
    return written;
  };
  /** A name that no variable has yet; what a pointer ends with may be an index, or stand in every item of a list. */
  const nameFor = (pointer: string, step: number): string => {
    const last = (pointer.split("/").at(-1) ?? "").replace(/\W/g, "_");
    const name = `${/^[a-z]/i.test(last) ? last : `value${last}`}_${step}`;
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : `${name}_${count}`;
      if (!names.has(free)) return free;
    }
  };
  return {
    wanted,
    names,
    give(step, pointer, value) {
      const name = isPlaceholder(value) ? value.slice(2, -1) : nameFor(pointer, step);
      if (!isPlaceholder(value)) given.set(value, name);
      names.add(name);
      return name;
    },
    used(request) {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, inPlace(value)]),
      );
      const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? "";
      for (const [, name = ""] of `${authorization} ${request.url}`.matchAll(/\$\{(\w+)\}/g)) {
        if (!names.has(name)) wanted.add(name);
        names.add(name);
      }
      return {
        ...request,
        url: inPlace(request.url),
        headers,
        body: request.body === null ? null : inPlace(request.body),
      };
    },
  };
}

interface Numbered {
  readonly step: ResultsStep;
  /** From 1. */
  readonly number: number;
}

/** Steps one by one, and those that follow each other and were taken at once together. */
function togetherIn(story: readonly ResultsStep[]): readonly (readonly Numbered[])[] {
  const moments: Numbered[][] = [];
  for (const [index, step] of story.entries()) {
    const last = moments.at(-1);
    const isBeside = step.atOnce && last?.at(-1)?.step.atOnce === true && !last.some((one) => isUsed(one.step, step));
    if (isBeside) last.push({ step, number: index + 1 });
    else moments.push([{ step, number: index + 1 }]);
  }
  return moments;
}

/** Whether a step is taken with what another one gives: of several that overlap, one may have begun behind another. */
function isUsed({ gives }: ResultsStep, { request }: ResultsStep): boolean {
  const sent = JSON.stringify(request);
  return gives.some(({ value }) => sent.includes(value));
}

/** What is done at once waits for each other behind the last; what gives something to later steps stays in front. */
function momentLines(steps: readonly Numbered[], baseUrl: string, variables: Variables): readonly string[] {
  const [only, ...others] = steps;
  if (only !== undefined && others.length === 0) return stepLines(only.step, only.number, baseUrl, variables);
  const aside = steps.filter(({ step }) => step.gives.length === 0);
  const inFront = steps.filter((one) => !aside.includes(one));
  return [
    ...aside.flatMap(({ step, number }) => stepLines(step, number, baseUrl, variables).map((line) => `${line} &`)),
    ...inFront.flatMap(({ step, number }) => stepLines(step, number, baseUrl, variables)),
    "wait",
  ];
}

function stepLines(step: ResultsStep, number: number, baseUrl: string, variables: Variables): readonly string[] {
  const { through, what, seconds, request, status, lost, gives } = step;
  const then = status === null ? (lost ?? "nothing") : String(status);
  if (request === null) {
    const said = `${number}. ${printableLine(what ?? through)}`;
    if (seconds !== null) return [`# ${said}`, `sleep ${seconds}`];
    return [`# ${said}`, `echo ${shellQuoted(`${said}: do it by hand, then press Enter`)}; read -r`];
  }
  const sent = variables.used(request);
  const url = sent.url.startsWith(baseUrl) ? `\${BASE}${sent.url.slice(baseUrl.length)}` : sent.url;
  const write = (text: string): string => expanded(text, variables.names);
  const { words, piped } = curlWords({ ...sent, url }, { named: write, other: write });
  const path = request.url.replace(/^https?:\/\/[^/?#]*/, "");
  const title = `${number}. ${what === null ? "" : `${what.slice(0, 60)}: `}${request.method} ${path}`;
  const call = `call ${shellQuoted(printableLine(title))} ${shellQuoted(then)}`;
  return [
    // Not as a pipe: what a call leaves behind there, later steps would not see.
    `${[call, ...words].join(" \\\n  ")}${piped === null ? "" : ` < <(${piped})`}`,
    ...gives.map(
      ({ pointer, value }) => `${variables.give(number, pointer, value)}="$(value ${shellQuoted(pointer)})"`,
    ),
  ];
}
