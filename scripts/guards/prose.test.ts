import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { baselineText, compare, readBaseline } from "./prose/baseline.ts";
import { commitsSinceAdded } from "./prose/git-history.ts";
import { definedTerms, filledGlossary, glossaryPath } from "./prose/glossary.ts";
import { judgeSubject } from "./prose/judge-subject.ts";
import { baselinePath, reportOf } from "./prose/lint-report.ts";
import { countsByFile, judgeFiles, lintedPaths } from "./prose/repository.ts";
import { publishedSubjects, replacements } from "./prose/words.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the English of the project", () => {
  it("gets no worse in any file, and is plain in new files", () => {
    const paths = lintedPaths(root);
    const problems = judgeFiles(root, paths);
    const comparison = compare(countsByFile(problems), readBaseline(read(baselinePath)));
    expect(paths.length).toBeGreaterThan(1000);
    expect(reportOf(root, comparison, problems), "docs/glossary.md has the words to use").toEqual([]);
  });

  it("has a sorted baseline with one line for each file", () => {
    const text = read(baselinePath);
    expect(text, "run npm run prose -- --write").toBe(baselineText(readBaseline(text)));
  });

  it("has subjects of commits with an area, a change and no word to avoid", (test) => {
    const commits = commitsSinceAdded(root, "scripts/guards/prose/judge-subject.ts");
    if (commits === null) return test.skip("there is no git history to look at");
    const judged = commits.filter(({ hash }) => !publishedSubjects.some((start) => hash.startsWith(start)));
    const found = judged.flatMap(({ hash, subject }) =>
      judgeSubject(subject).map((problem) => `${hash.slice(0, 10)} ${subject}: ${problem}`),
    );
    expect(found, "reword the subject; a published one goes into publishedSubjects").toEqual([]);
  });
});

describe("the glossary", () => {
  const glossary = read(glossaryPath);
  const terms = definedTerms(glossary);

  it("lists the words to avoid as the lint does", () => {
    expect(glossary, "run npm run prose -- --write").toBe(filledGlossary(glossary));
  });

  it("defines every term that replaces a word, and each term once", () => {
    const replacing = replacements.flatMap(({ term }) => term ?? []);
    expect(replacing.filter((term) => !terms.includes(term))).toEqual([]);
    expect(terms.length).toBeGreaterThan(60);
    expect(new Set(terms).size).toBe(terms.length);
  });
});
