import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseBaseline } from "../baseline/parse-baseline.ts";
import { parseAcceptedChanges } from "../diff/parse-accepted-changes.ts";
import { runBylaw } from "../run-bylaw.ts";

const root = resolve(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

const guide = textOf("docs/for-ci-owners.md");
const script = textOf("scripts/ci/contract-gate.sh");
const action = textOf(".github/actions/contract/action.yml");
const workflows = readdirSync(join(root, ".github/workflows")).map((file) => join(".github/workflows", file));

/** What an action of someone else is used as. */
const usesOf = (text: string): readonly string[] =>
  [...text.matchAll(/uses: (\S+)/g)].flatMap(([, used]) => (used === undefined || used.startsWith(".") ? [] : [used]));

describe("the guide for CI owners", () => {
  it("tells every flag of diff", () => {
    const { stdout } = runBylaw(root, ["diff", "--help"]);
    const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag ?? "");
    expect(flags.length).toBeGreaterThan(8);
    expect(flags.filter((flag) => !guide.includes(`\`${flag}`))).toEqual([]);
  });

  it("tells every input of the action, and every setting of the script", () => {
    const { inputs }: { readonly inputs: Readonly<Record<string, unknown>> } = parse(action);
    const settings = [...script.matchAll(/^#\s+([A-Z_]{4,}) {2,}/gm)].map(([, name]) => name ?? "");
    expect(settings.length).toBeGreaterThan(6);
    expect([...Object.keys(inputs), ...settings].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it("shows a file of accepted changes that can be read", () => {
    const [, example = ""] = /```yaml\n(accepted:[\s\S]+?)```/.exec(guide) ?? [];
    const { changes, problems } = parseAcceptedChanges("example", example);
    expect(problems).toEqual([]);
    expect([changes.accepted.length, changes.severities.length]).toEqual([1, 1]);
  });

  it("shows a baseline that can be read", () => {
    const [, example = ""] = /```yaml\n(known:[\s\S]+?)```/.exec(guide) ?? [];
    const { entries, problems } = parseBaseline("example", example);
    expect(problems).toEqual([]);
    expect(entries).toMatchObject([{ checks: ["api-keys.bad-scopes"], operations: ["createApiKey"] }]);
  });

  it("names files that are there", () => {
    const files = [...guide.matchAll(/`((?:scripts|\.github)\/[\w./-]+)`/g)].map(([, file]) => file ?? "");
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(() => textOf(file)).not.toThrow();
  });
});

describe("the action and the workflow of the gate", () => {
  it("use others' actions by commit", () => {
    const used = ["docs/for-ci-owners.md", ".github/actions/contract/action.yml", ".github/workflows/contract.yml"]
      .flatMap((file) => usesOf(textOf(file)))
      .filter((one) => !one.startsWith("OWNER/"));
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((one) => !/@[0-9a-f]{40}$/.test(one))).toEqual([]);
  });

  it("put no input into the text of a script, and never run with the secrets of a pull request's target", () => {
    const scripts = [...action.matchAll(/run: (?:\|\n((?: {8}.*\n)+)|(.*))/g)].map(([whole]) => whole);
    expect(scripts.length).toBe(2);
    expect(scripts.filter((text) => text.includes("${{"))).toEqual([]);
    expect(workflows.filter((file) => textOf(file).includes("pull_request_target"))).toEqual([]);
  });
});
