import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compile, NodeHost, type Program } from "@typespec/compiler";
import { getOpenAPI3 } from "@typespec/openapi3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const home = resolve(import.meta.dirname, "../..");
const packageName = "bylaw";

/** A spec that knows the vocabulary by its package's name alone. */
const spec = `import "${packageName}";
import "@typespec/http";

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

@openEnum
enum Wind {
  north,
  south,
}

interface Flights {
  /** Flies. */
  @get
  @route("/wind")
  @scope(Scope.fly)
  @draws(Bucket.flights)
  fly(): {
    @body wind: Wind;
  };
}

@@rule(Flights.fly, "KIT-01", "It flies.");
`;

describe("a project that has the package among its own, as a workspace is linked", () => {
  const root = mkdtempSync(join(tmpdir(), "bylaw-vocabulary-"));
  const entry = join(root, "main.tsp");
  let program: Program;

  beforeAll(async () => {
    mkdirSync(join(root, "node_modules"));
    symlinkSync(home, join(root, "node_modules", packageName), "junction");
    symlinkSync(join(home, "node_modules/@typespec"), join(root, "node_modules/@typespec"), "junction");
    writeFileSync(entry, spec);
    program = await compile(NodeHost, entry, { noEmit: true });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("finds the vocabulary by name", () => {
    expect(program.diagnostics).toEqual([]);
  });

  it("sees the operations' ids and what the decorators say in the documents of any emitter", async () => {
    const [record] = await getOpenAPI3(program, { "openapi-versions": ["3.1.0"] });
    expect(record?.versioned === false ? record.document : null).toMatchObject({
      paths: {
        "/wind": {
          get: {
            operationId: "fly",
            "x-bylaw-scope": "kites:fly",
            "x-bylaw-draws": [{ name: "flights", capacity: 3, periodSeconds: 60, unit: "request" }],
            "x-bylaw-rules": ["KIT-01"],
          },
        },
      },
      components: { schemas: { Wind: { enum: ["north", "south"], "x-bylaw-open-enum": true } } },
    });
  });
});
