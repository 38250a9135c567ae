import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const biome = join(root, "node_modules/.bin/biome");
const scratch = mkdtempSync(join(tmpdir(), "bylaw-imports-"));
for (const file of ["biome.json", ".gitignore"]) cpSync(join(root, file), join(scratch, file));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Rules of Biome that a file with this text breaks at this place. */
function lint(file: string, text: string): string[] {
  const path = join(scratch, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const { stdout } = spawnSync(biome, ["lint", "--reporter=json", file], { cwd: scratch, encoding: "utf8" });
  rmSync(path);
  const start = stdout.indexOf("{");
  const report = JSON.parse(stdout.slice(start)) as { readonly diagnostics: readonly { readonly category: string }[] };
  return report.diagnostics.map((d) => d.category);
}

const restricted = "lint/style/noRestrictedImports";

const forbidden: readonly (readonly [file: string, from: string])[] = [
  ["spec/vocabulary/planted.ts", "../../compiler/contract.ts"],
  ["compiler/planted.ts", "../generated/operations.ts"],
  ["compiler/print/planted.ts", "../../reference-server/server.ts"],
  ["compiler/schema/planted.ts", "../contract.ts"],
  ["compiler/schema/inclusion/planted.ts", "../../problem.ts"],
  ["compiler/schema/fixtures/planted.ts", "../../diff/diff.ts"],
  ["compiler/runtime/planted.ts", "../contract.ts"],
  ["reference-server/planted.ts", "../compiler/contract.ts"],
  ["reference-server/planted.ts", "../conformance/context/check.ts"],
  ["reference-server/domain/planted.ts", "../store/store.ts"],
  ["reference-server/domain/keys/planted.ts", "../../store/keys/keys.ts"],
  ["reference-server/domain/planted.ts", "express"],
  ["reference-server/store/planted.ts", "../http/app.ts"],
  ["reference-server/store/keys/planted.ts", "../../server.ts"],
  ["conformance/planted.ts", "../reference-server/server.ts"],
  ["conformance/checks/planted.ts", "../../compiler/contract.ts"],
  ["conformance/checks/planted.ts", "../../compiler/print/print-all.ts"],
  ["conformance/exchange/planted.ts", "../outcome/verdict.ts"],
  ["conformance/exchange/planted.ts", "../../reference-server/server.ts"],
  ["conformance/story/planted.ts", "../outcome/verdict.ts"],
  ["conformance/outcome/planted.ts", "../liveness/breaker.ts"],
  ["conformance/liveness/planted.ts", "../sending/sender.ts"],
  ["conformance/sending/planted.ts", "../context/context.ts"],
  ["conformance/target/planted.ts", "../arrangements/all.ts"],
  ["conformance/receiver/planted.ts", "../hooks/run-hook.ts"],
  ["conformance/arrangements/planted.ts", "../provision/tenant.ts"],
  ["conformance/configuration/planted.ts", "../hooks/run-hook.ts"],
  ["conformance/preflight/planted.ts", "../configuration/read-target.ts"],
  ["conformance/monitor/planted.ts", "../context/context.ts"],
  ["conformance/hooks/planted.ts", "../provision/tenant.ts"],
  ["conformance/provision/planted.ts", "../context/context.ts"],
  ["conformance/provision/planted.ts", "../../compiler/contract.ts"],
  ["conformance/context/planted.ts", "../steps/feed.ts"],
  ["conformance/steps/planted.ts", "../checks/all-checks.ts"],
  ["conformance/steps/near-misses/planted.ts", "../feed.ts"],
  ["conformance/checks/limits/planted.ts", "../deliveries/replay-time.ts"],
  ["conformance/checks/limits/planted.ts", "../all-checks.ts"],
  ["conformance/checks/limits/planted.ts", "../../runner/run.ts"],
  ["conformance/checks/limits/planted.ts", "../../../compiler/contract.ts"],
  ["conformance/checks/limits/planted.ts", "../../../reference-server/server.ts"],
  ["conformance/runner/planted.ts", "../reports/terminal.ts"],
  ["conformance/runner/planted.ts", "../checks/all-checks.ts"],
  ["conformance/runner/planted.ts", "../../reference-server/server.ts"],
];

const allowed: readonly (readonly [file: string, from: string])[] = [
  ["compiler/planted.ts", "../spec/vocabulary/decorators.ts"],
  ["reference-server/planted.ts", "../generated/operations.ts"],
  ["reference-server/store/keys/planted.ts", "../../domain/keys/api-keys.ts"],
  ["conformance/checks/planted.ts", "../../generated/operations.ts"],
  ["conformance/checks/planted.ts", "../../compiler/schema/validator.ts"],
  ["conformance/exchange/planted.ts", "../../generated/operations.ts"],
  ["conformance/provision/planted.ts", "../arrangements/all.ts"],
  ["conformance/steps/planted.ts", "./near-misses/near-ids.ts"],
  ["conformance/checks/limits/planted.ts", "../../steps/feed.ts"],
  ["conformance/checks/limits/planted.ts", "../../steps/near-misses/near-ids.ts"],
  ["conformance/checks/limits/planted.ts", "../../../generated/operations.ts"],
  ["conformance/checks/limits/planted.ts", "./throttle.ts"],
  ["conformance/runner/planted.ts", "../context/check.ts"],
  ["conformance/runner/planted.test.ts", "../checks/all-checks.ts"],
  ["scripts/planted.ts", "../reference-server/server.ts"],
];

const importOf = (from: string): string => `import { x } from "${from}";\n\nexport const y = x;\n`;

describe("imports flow one way", () => {
  it.each(forbidden)("%s must not import %s", (file, from) => {
    expect(lint(file, importOf(from))).toContain(restricted);
  });

  it.each(allowed)("%s may import %s", (file, from) => {
    expect(lint(file, importOf(from))).not.toContain(restricted);
  });

  it.each([
    [
      "values",
      `import { a } from "./one.ts";\n\nexport const b = (): number => a();\n`,
      `import { b } from "./other.ts";\n\nexport const a = (): number => b();\n`,
    ],
    [
      "types",
      `import type { A } from "./one.ts";\n\nexport type B = A | null;\n`,
      `import type { B } from "./other.ts";\n\nexport type A = readonly B[];\n`,
    ],
  ])("reports an import cycle of %s", (_of, other, one) => {
    const file = join(scratch, "conformance/other.ts");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, other);
    const found = lint("conformance/one.ts", one);
    rmSync(file);
    expect(found).toContain("lint/suspicious/noImportCycles");
  });
});

