import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callBylaw } from "./call-bylaw.ts";
import { type Served, serveBylaw } from "./propagation/run-bylaw.ts";
import { project, type ScratchCopy, scratchCopy } from "./propagation/scratch-copy.ts";

/** An arrangement that nobody needs, in one file. */
const file = `
import { arrangement } from "./arrangement.ts";

export const frozenMoon = arrangement({
  need: "frozen-moon",
  does: "freeze the moon",
  given: {
    definition: {
      setting: "moon_token",
      variable: "BYLAW_MOON_TOKEN",
      what: "a token of the moon",
      says: "Token with which the moon is frozen.",
      isOfGivenOrganization: false,
      ifRefused: null,
    },
    instead: (token) => token,
  },
  hook: {
    definition: {
      name: "freeze_moon",
      says: "Freezes the moon.",
      unlocks: "what happens at ebb",
      input: { properties: { degrees: { type: "number", description: "How cold." } } },
      answer: { properties: { ice: { type: "string", description: "What became of it." } } },
    },
    async ask(ask, degrees: number) {
      const { ice } = await ask({ degrees });
      return String(ice);
    },
  },
});
`;

const checked = "conformance/checks/envelope/wrong-method.ts";
const only = ["--profile", "full", "--only", "envelope.wrong-method"];

let copy: ScratchCopy;
let server: Served;
/** The command line of the copy, whose modules are read once for all calls. */
let commandLine: typeof import("./command-line.ts").commandLine;

beforeAll(async () => {
  copy = scratchCopy({ file: checked, find: 'needs: ["key"]', replace: 'needs: ["key", "frozen-moon"]' });
  writeFileSync(join(copy.root, "conformance/arrangements/frozen-moon.ts"), file);
  const compiled = await callBylaw(copy.root, ["compile"]);
  expect(compiled).toMatchObject({ code: 0, stdout: expect.stringContaining("listed.ts updated") });
  ({ commandLine } = (await import(join(copy.root, "scripts/command-line.ts"))) as typeof import("./command-line.ts"));
  server = await serveBylaw(project, "arrangements");
});
afterAll(async () => {
  await server?.close();
  copy?.dispose();
});

/** Runs the copy with a target file that says this besides the address. */
async function withTarget(text: string, command: readonly string[], secrets: Record<`BYLAW_${string}`, string> = {}) {
  const path = join(copy.root, "target.yaml");
  writeFileSync(path, `base_url: ${server.url}\n${text}`);
  const given = { BYLAW_API_KEY: server.key, ...secrets };
  const { code, stdout, stderr } = await callBylaw(copy.root, [...command, "--target", path], given, commandLine);
  return { code, output: stdout + stderr };
}

const ways = "a token of the moon (BYLAW_MOON_TOKEN); or a freeze_moon hook (hooks in target.yaml)";

describe("one more arrangement, which is a file,", () => {
  it("is what the plan misses, with every way to give it", async () => {
    const { output } = await withTarget("", ["verify", "--plan", ...only]);
    const text = output.replace(/\s+/g, " ");
    expect(text).toContain("the target offers no frozen moon");
    expect(text).toContain(`give the kit ${ways}`);
  });

  it("is met by its hook and by its secret, which a target file may name", async () => {
    const hook = await withTarget("hooks: { freeze_moon: { url: http://127.0.0.1:1 } }\n", [
      "verify",
      "--plan",
      ...only,
    ]);
    expect(hook).toMatchObject({ code: 0, output: expect.not.stringContaining("frozen moon") });
    const reference = `\${BYLAW_MOON}`;
    const secret = await withTarget(`moon_token: ${reference}\n`, ["verify", "--plan", ...only], {
      BYLAW_MOON: "luna",
    });
    expect(secret).toMatchObject({ code: 0, output: expect.not.stringContaining("frozen moon") });
    const plain = await withTarget("moon_token: luna\n", ["verify", "--plan", ...only]);
    expect(plain).toMatchObject({ code: 2, output: expect.stringContaining("holds a secret in plain text") });
    const wrong = await withTarget("hooks: { freeze_mon: { url: http://127.0.0.1:1 } }\n", [
      "verify",
      "--plan",
      ...only,
    ]);
    expect(wrong).toMatchObject({ code: 2, output: expect.stringContaining('Did you mean "freeze_moon"?') });
  });

  it("is told by doctor, whether it is there or not", async () => {
    const without = await withTarget("", ["doctor"]);
    expect(without.output).toMatch(/· token of the moon +not given: BYLAW_MOON_TOKEN/);
    const given = await withTarget("", ["doctor"], { BYLAW_MOON_TOKEN: "luna" });
    expect(given.output).toMatch(/✓ token of the moon +given/);
  });

  it("is asked of its hook, whose answer has to be as it says", async () => {
    writeFileSync(join(copy.root, "moon.mjs"), "export const freeze = () => ({ ice: 7 });\n");
    const at = (path: string) => pathToFileURL(join(copy.root, "conformance", path)).href;
    const script = `
      const { frozenMoon } = await import(${JSON.stringify(at("arrangements/frozen-moon.ts"))});
      const { newHookCaller } = await import(${JSON.stringify(at("hooks/hook-caller.ts"))});
      const { newSecrets } = await import(${JSON.stringify(at("exchange/redaction.ts"))});
      const hook = { kind: "module", path: ${JSON.stringify(join(copy.root, "moon.mjs"))}, name: "freeze" };
      const target = { hooks: { freeze_moon: hook }, baseUrl: "" };
      const hooks = newHookCaller(target, newSecrets(), new AbortController().signal);
      const { message } = await hooks.ask(frozenMoon.hooks[0], { degrees: -9 }).catch((error) => error);
      console.log(message);
    `;
    writeFileSync(join(copy.root, "ask.mjs"), script);
    const output = execFileSync(process.execPath, [join(copy.root, "ask.mjs")], { encoding: "utf8" });
    expect(output).toContain("the ice of its answer must be string");
  });

  it("stands in the guide and in the schemas of hooks", async () => {
    const at = (path: string) => pathToFileURL(join(copy.root, "conformance/arrangements", path)).href;
    const script = `
      const { hookDefinitions, requirements } = await import(${JSON.stringify(at("all.ts"))});
      const { arrangementsGuide } = await import(${JSON.stringify(at("guide.ts"))});
      const { hookSchemas } = await import(${JSON.stringify(at("hook-schemas.ts"))});
      console.log(arrangementsGuide(requirements, hookDefinitions), JSON.stringify(hookSchemas(hookDefinitions)));
    `;
    writeFileSync(join(copy.root, "print.mjs"), script);
    const output = execFileSync(process.execPath, [join(copy.root, "print.mjs")], { encoding: "utf8" });
    expect(output).toContain("### freeze_moon");
    expect(output).toContain(`| frozen-moon | ${ways} |`);
    expect(output).toContain('"freeze_moon.answer"');
  });
});
