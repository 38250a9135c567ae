import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Baseline,
  baselineText,
  type Counts,
  compare,
  countsOf,
  lowered,
  moved,
  readBaseline,
} from "./baseline.ts";
import { commitsSinceAdded, git, renamesSince } from "./git-history.ts";
import { filledGlossary } from "./glossary.ts";
import { judgeFile } from "./judge-file.ts";
import { judgeSubject } from "./judge-subject.ts";
import { reportOf } from "./lint-report.ts";
import { replacements } from "./words.ts";

/** Problems of a text as "line kind". */
const found = (path: string, text: string): readonly string[] =>
  judgeFile(path, text).map(({ kind, line }) => `${line} ${kind}`);

const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

describe("Markdown", () => {
  it.each(["What", "Who", "Whoever", "Whatever", "Whether", "Whose", "Of", "That"])(
    "a sentence that begins with a clause of %s is a problem",
    (word) => {
      const problems = found("a.md", `It works. ${word} others need is shown.`);
      expect(problems).toContain("1 clause");
    },
  );

  it("a question and a pronoun may begin a sentence", () => {
    expect(found("a.md", "What is a rule? That is a requirement.")).toEqual([]);
  });

  it.each(replacements.filter(({ isAmbiguous = false }) => !isAmbiguous).flatMap(({ avoid }) => avoid))(
    'the word "%s" is a problem, with its replacement',
    (word) => {
      const problems = judgeFile("a.md", `The server ${word.toUpperCase()} one.`);
      expect(problems.map(({ kind }) => kind)).toEqual(["word"]);
      expect(problems[0]?.advice).toContain(" → ");
    },
  );

  it("a word in code, in quotation marks, in a longer word or in its other meaning is no problem", () => {
    const text = [
      "Use `told` and ``a ` told`` in code.",
      'The word "told" is quoted.',
      "```\nThe kit told us.\n```",
      "Two warnings besides, on retold stories.",
      "The question has one answer. A class member is private.",
    ].join("\n\n");
    expect(found("a.md", text)).toEqual([]);
  });

  it("a sentence over 25 words is a problem, and parts of a list count by themselves", () => {
    expect(found("a.md", `The ${words(25)}.`)).toEqual(["1 long"]);
    expect(found("a.md", `The ${words(24)}. The ${words(24)}.`)).toEqual([]);
    expect(found("a.md", `The ${words(20)}: ${words(20)}; ${words(20)}.`)).toEqual([]);
  });

  it("a paragraph over 90 words is a problem; list items and table cells are paragraphs", () => {
    const sentences = Array.from({ length: 9 }, () => `The ${words(10)}.`);
    expect(found("a.md", sentences.join("\n"))).toEqual(["1 paragraph"]);
    expect(found("a.md", sentences.map((sentence) => `- ${sentence}`).join("\n"))).toEqual([]);
    expect(found("a.md", sentences.map((sentence) => `| ${sentence} | x |`).join("\n"))).toEqual([]);
  });

  it("a problem has the line on which its paragraph begins", () => {
    expect(found("a.md", "# Title\n\n- One.\n- Two\n  was told.\n")).toEqual(["4 word"]);
  });
});

