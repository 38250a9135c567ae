import { describe, expect, it } from "vitest";
import { lintSpec } from "../compile.ts";
import type { Contract } from "../contract.ts";
import type { Problem } from "../problem.ts";
import { readTypeSpec } from "../read-typespec.ts";
import { scratchProject, soundLock, soundSpec } from "../scratch-project.ts";
import { mainService } from "../service-of.ts";
import { lint } from "./lint.ts";
import { lintRules } from "./rules.ts";

interface Planted {
  readonly code: string;
  readonly title: string;
  readonly replace?: readonly (readonly [string, string])[];
  readonly lock?: string | null;
  /** Text on the line that is blamed, or on one of the two below it. */
  readonly blames: string;
  readonly says: string;
}

const rule =
  '@@rule(WidgetStore.getWidget, "WID-01", "A widget that does not exist gives {Missing}.", #{ open: #["Q1"] });';
const question = "@@question(WidgetStore.getWidget";
const name = '@pattern("^[a-z]+$")\n  @example("bolt")\n  name: string;';
const limit = "@query @pageSize @minValue(1) @maxValue(50) limit?: int32 = 10";

const planted: readonly Planted[] = [
  {
    code: "operation-without-scope",
    title: "an operation names no scope",
    replace: [["@get @list @scope(Scope.read)\n  listWidgets", "@get @list\n  listWidgets"]],
    blames: "listWidgets",
    says: "GET /widgets (listWidgets)",
  },
  {
    code: "scope-without-denial",
    title: "an operation with a scope has no 403",
    replace: [["Page<Widget> | Unknown | Denied", "Page<Widget> | Unknown"]],
    blames: "listWidgets",
    says: "documents no 403",
  },
  {
    code: "scope-without-denial",
    title: "an operation with a scope has no 401",
    replace: [["Page<Widget> | Unknown | Denied", "Page<Widget> | Denied"]],
    blames: "listWidgets",
    says: "documents no 401",
  },
  {
    code: "bucket-without-429",
    title: "an operation with a bucket has no 429",
    replace: [[" | TooMany;", ";"]],
    blames: "makeWidget",
    says: "the bucket makes",
  },
  {
    code: "bucket-without-429",
    title: "a 429 has no Retry-After header",
    replace: [['  @header("Retry-After") retryAfter: int32;\n', ""]],
    blames: "model TooMany",
    says: "no Retry-After header",
  },
  {
    code: "path-id-without-404",
    title: "an operation with a path parameter has no 404",
    replace: [["Unknown | Denied | Missing;", "Unknown | Denied;"]],
    blames: "getWidget",
    says: "GET /widgets/{id}",
  },
  {
    code: "unknown-error-code",
    title: "an operation returns an error that is no row",
    replace: [
      ["| Unknown | Denied | Missing;", "| Unknown | Denied | Missing | Odd;"],
      ["model Widget {", 'model Odd is Failure<418, "ODD">;\n\nmodel Widget {'],
    ],
    blames: "getWidget",
    says: "ODD with 418, which is not in the catalog",
  },
  {
    code: "unknown-error-code",
    title: "an operation returns a known code with another status",
    replace: [
      ["| Unknown | Denied | Missing;", "| Unknown | Denied | Missing | Odd;"],
      ["model Widget {", 'model Odd is Failure<410, "MISSING">;\n\nmodel Widget {'],
    ],
    blames: "getWidget",
    says: "MISSING with 410, a status that the catalog does not pair it with",
  },
  {
    code: "unknown-error-code",
    title: "an operation returns an error without a code",
    replace: [
      ["| Unknown | Denied | Missing;", "| Unknown | Denied | Missing | Odd;"],
      ["model Widget {", "model Odd { @statusCode _: 410; reason: string; }\n\nmodel Widget {"],
    ],
    blames: "getWidget",
    says: "an answer 410 without an error code",
  },
  {
    code: "list-without-bounds",
    title: "a page size has no greatest value and no default",
    replace: [[limit, "@query @pageSize @minValue(1) limit?: int32"]],
    blames: "listWidgets",
    says: "no maximum, no default",
  },
  {
    code: "list-without-bounds",
    title: "a list has no page size",
    replace: [[limit, ""]],
    blames: "listWidgets",
    says: "no parameter says how many",
  },
  {
    code: "duplicate-rule-id",
    title: "two rules share an id",
    replace: [[rule, `${rule}\n${rule.replace("getWidget", "makeWidget")}`]],
    blames: "WidgetStore.makeWidget",
    says: "WID-01 is already declared at spec/main.tsp:",
  },
  {
    code: "rule-not-locked",
    title: "a rule is not locked",
    lock: "# Nothing yet.\n",
    blames: "WID-01",
    says: "WID-01 does not stand in spec/rules.lock",
  },
  {
    code: "rule-not-locked",
    title: "there is no lock",
    lock: null,
    blames: "WID-01",
    says: "no lock of rule ids yet",
  },
  {
    code: "rule-missing",
    title: "a locked rule is gone",
    lock: `${soundLock}WID-02  Widgets are round.\n`,
    blames: "WID-02",
    says: "WID-02 is locked but no longer declared",
  },
  {
    code: "rule-reused",
    title: "a retired id is in use",
    lock: "WID-01  (retired) Widgets are round.\n",
    blames: "WID-01",
    says: "WID-01 was retired (spec/rules.lock:1)",
  },
  {
    code: "rule-meaning-changed",
    title: "a locked sentence was changed",
    lock: "WID-01  Widgets are round.\n",
    blames: "WID-01",
    says: '"Widgets are round."',
  },
  {
    code: "rule-about-nothing",
    title: "a rule stands on an empty namespace",
    replace: [[rule, `namespace Nothing {}\n${rule.replace("WidgetStore.getWidget", "Nothing")}`]],
    blames: "WID-01",
    says: "WID-01 speaks about Nothing",
  },
  {
    code: "rule-unknown-question",
    title: "a rule leans on a question that is not declared",
    replace: [[rule, rule.replace("Q1", "Q7")]],
    blames: "WID-01",
    says: "WID-01 leans on the open question Q7",
  },
  {
    code: "duplicate-question-id",
    title: "two questions share an id",
    replace: [[question, `${soundSpec.slice(soundSpec.indexOf(question))}\n${question}`]],
    blames: "@@question",
    says: "Q1 is already declared at spec/main.tsp:",
  },
  {
    code: "unknown-question",
    title: "a bucket's size leans on a question that is not declared",
    replace: [['unit: "request" }', 'unit: "request", open: "Q7" }']],
    blames: "@tokenBucket",
    says: "The bucket makes leans on the open question Q7",
  },
  {
    code: "unknown-question",
    title: "a narrowing leans on a question that is not declared",
    replace: [[name, `@narrowed("Q7", #{ maxLength: 9 })\n  ${name}`]],
    blames: "makeWidget",
    says: "What the reference demands of /name in POST /widgets (makeWidget)",
  },
  {
    code: "unknown-option",
    title: "a member is required by an option that no question has",
    replace: [[name, `@narrowed("Q1", #{ requiredBy: "whim" })\n  ${name}`]],
    blames: "makeWidget",
    says: "/name in POST /widgets (makeWidget) is required by the option whim",
  },
  {
    code: "unknown-option",
    title: "a member is refused by an option that no question has",
    replace: [[name, `@refusedByOption("whim", #["type"])\n  ${name}`]],
    blames: "makeWidget",
    says: "/name in POST /widgets (makeWidget) is refused by the option whim",
  },
  {
    code: "unknown-question",
    title: "an operation's scope leans on a question that is not declared",
    replace: [["@get @list @scope(Scope.read)\n  listWidgets", '@get @list @scope(Scope.read, "Q7")\n  listWidgets']],
    blames: "listWidgets",
    says: "The scope of GET /widgets (listWidgets) leans on the open question Q7",
  },
  ...(["Caller", "List"] as const).map((what) => ({
    code: "unknown-question",
    title: `a ${what.toLowerCase()} leans on a question that is not declared`,
    replace: [
      [
        "@get @list @scope(Scope.read)\n  listWidgets",
        `@get @list @open${what}("Q7") @scope(Scope.read)\n  listWidgets`,
      ],
    ] as const,
    blames: "listWidgets",
    says: `The ${what.toLowerCase()} of GET /widgets (listWidgets) leans on the open question Q7`,
  })),
  {
    code: "unknown-question",
    title: "a scope leans on a question that is not declared",
    replace: [['write: "widgets:write"', '@referenceScope("Q7") write: "widgets:write"']],
    blames: "widgets:write",
    says: "The scope widgets:write leans on the open question Q7",
  },
  {
    code: "example-invalid",
    title: "an example of a property fails its schema",
    replace: [['@example("bolt")', '@example("BOLT")']],
    blames: "name: string",
    says: 'An example of the schema Widget, property "name" fails its schema',
  },
  {
    code: "example-invalid",
    title: "an example of a whole model fails its schema",
    replace: [["model Widget {", '@example(#{ id: "1", name: "BOLT" })\nmodel Widget {']],
    blames: "model Widget",
    says: "An example of the schema Widget fails its schema: /name must match pattern",
  },
  {
    code: "example-invalid",
    title: "an example of a body fails its schema",
    replace: [
      [rule, `${rule}\n@@opExample(WidgetStore.makeWidget, #{ parameters: #{ widget: #{ id: "1", name: "BOLT" } } });`],
    ],
    blames: "makeWidget",
    says: "An example of the body of makeWidget fails its schema",
  },
  {
    code: "unanchored-pattern",
    title: "a pattern has no beginning",
    replace: [['@pattern("^[a-z]+$")', '@pattern("[a-z]+$")']],
    blames: "name: string",
    says: "The pattern [a-z]+$ of the schema Widget",
  },
  {
    code: "unanchored-pattern",
    title: "one alternative of a pattern has no beginning",
    replace: [['@pattern("^[a-z]+$")', '@pattern("^nut|bolt$")']],
    blames: "name: string",
    says: "in every alternative",
  },
  {
    code: "unbounded-pattern",
    title: "a pattern repeats a repetition",
    replace: [['@pattern("^[a-z]+$")', '@pattern("^([a-z]+)+$")']],
    blames: "name: string",
    says: "exponentially many ways",
  },
];

