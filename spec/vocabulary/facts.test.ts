import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, SyntaxKind } from "@typespec/compiler/ast";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");

/** The interface of each model of the vocabulary. */
const interfaceOf: Readonly<Record<string, string>> = {
  Basis: "BasisFacts",
  RuleDraft: "RuleDraftFacts",
  OpenQuestion: "OpenQuestionFacts",
  TokenBucket: "BucketFacts",
  Ladder: "LadderFacts",
  ErrorRowFacts: "ErrorRowFacts",
  Narrowing: "NarrowingFacts",
  SignatureScheme: "SignatureSchemeFacts",
  States: "StatesFacts",
  Transition: "TransitionFacts",
};

/** Members by name, with a question mark where they may be left out. */
type Members = ReadonlyMap<string, readonly string[]>;

const models: Members = new Map(
  globSync("*.tsp", { cwd: import.meta.dirname })
    .flatMap((file) => parse(textOf(file)).statements)
    .flatMap((one) => (one.kind === SyntaxKind.ModelStatement ? [one] : []))
    .map(({ id, properties }) => [
      id.sv,
      properties
        .flatMap((one) => (one.kind === SyntaxKind.ModelProperty ? [`${one.id.sv}${one.optional ? "?" : ""}`] : []))
        .sort(),
    ]),
);

const interfaces: Members = new Map(
  parseSync("facts.ts", textOf("facts.ts"))
    .program.body.flatMap((one) => (one.type === "ExportNamedDeclaration" ? [one.declaration] : []))
    .flatMap((one) => (one?.type === "TSInterfaceDeclaration" ? [one] : []))
    .map(({ id, body }) => [
      id.name,
      body.body
        .flatMap((one) =>
          one.type === "TSPropertySignature" && one.key.type === "Identifier"
            ? [`${one.key.name}${one.optional ? "?" : ""}`]
            : [],
        )
        .sort(),
    ]),
);

it("every model of the vocabulary has an interface", () => {
  expect([...models.keys()].sort()).toEqual(Object.keys(interfaceOf).sort());
});

it.each(Object.entries(interfaceOf))("%s has the members of %s", (model, name) => {
  expect(interfaces.get(name)).toEqual(models.get(model));
});
