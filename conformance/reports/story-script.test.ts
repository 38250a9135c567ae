import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { madeUpRun } from "./made-up-run.ts";
import { type ResultsFailure, type ResultsRule, type ResultsStep, resultsOf } from "./results-json.ts";
import { storyScript } from "./story-script.ts";

const rule = resultsOf(madeUpRun).rules.find(({ id }) => id === "KEYC-15") as ResultsRule;
const [failure] = rule.failures as readonly [ResultsFailure];

/** A call of this path; its answer gave what later ones use. */
const step = (path: string, gives: ResultsStep["gives"] = []): ResultsStep => ({
  ...{ through: "api", what: null, exchange: 1, seconds: null, status: 200, lost: null, gives },
  request: { method: "GET", url: `http://127.0.0.1:8080${path}`, headers: {}, body: null },
});

const list = [
  { pointer: "/data/0", value: "first-1" },
  { pointer: "/data/1/id", value: "second-2" },
  { pointer: "/data/2/id", value: "second-2-and-3" },
];

test("values of one answer have a variable each, whose names bash takes, and the longest is put in first", () => {
  const story = [step("/list", list), ...list.map(({ value }) => step(`/of/${value}`))];
  const script = storyScript("http://127.0.0.1:8080", rule, { ...failure, story });
  const answer = JSON.stringify({ data: ["a-1", { id: "b-2" }, { id: "c-3" }] });
  // In place of curl: what it was called with, and the same answer to everything.
  const curl = `curl() { printf '%s\\n' "$@" >&2; printf '%s\\n200' '${answer}'; }\n`;
  const came = execFileSync("bash", ["-c", `{ ${curl}${script}\n} 2>&1`], { encoding: "utf8" });
  expect(came).not.toContain("command not found");
  for (const id of ["a-1", "b-2", "c-3"]) expect(came).toContain(`http://127.0.0.1:8080/of/${id}\n`);
});

test("does at once what was done at once, and goes on when all of it is done", () => {
  const beside = (path: string): ResultsStep => ({ ...step(path), atOnce: true });
  const story = [step("/list", list), beside("/of/first-1"), beside("/of/second-2"), step("/end")];
  const script = storyScript("http://127.0.0.1:8080", rule, { ...failure, story });
  const answer = JSON.stringify({ data: ["a-1", { id: "b-2" }, { id: "c-3" }] });
  const curl = `curl() { local last="\${*: -1}"; echo "begins $last" >&2; sleep 0.5; echo "ends" >&2; printf '%s\\n200' '${answer}'; }\n`;
  const came = execFileSync("bash", ["-c", `{ ${curl}${script}\n} 2>&1 >/dev/null`], { encoding: "utf8" });
  expect(came.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "begins",
    "ends",
    "begins",
    "begins",
    "ends",
    "ends",
    "begins",
    "ends",
    "",
  ]);
});

test("takes a step that wants what another gives behind that one, though a third lasts over both", () => {
  const story = [step("/list", list), step("/slow"), step("/of/first-1")].map((one) => ({
    ...one,
    atOnce: true as const,
  }));
  const script = storyScript("http://127.0.0.1:8080", rule, { ...failure, story });
  const answer = JSON.stringify({ data: ["a-1", { id: "b-2" }, { id: "c-3" }] });
  const curl = `curl() { printf '%s\\n' "$@" >&2; printf '%s\\n200' '${answer}'; }\n`;
  const came = execFileSync("bash", ["-c", `{ ${curl}${script}\n} 2>&1`], { encoding: "utf8" });
  expect(came).toContain("http://127.0.0.1:8080/of/a-1\n");
});

test("runs nothing that a file of results says", () => {
  const harm = "$(echo harm >&2)`echo harm >&2`\"'; echo harm >&2\n echo harm >&2";
  const story = [step("/list", [{ pointer: `/data/${harm}`, value: "first-1" }]), step("/of/first-1")];
  const script = storyScript(`http://h/${harm}`, rule, {
    ...failure,
    ...{ check: harm, message: harm, expected: harm, actual: harm },
    story: story.map((one) => ({ ...one, what: harm })),
  });
  const came = execFileSync("bash", ["-c", `curl() { printf '{}\\n200'; }\n{ ${script}\n} 2>&1 >/dev/null`], {
    encoding: "utf8",
  });
  expect(came).not.toMatch(/^harm$/m);
});