async function problemsOf({ replace, lock = soundLock }: Pick<Planted, "replace" | "lock">): Promise<{
  readonly problems: readonly Problem[];
  readonly blamed: (problem: Problem) => string;
}> {
  const project = scratchProject(replace, lock);
  try {
    const { problems } = await lintSpec(project.entry, project.root);
    const texts = new Map<string, readonly string[]>();
    for (const { place } of problems) if (place) texts.set(place.file, project.read(place.file).split("\n"));
    return {
      problems,
      blamed: ({ place }) =>
        place === null ? "" : (texts.get(place.file) ?? []).slice(place.line - 1, place.line + 2).join("\n"),
    };
  } finally {
    project.remove();
  }
}

async function soundContract(): Promise<Contract> {
  const project = scratchProject();
  const { contract } = await readTypeSpec(project.entry, project.root);
  project.remove();
  if (contract === null) throw new Error("The sound spec does not compile.");
  return contract;
}

describe("the lint", () => {
  it("finds nothing wrong with a sound spec", async () => {
    expect((await problemsOf({})).problems).toEqual([]);
  });

  it.each(planted)("reports $code when $title", async ({ code, blames, says, ...spec }) => {
    const { problems, blamed } = await problemsOf(spec);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    const [problem] = problems;
    expect(problem?.severity).toBe("error");
    expect(problem?.message).toContain(says);
    expect(problem?.fix).toBeTruthy();
    if (problem) expect(blamed(problem)).toContain(blames);
  });

  it("lets independent aspects of one question share its id when each has an option", async () => {
    const aspect = (option: string): string =>
      `@@question(WidgetStore.makeWidget, "Q2", #{ asks: "How ${option}?", kind: QuestionKind.observable, choice: "a", alternatives: #["b"], option: "${option}", values: #["a", "b"] });`;
    const twice = (first: string, second: string) =>
      problemsOf({ replace: [[rule, `${rule}\n${aspect(first)}\n${aspect(second)}`]] });
    expect((await twice("wide", "long")).problems).toEqual([]);
    expect((await twice("wide", "wide")).problems.map((p) => p.code)).toEqual(["duplicate-question-id"]);
  });

  it("reports question-without-alternatives when a contract of another source declares a question by halves", async () => {
    const contract = await soundContract();
    const [open] = contract.questions;
    if (!open) throw new Error("The sound spec has no question.");
    const context = { lock: null, declarations: new Map() };
    const found = (half: Partial<typeof open>): readonly string[] =>
      lint({ ...contract, rules: [], questions: [{ ...open, ...half }] }, context).map(
        (p) => `${p.code}: ${p.message}`,
      );
    expect(found({})).toEqual([]);
    expect(found({ alternatives: [], tolerates: "anything" })).toEqual([]);
    expect(found({ alternatives: [] })).toEqual([
      "question-without-alternatives: Q1 is open but names no other lawful answer.",
    ]);
    expect(found({ kind: "internal" })).toEqual([
      "question-without-alternatives: Q1 is internal but does not say why no client can tell.",
    ]);
  });

  it("reports invalid-pattern, with TypeSpec's own warning, for what is no regular expression", async () => {
    const { problems } = await problemsOf({ replace: [[name, '@pattern("^[a-z")\n  name: string;']] });
    expect(problems.filter((p) => p.severity === "error").map((p) => p.code)).toEqual(["invalid-pattern"]);
  });

  it("reports an example of a parameter that fails its schema", async () => {
    const contract = await soundContract();
    const list = mainService(contract).document.paths["/widgets"]?.get;
    if (!list) throw new Error("The sound spec has no list.");
    const found = (examples: object): readonly string[] => {
      const get = { ...list, parameters: list.parameters?.map((p) => ({ ...p, ...examples })) ?? [] };
      const service = mainService(contract);
      const document = { ...service.document, paths: { ...service.document.paths, "/widgets": { get } } };
      return lint(
        { ...contract, services: [{ ...service, document }], rules: [] },
        { lock: null, declarations: new Map() },
      ).map((p) => p.message);
    };
    const fault = 'An example of the query parameter "limit" of listWidgets fails its schema: the whole must be <= 50.';
    expect(found({ example: 20 })).toEqual([]);
    expect(found({ example: 51 })).toEqual([fault]);
    expect(found({ examples: { small: { value: 1 }, large: { value: 51 } } })).toEqual([fault]);
  });

  it("reports an example that no validator can judge", async () => {
    const { problems } = await problemsOf({ replace: [['@pattern("^[a-z]+$")', '@format("shoe-size")']] });
    expect(problems.map((p) => p.code)).toEqual(["example-invalid"]);
    expect(problems[0]?.message).toContain("cannot be judged");
  });

  it("has a planted breach for every rule", () => {
    const elsewhere = ["question-without-alternatives", "invalid-pattern"];
    const codes = new Set([...planted.map(({ code }) => code), ...elsewhere]);
    expect(codes.size).toBe(lintRules.length);
  });

  it("orders problems by place", async () => {
    const { problems } = await problemsOf({
      replace: [
        ["Page<Widget> | Unknown | Denied", "Page<Widget> | Unknown"],
        ['@pattern("^[a-z]+$")', '@pattern("[a-z]+$")'],
      ],
      lock: `${soundLock}WID-02  Widgets are round.\n`,
    });
    expect(problems.map((p) => p.code)).toEqual(["unanchored-pattern", "scope-without-denial", "rule-missing"]);
  });
});
