import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import { rules } from "../../generated/rules.ts";
import { callBylaw } from "../call-bylaw.ts";
import { type Ended, runBylaw } from "../propagation/run-bylaw.ts";
import { type ScratchCopy, scratchCopy } from "../propagation/scratch-copy.ts";

const { scope } = operations.listDeliveryAttempts;
const route = "GET /v1/webhooks/{id}";
/** Milliseconds: each step is a process or two. */
const patience = 300_000;

let copy: ScratchCopy;
beforeAll(() => {
  copy = scratchCopy();
}, patience);
afterAll(() => copy?.dispose());

const bylaw = (...args: readonly string[]): Promise<Ended> => runBylaw(copy.root, args);
/** Within this process: each start of a command would read TypeSpec anew. */
async function lockAndCompile(): Promise<void> {
  for (const command of ["lock", "compile"]) {
    const { code, stdout, stderr } = await callBylaw(copy.root, [command]);
    expect(code, stdout + stderr).toBe(0);
  }
}
const read = (file: string): string => readFileSync(join(copy.root, file), "utf8");
const lastOfArea = Math.max(
  ...Object.keys(rules).flatMap((id) => (id.startsWith("WHE-") ? [Number(id.slice("WHE-".length))] : [])),
);
const [first, second] = [`WHE-${lastOfArea + 1}`, `WHE-${lastOfArea + 2}`];