describe("TypeScript", () => {
  it("a comment is prose, and directives are not", () => {
    expect(found("a.ts", "/**\n * Counts.\n * What is left counts.\n */\nconst x = 1;")).toEqual(["2 clause"]);
    expect(found("a.ts", "// It is\n// told.\nconst x = 1;")).toEqual(["1 word"]);
    expect(found("a.ts", "// biome-ignore lint/told: it is told")).toEqual([]);
  });

  it("a string is no comment", () => {
    expect(found("a.ts", 'const x = "// what is told";')).toEqual([]);
  });

  it.each(['it("TITLE", f)', "describe.each([1])(`TITLE`, f)", 'test.skip("TITLE" + " x", f)'])(
    "the title of %s is prose",
    (call) => {
      expect(found("a.test.ts", call.replace("TITLE", "what is told"))).toEqual(["1 clause", "1 word"]);
    },
  );

  it("the title of a check is prose", () => {
    const text = 'export const one = check({\n  title: "Who asks is told",\n});';
    expect(found("conformance/checks/a.ts", text)).toEqual(["2 clause", "2 word"]);
    expect(found("conformance/runner/a.ts", text)).toEqual([]);
  });

  it.each([
    'program.command("a").description("TEXT")',
    'program.option("--a <b>", "TEXT", parse)',
    'program.addOption(new Option("--a", "TEXT"))',
    'const help = "TEXT\\n\\nExamples:\\n  npx bylaw told";',
    'const entries = [{ name: "a", summary: "TEXT" }];',
  ])("the help text in %s is prose", (code) => {
    expect(found("scripts/commands/a.ts", code.replace("TEXT", "print what was told"))).toEqual(["1 word"]);
  });

  it.each(["toldStory", "StoryApart", "HELD_BACK", "lawfulChoices", "left", "Beside", "patience"])(
    "the exported name %s is a problem",
    (name) => {
      expect(found("a.ts", `const x = "";\nexport const ${name} = x;`)).toEqual(["2 name"]);
    },
  );

  it("a name with a longer word, a name that is not exported and a name of the contract are no problems", () => {
    expect(found("a.ts", "export const leftBehind = f; export const department = f; const told = f;")).toEqual([]);
    expect(found("spec/vocabulary/a.ts", "export const told = f;")).toEqual([]);
  });

  it("the name of a file is a problem", () => {
    expect(found("conformance/told-story.test.ts", "")).toEqual(["1 name"]);
    expect(found("docs/apart.md", "")).toEqual(["1 name"]);
  });

  it.each(["const patience = 3;", "let requestTimeout = 5 * 1000;", "function f() { const retry_delay = 10; }"])(
    "the time span of %s has no unit",
    (code) => {
      expect(found("a.ts", code)).toEqual(["1 unit"]);
    },
  );

  it("a time span with a unit, a count per time and a value that is no number are no problems", () => {
    expect(found("a.ts", "const timeoutMs = 5, callsPerPeriod = 3, delay = wait();")).toEqual([]);
  });
});

describe("the subject of a commit", () => {
  it("has an area and 72 characters at most", () => {
    expect(judgeSubject("kit: report each warning once")).toEqual([]);
    expect(judgeSubject("feat(kit)!: report each warning once")).toEqual([]);
    expect(judgeSubject('Revert "Report each warning once"')).toEqual([]);
    expect(judgeSubject("Report each warning once")).toHaveLength(1);
    expect(judgeSubject(`kit: ${"x".repeat(68)}`)).toHaveLength(1);
  });

  it("has no word to avoid", () => {
    expect(judgeSubject("kit: tell each warning once")).toEqual(['"tell" → report, print, list, show or return']);
  });
});

describe("the baseline", () => {
  const before: Baseline = new Map<string, Counts>([
    ["a.ts", { word: 3, long: 1 }],
    ["b.ts", { clause: 2 }],
  ]);

  it("is read as it was written", () => {
    expect(baselineText(before).split("\n").slice(1)).toEqual(["a.ts word=3 long=1", "b.ts clause=2", ""]);
    expect(readBaseline(baselineText(before))).toEqual(before);
  });

  it("has the lower counts after a merge that kept lines of both sides", () => {
    const text = "<<<<<<< one\na.ts word=3\n=======\na.ts word=2 long=1\n>>>>>>> other\nb.ts clause=2\n";
    expect(readBaseline(text)).toEqual(new Map([...before, ["a.ts", { word: 2 }]]));
  });

  it("reports a file that got worse or better, a new file with problems, and a file that is gone", () => {
    const files = new Map([
      ["a.ts", { word: 4 }],
      ["c.ts", { name: 1 }],
    ]);
    expect(compare(files, before)).toEqual({
      worse: [
        { path: "a.ts", kind: "word", allowed: 3, count: 4 },
        { path: "c.ts", kind: "name", allowed: 0, count: 1 },
      ],
      better: [{ path: "a.ts", kind: "long", allowed: 1, count: 0 }],
      gone: ["b.ts"],
    });
    const problems = new Map([["c.ts", judgeFile("c.ts", "export const told = f;")]]);
    const lines = reportOf(tmpdir(), compare(files, before), problems);
    expect(lines.join("\n")).toContain('c.ts:1  name: "told" in a name → reported');
    expect(lines.join("\n")).toContain("a.ts: long: 0 instead of 1: run npm run prose -- --write");
    expect(lines.at(-1)).toMatch(/^b\.ts: no such file: .*--move b\.ts NEW$/);
  });

  it("is never raised by a new count", () => {
    const files = new Map([
      ["a.ts", { word: 4 }],
      ["c.ts", { word: 1 }],
    ]);
    expect(lowered(files, before, new Map())).toEqual(new Map([["a.ts", { word: 3 }]]));
  });

  it("follows a renamed file", () => {
    const files = new Map([
      ["a.ts", { word: 3, long: 1 }],
      ["c.ts", { clause: 3 }],
    ]);
    const after = lowered(files, before, new Map([["b.ts", "c.ts"]]));
    expect(after.get("c.ts")).toEqual({ clause: 2 });
    expect(after.has("b.ts")).toBe(false);
  });

  it("allows a file what another file lost, and no more", () => {
    const files = new Map([
      ["a.ts", { word: 1, long: 1 }],
      ["b.ts", { clause: 2 }],
      ["c.ts", { word: 5, long: 1 }],
    ]);
    const after = moved(files, before, "a.ts", "c.ts");
    expect(after.get("a.ts")).toEqual({ word: 1, long: 1 });
    expect(after.get("c.ts")).toEqual({ word: 2 });
  });

  it("counts problems by kind", () => {
    expect(countsOf(judgeFile("a.md", "What is told is told."))).toEqual({ clause: 1, word: 2 });
  });
});