/** What generated TypeScript imports that it may not. */
function foreignImports(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/^(?:import\b[^"]*?|export\b[^"]*? from )"([^"]+)"/gm)].map(
    (match) => match[1] ?? "",
  );
  const inside = (specifier: string): boolean =>
    resolve("/generated", dirname(file), specifier).startsWith("/generated/");
  const packages = new Set(["ajv-formats", "ajv/dist/2020.js", "express", "node:crypto", "undici"]);
  return specifiers.filter((s) => !(s.startsWith(".") ? inside(s) : packages.has(s)));
}

describe("generated code", () => {
  const files = readdirSync(join(root, "generated"), { recursive: true, encoding: "utf8" }).filter((f) =>
    f.endsWith(".ts"),
  );

  it("stands on itself, ajv, ajv-formats, express, undici and the cryptography of Node", () => {
    const foreign = files.flatMap((f) => foreignImports(f, readFileSync(join(root, "generated", f), "utf8")));
    expect(files.length).toBeGreaterThan(0);
    expect(foreign).toEqual([]);
  });

  it("is caught when it reaches outside", () => {
    expect(foreignImports("server/a.ts", importOf("../../compiler/contract.ts"))).toEqual([
      "../../compiler/contract.ts",
    ]);
    expect(foreignImports("server/a.ts", importOf("kysely"))).toEqual(["kysely"]);
    expect(foreignImports("server/a.ts", importOf("../runtime/json.ts"))).toEqual([]);
  });

  it("is marked as generated for reviewers", () => {
    const attributes = execFileSync("git", ["check-attr", "linguist-generated", "generated/contract.json"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(attributes.trim()).toMatch(/: true$/);
  });
});
