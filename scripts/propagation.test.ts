import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../compiler/compile.ts";
import type { Contract } from "../compiler/contract.ts";
import type { Results } from "../conformance/reports/results-json.ts";
import { errorRows } from "../generated/error-rows.ts";
import { buckets } from "../generated/limits.ts";
import { operations } from "../generated/operations.ts";
import { runBylaw, type Served, serveBylaw } from "./propagation/run-bylaw.ts";
import { project, type ScratchCopy, type SourceEdit, scratchCopy } from "./propagation/scratch-copy.ts";
import { textsBelow } from "./propagation/texts-below.ts";
import { notPassed } from "./whole-runs.ts";

/** Changes of one line each in the spec, and what must come of them. */
interface Change {
  readonly name: string;
  readonly edits: readonly SourceEdit[];
  /** What the old values look like in the outputs, beside the sentences that hold them. */
  readonly traces: readonly RegExp[];
  /** Rules that the server of before breaks. */
  readonly broken: readonly string[];
  /** How the kit reaches the server of before. The sandbox of one that lacks a scope makes no key that holds it. */
  readonly through: "sandbox" | "key";
}

const { capacity, periodSeconds, unit } = buckets.apiKeyWrites;
const { scope } = operations.createApiKey;
const { status, code } = errorRows.InvalidInput;

const changes: readonly Change[] = [
  {
    name: "the capacity of a bucket and the status of an error",
    edits: [
      {
        file: "spec/limits.tsp",
        find: `capacity: ${capacity}, periodSeconds: ${periodSeconds}, unit: "${unit}" })\n  apiKeyWrites,`,
        replace: `capacity: ${capacity - 3}, periodSeconds: ${periodSeconds}, unit: "${unit}" })\n  apiKeyWrites,`,
      },
      {
        file: "spec/errors.tsp",
        find: `Failure<${status}, "${code}">`,
        replace: `Failure<418, "${code}">`,
      },
    ],
    traces: [
      new RegExp(`"name": "apiKeyWrites",[^}]*\\},[^}]*"capacity": ${capacity}\\b`),
      new RegExp(`apiKeyWrites: \\{[^}]*capacity: ${capacity}\\b`),
      new RegExp(`name: apiKeyWrites\\s+capacity: ${capacity}\\b`),
      new RegExp(`Limit: ${capacity} [^\\n]*createApiKey`),
      new RegExp(`\\b${status} \`${code}\``),
      new RegExp(`"code": "${code}",\\s+"status": ${status}\\b`),
      new RegExp(`InvalidInput: \\{[^}]*(status|referenceStatus): ${status}\\b`),
      new RegExp(`\\w${status}:\\s+description: "[^"]*\`${code}\``),
    ],
    broken: [
      ...["ENV-28", "ENV-31", "KEYC-15", "KEYC-16", "KEYC-17", "KEYC-18"],
      ...["KEYC-30", "KEYC-32", "KEYC-36", "KEYR-01", "NUM-14", "TEN-17"],
    ],
    through: "sandbox",
  },
  {
    name: "the name of a scope",
    edits: [{ file: "spec/scopes.tsp", find: `"${scope}"`, replace: '"keys:write"' }],
    traces: [new RegExp(scope)],
    broken: ["KEYC-13"],
    through: "key",
  },
];

const token = "propagation";
let before: Served;

beforeAll(async () => {
  before = await serveBylaw(project, token);
});
afterAll(() => before?.close());

/** A copy of the project with these edits in its spec, compiled. */
async function compiledCopy(edits: readonly SourceEdit[]): Promise<ScratchCopy> {
  const copy = scratchCopy(...edits);
  // In this process: each start of the command would read TypeSpec anew.
  const paths = { root: copy.root, entry: join(copy.root, "spec/main.tsp"), outDir: join(copy.root, "generated") };
  expect(await compileContract({ ...paths, check: false })).toMatchObject({ kind: "compiled" });
  return copy;
}

describe("changes of one line in the spec each, made together,", () => {
  const traces = changes.flatMap((change) => change.traces);
  let copy: ScratchCopy;

  beforeAll(async () => {
    copy = await compiledCopy(changes.flatMap(({ edits }) => edits));
  });
  afterAll(() => copy?.dispose());

  it("are enforced by the server and demanded by the kit", async () => {
    const { code, output } = await runBylaw(copy.root, ["verify", "--reference", "--report", "report"]);
    expect(code, output).toBe(0);
    expect(notPassed(resultsIn(copy.root, "report"))).toEqual([]);
    const broken = changes.flatMap((change) => change.broken);
    expect(rulesWith("pass", copy.root, "report")).toEqual(expect.arrayContaining(broken));
  });

  it("leave no trace of the old values in outputs, reports and sources", () => {
    const now = new Map(
      ["generated", "report", "compiler", "reference-server", "conformance", "scripts"].flatMap((folder) => [
        ...textsBelow(copy.root, folder),
      ]),
    );
    const sentences = sentencesOf(copy.root);
    const old = sentencesOf(project).filter((sentence) => !sentences.includes(sentence));
    expect(old.length).toBeGreaterThan(0);
    const holds = (text: string): boolean =>
      traces.some((trace) => trace.test(text)) || old.some((sentence) => text.includes(sentence));
    expect([...now].filter(([, text]) => holds(text)).map(([path]) => path)).toEqual([]);
  });

  it("have had every trace that is looked for", () => {
    const texts = [...textsBelow(project, "generated").values()].join("\n");
    expect(traces.filter((trace) => !trace.test(texts))).toEqual([]);
  });
});

describe.each(changes)("$name, changed in one line of the spec each,", ({ edits, broken, through }) => {
  let copy: ScratchCopy;

  beforeAll(async () => {
    copy = await compiledCopy(edits);
  });
  afterAll(() => copy?.dispose());

  it("is missed by the server of before, and the kit names the rules", async () => {
    const flags = ["verify", "--url", before.url, "--report", "report"];
    const { code, output } =
      through === "sandbox"
        ? await runBylaw(copy.root, [...flags, "--profile", "full"], { BYLAW_SANDBOX_TOKEN: token })
        : // One key has no room for the calls of all checks.
          await runBylaw(copy.root, [...flags, "--max-wait", "0s", "--only", "KEYC-13"], { BYLAW_API_KEY: before.key });
    expect(code, output).toBe(1);
    expect(rulesWith("fail", copy.root, "report")).toEqual(broken);
  });
});

/** What the contract of a copy says in words: its rules, and the answers to its open questions. */
function sentencesOf(root: string): readonly string[] {
  const contract = JSON.parse(readFileSync(join(root, "generated/contract.json"), "utf8")) as Contract;
  return [
    ...contract.rules.map((rule) => rule.says),
    ...contract.questions.flatMap((question) => [question.choice, ...question.alternatives]),
  ];
}

const resultsIn = (root: string, folder: string): Results =>
  JSON.parse(readFileSync(join(root, folder, "results.json"), "utf8"));

const rulesWith = (verdict: string, root: string, folder: string): readonly string[] =>
  resultsIn(root, folder)
    .rules.filter((rule) => rule.verdict === verdict)
    .map((rule) => rule.id);