describe("the glossary", () => {
  it("gets its words to avoid from the table of the lint", () => {
    const page = [
      "- **response**: A meaning\n  in two lines.\n  Instead of an old word.\n  From RFC 9110.\n",
      "- **run**: A meaning.\n",
      "\n<!-- words -->\nold\n<!-- end of words -->\nend\n",
    ].join("");
    const filled = filledGlossary(page);
    expect(filled).toContain('  in two lines.\n  Instead of "answer".\n  From RFC 9110.\n- **run**: A meaning.\n\n');
    expect(filled).toContain('- "tell", "told": report,');
    expect(filled).not.toContain("old\n<!--");
    expect(filledGlossary(filled)).toBe(filled);
  });
});

describe("the history", () => {
  let folder = "";
  const commit = (subject: string): void => {
    git(folder, "add", "-A");
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--allow-empty", "-m", subject);
  };
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const subjects = (at = folder): readonly string[] | undefined =>
    commitsSinceAdded(at, "rule.ts")?.map(({ subject }) => subject);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bylaw-prose-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is unknown where there is no repository", () => {
    mkdirSync(join(folder, "inner"));
    expect(commitsSinceAdded(folder, "rule.ts")).toBe(null);
  });

  it("has the commits on top of the rule, without merges and older branches", () => {
    git(folder, "init", "--initial-branch=main");
    write("a.ts", "1");
    commit("Old subject");
    git(folder, "checkout", "-b", "side");
    write("b.ts", "1");
    commit("Old subject of a branch");
    git(folder, "checkout", "main");
    expect(subjects()).toEqual([]);
    write("rule.ts", "1");
    commit("guards: add the rule");
    write("a.ts", "2");
    commit("a: change");
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "merge", "--no-edit", "side");
    expect(subjects()).toEqual(["a: change"]);
  });

  it("has some commits or none in a shallow clone", () => {
    git(folder, "init", "--initial-branch=main");
    commit("Old subject");
    write("rule.ts", "1");
    commit("guards: add the rule");
    for (const number of [1, 2, 3]) commit(`a: change ${number}`);
    for (const [depth, expected] of [
      [1, []],
      [2, ["a: change 3"]],
    ] as const) {
      const clone = join(folder, `clone-${depth}`);
      git(folder, "clone", "--depth", String(depth), `file://${folder}`, clone);
      expect(subjects(clone)).toEqual(expected);
    }
  });

  it("has the new names of renamed files", () => {
    git(folder, "init", "--initial-branch=main");
    write("old.ts", "const a = 1;\nconst b = 2;\n");
    commit("a: one");
    git(folder, "mv", "old.ts", "new.ts");
    expect(renamesSince(folder, "HEAD")).toEqual(new Map([["old.ts", "new.ts"]]));
  });
});
