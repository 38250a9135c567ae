import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compile, NodeHost } from "@typespec/compiler";
import { afterAll, expect, it } from "vitest";

const home = resolve(import.meta.dirname, "../..");
const root = mkdtempSync(join(tmpdir(), "bylaw-lint-"));
symlinkSync(join(home, "node_modules"), join(root, "node_modules"), "junction");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const sound = `import "@typespec/http";
import "@typespec/json-schema";
import "${home}/spec/vocabulary/main.tsp";

using Bylaw;
using TypeSpec.Http;

@service(#{ title: "Kites" })
namespace Kites;

@scopes
enum Scope {
  fly: "kites:fly",
}

enum Bucket {
  /** Flights. */
  @tokenBucket(#{ capacity: 3, periodSeconds: 60, unit: "request" })
  flights,
}

model Flight {
  @maxLength(40) name: string;
  @maxItems(9) turns: string[];
  height?: int32 | null;
  @TypeSpec.JsonSchema.uniqueItems winds: Wind[];
}

enum Wind { north, south }

/** Flies. */
#deprecated "Served until 2030-01-31: use another."
@post @scope(Scope.fly) @draws(Bucket.flights)
op fly(@body flight: Flight): void;
`;

/** Codes of what TypeSpec says of the spec with a piece replaced; the piece is there. */
async function codes(piece: string, by: string): Promise<readonly string[]> {
  expect(sound).toContain(piece);
  const entry = join(root, "main.tsp");
  writeFileSync(
    entry,
    sound.replace(piece, () => by),
  );
  const { diagnostics } = await compile(NodeHost, entry, { noEmit: true });
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  return diagnostics.map(({ code }) => code);
}

it("warns of nothing in a sound spec", async () => {
  expect(await codes("", "")).toEqual([]);
});

const planted: readonly (readonly [code: string, piece: string, by: string])[] = [
  ["operation-without-summary", "/** Flies. */", ""],
  ["operation-name", "op fly(", "op FlyNow("],
  ["deprecation-without-day", "Served until 2030-01-31: use another.", "Use another."],
  ["unbounded-request", "@maxLength(40) name", "name"],
  ["unbounded-request", "@maxItems(9) turns", "turns"],
  ["unbounded-request", "@TypeSpec.JsonSchema.uniqueItems winds", "winds"],
  ["unbounded-request", "height?: int32 | null", "height?: string | null"],
  ["unused-scope", 'fly: "kites:fly",', 'fly: "kites:fly", land: "kites:land",'],
  ["unused-bucket", " @draws(Bucket.flights)", ""],
];

it.each(planted)("warns of %s: %s → %s", async (code, piece, by) => {
  expect(await codes(piece, by)).toEqual([`bylaw/${code}`]);
});

it("says nothing of what is suppressed with a reason", async () => {
  const reason = '#suppress "bylaw/unbounded-request" "Names are stored as they come."';
  expect(await codes("@maxLength(40) name", `${reason}\n  name`)).toEqual([]);
});
