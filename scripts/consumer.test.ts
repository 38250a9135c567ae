import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { serving } from "./commands/spawn-serve.ts";

const root = resolve(import.meta.dirname, "..");

it("the consumer's program verifies a delivery, gets consent, waits for its limit, and pages through what it sent", async () => {
  const { url, written } = await serving(["--seed-organization", "--admit-loopback"]);
  const { api_key: key } = JSON.parse(written.out.split("\n")[0] ?? "");
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tsx, "docs/consumer.ts", url, key], {
    cwd: root,
  });
  expect(stderr).toBe("");
  const told = (pattern: RegExp): readonly string[] =>
    [...stdout.matchAll(new RegExp(pattern, "gm"))].map(([line, what]) => what ?? line);
  const sent = told(/^sent (.+)$/);
  expect(sent).toHaveLength(3);
  expect(told(/^listed (.+)$/).toSorted()).toEqual(sent.toSorted());
  // The limit is one a second: three at once do not pass, however long each takes.
  for (const line of [/^verified evt_.+$/, /^no consent yet$/, /^limited, again in [1-9]\d* s$/]) {
    expect(told(line).length).toBeGreaterThan(0);
  }
  expect(told(/^verified/)).toHaveLength(1);
  expect(told(/^(refused|quiet) .*$/)).toEqual([]);
});

it("what the README shows of it stands in it", () => {
  const [, shown = ""] = /```ts\n([\s\S]+?)```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const program = readFileSync(join(root, "docs/consumer.ts"), "utf8");
  const pieces = shown.split(/^ *\/\/ …$/m).map((piece) => piece.trim());
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.filter((piece) => !program.includes(piece))).toEqual([]);
});