describe("bylaw new, followed by a new author,", { timeout: patience }, () => {
  it("declares an operation, with a handler and a sound input that throw", async () => {
    const args = ["getOneEndpoint", route, "--scope", scope, "--answer", "WebhookEndpoint"];
    const { code, output } = await bylaw("new", "operation", ...args);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^ {2}spec\/webhooks\.tsp:\d+ +its declaration$/m);
    expect(output).toContain("What is to do now, in this order:");
    expect(read("spec/webhooks.tsp")).toContain("  getOneEndpoint(@path id: Uuid):\n    | Success<WebhookEndpoint>\n");
    for (const file of ["reference-server/routes/webhooks.ts", "conformance/steps/sound-inputs/webhooks.ts"]) {
      const places = [...output.matchAll(/^ {2}(\S+):(\d+) /gm)];
      const [, , line] = places.find(([, named]) => named === file) ?? [];
      expect(read(file).split("\n")[Number(line) - 1]).toContain("getOneEndpoint");
      expect(read(file)).toContain('throw new Error("getOneEndpoint is not written yet");');
    }
  });

  it("refuses an operation that is there already, with its place", async () => {
    const { code, output } = await bylaw("new", "operation", "getOneEndpoint", route);
    expect(code).toBe(2);
    expect(output).toMatch(/getOneEndpoint is declared already: spec\/webhooks\.tsp:\d+\./);
  });

  it("adds rules with the next free ids, whether or not those before them are locked", async () => {
    const about = ["getOneEndpoint", "An own endpoint is read with a success.", "--area", "WHE"];
    expect((await bylaw("new", "rule", ...about)).output).toContain(`rule ${first}\n`);
    const why = ["--assumed", "It is deleted."];
    const { output } = await bylaw("new", "rule", "getOneEndpoint", "A deleted one is gone.", "--area", "WHE", ...why);
    expect(output).toContain(`rule ${second}\n`);
    expect((await bylaw("new", "rule", ...about)).output).toContain(`${first} says this already`);
    expect((await bylaw("new", "check", "webhooks.one", first)).output).toContain("is not compiled yet");
  });

  it("gives a spec that compiles, and a checklist that tells what is begun and what is missing", async () => {
    await lockAndCompile();
    const { output } = await bylaw("explain", "getOneEndpoint");
    expect(output).toMatch(/handler +begun, not written yet: reference-server\/routes\/webhooks\.ts:\d+/);
    expect(output).toMatch(/sound input +begun, not written yet: conformance\/steps\/sound-inputs\/webhooks\.ts:\d+/);
    expect(output).toMatch(/second entry +missing: /);
    expect(output).toMatch(new RegExp(`checks +missing: of ${first}, ${second}`));
  });

  it("begins a resource with its first operation, which no list has to be told of", async () => {
    const args = ["getGreeting", "GET /v1/greetings/{id}", "--scope", scope, "--answer", "WebhookEndpoint"];
    expect((await bylaw("new", "operation", ...args)).output).toContain("a name of your own for a new one");
    const { code, output } = await bylaw("new", "operation", ...args, "--resource", "greetings");
    expect(code, output).toBe(0);
    expect(read("spec/greetings.tsp")).toContain('@route("greetings")');
    const spec = join(copy.root, "spec/greetings.tsp");
    writeFileSync(spec, read("spec/greetings.tsp").replace("import", 'import "./webhooks.tsp";\nimport'));
    const other = ["getGreetings", "GET /v1/greetings", "--scope", scope, "--resource", "greeting"];
    expect((await bylaw("new", "operation", ...other)).output).toContain('Did you mean "greetings"?');
    const rule = ["getGreeting", "An own greeting is read with a success."];
    expect((await bylaw("new", "rule", ...rule)).output).toContain("has no rules yet");
    expect((await bylaw("new", "rule", ...rule, "--area", "GRT")).output).toContain("rule GRT-01\n");
    await lockAndCompile();
    expect(read("reference-server/routes/all.ts")).toContain("boundTo(bindGreetings, greetingsHandlers)");
    const check = await bylaw("new", "check", "greetings.reading", "GRT-01");
    expect(check.code, check.output).toBe(0);
    const planned = await bylaw("verify", "--reference", "--plan", "--only", "greetings.reading");
    expect(planned.code, planned.output).toBe(0);
  });

  it("makes a check that decides nothing, and a run says so", async () => {
    const { code, output } = await bylaw("new", "check", "webhooks.one", first, second);
    expect(code, output).toBe(0);
    const ended = await bylaw("verify", "--reference", "--profile", "full", "--only", "webhooks.one");
    expect(ended.output).toContain("webhooks.one is not written yet");
    expect(ended.code).not.toBe(0);
    expect((await bylaw("new", "check", "webhooks.one", first)).output).toContain("webhooks.one is there already");
    expect((await bylaw("new", "check", "webhook.one", first)).output).toContain('Did you mean "webhooks"?');
  });

  it("adds a mutant that is told as not written", async () => {
    const { code, output } = await bylaw("new", "mutant", first, "lost", "does not find what it made");
    expect(code, output).toBe(0);
    const [, file = ""] = /^ {2}(reference-server\/edits\/mutants\/\S+):\d+ /m.exec(output) ?? [];
    expect(read(file)).toContain(`throw new Error("${first}-lost is not written yet");`);
    expect((await bylaw("new", "mutant", first, "lost", "again")).output).toContain(`a mutant ${first}-lost already`);
    await bylaw("new", "mutant", second, "lost", "does not find what it made");
    const explained = await bylaw("explain", "getOneEndpoint");
    expect(explained.output).toMatch(/checks +begun, not written yet: conformance\/checks\/webhooks\/one\.ts:\d+/);
    expect(explained.output).toMatch(/mutants +begun, not written yet: reference-server\/edits\/mutants\/\S+:\d+/);
  });

  it("writes nothing where it refuses", async () => {
    const refused: readonly (readonly string[])[] = [
      ["operation", "Get", route],
      ["operation", "getOther", "/v1/webhooks/{id}/other"],
      ["operation", "getOther", "GET /v1/nowhere/{id}"],
      ["operation", "getOther", "GET /v1/webhooks/{id}/other", "--scope", `${scope}s`],
      ["rule", "getOneEndpoint", "An own endpoint is read with a success."],
      ["rule", "getOneEndpoints", "It is there.", "--area", "WHE"],
      ["check", "reading", first],
      ["check", "webhooks.other", "WHE-999"],
      ["mutant", "WHE-999", "lost", "does"],
      ["mutant", first, "Lost one", "does"],
    ];
    const before = read("spec/webhooks.tsp") + read("spec/webhooks.rules.tsp");
    // The copy changes no more, so that its modules may be read once for all.
    const { commandLine }: typeof import("../command-line.ts") = await import(
      join(copy.root, "scripts/command-line.ts")
    );
    for (const args of refused) {
      const { code, stderr } = await callBylaw(copy.root, ["new", ...args], {}, commandLine);
      expect([args, code], stderr).toEqual([args, 2]);
      expect(stderr.trim().split("\n").length, stderr).toBeGreaterThan(1);
    }
    expect(read("spec/webhooks.tsp") + read("spec/webhooks.rules.tsp")).toBe(before);
    expect(existsSync(join(copy.root, "conformance/checks/webhooks/other.ts"))).toBe(false);
  });
});
