import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../compiler/contract.ts";
import { mainService } from "../../compiler/service-of.ts";
import { answersOf, errorAnswersOf } from "./answers.ts";
import { differencesOf, memberDifferences } from "./differences.ts";
import {
  documentedDetailsShape,
  documentedErrorMembers,
  documentedInventoryMembers,
  documentedMetaMembers,
  documentedPhoneNumberForm,
} from "./envelope.ts";
import { documentedDetailsForms, documentedErrorRows, errorWithData } from "./error-rows.ts";
import { pairOf } from "./pair-of.ts";
import { readContract } from "./read-contract.ts";
import { admits, asSchema, demands, limitedTo, member, memberNames, shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

/** Every row of the catalog with the body declared for it under its name, whether or not an operation answers it yet. */
const catalog = contract.errors
  .filter((row) => row.service === "api" && !row.extension)
  .map((row) => bodyOf(row.name, pairOf(row), document.components.schemas[row.name] ?? {}));

/** The same for each error that an operation answers. */
const answered = errorAnswersOf(contract).map(({ route, pair, schema }) => bodyOf(`${route} ${pair}`, pair, schema));

describe("a success", () => {
  test("says so and has data; the answer of a list has meta beside it, and no other answer has", () => {
    const successes = answersOf(contract).filter(({ status }) => status.startsWith("2"));
    const differences = successes.flatMap(({ route, operation, schema }) => {
      const members = ["success", "data", ...(operation.list ? ["meta"] : [])];
      return [
        ...successDifferences(schema, true),
        ...differencesOf(memberNames(document, schema), members),
        ...members.filter((name) => !demands(document, schema, name)).map((name) => `${name} may be left out`),
      ].map((difference) => `${route}: ${difference}`);
    });
    expect({ some: successes.length > 0, differences }).toEqual({ some: true, differences: [] });
  });

  test("of a list has the documented meta", () => {
    expect(differencesInSchemaWith(documentedMetaMembers)).toEqual({ schemas: 1, differences: [] });
  });
});

describe.each([
  { title: "an error of the catalog", bodies: catalog },
  { title: "an error that an operation answers", bodies: answered },
])("$title", ({ bodies }) => {
  test("has the members of the error envelope", () => {
    const differences = bodies.flatMap(({ label, body, error }) =>
      [
        ...successDifferences(body, false),
        ...(demands(document, body, "error") ? [] : ["error may be left out"]),
        ...documentedErrorMembers.flatMap((fact) => memberDifferences(document, "error", error, fact)),
        ...differencesOf(
          memberNames(document, error).filter((name) => name !== "details"),
          documentedErrorMembers.map((fact) => fact.name),
        ),
      ].map((difference) => `${label}: ${difference}`),
    );
    expect({ some: bodies.length > 0, differences }).toEqual({ some: true, differences: [] });
  });

  test("has the code of its row and no other", () => {
    const differing = bodies.filter(({ pair, error }) => {
      const codes = limitedTo(document, member(document, error, "code") ?? {});
      return codes?.length !== 1 || !pair.endsWith(` ${codes[0]}`);
    });
    expect(differing.map(({ label }) => label)).toEqual([]);
  });

  test("has details where the error table has them, and as the table has them", () => {
    const differences = bodies.flatMap(({ label, pair, error }) => {
      const actual = detailsIn(error);
      const fact = documentedErrorRows.find((row) => pairOf(row) === pair)?.details ?? "none";
      const expected = documentedDetails(fact);
      return actual === expected ? [] : [`${label}: details are ${actual}, not ${expected}`];
    });
    expect(differences).toEqual([]);
  });

  test("has no data unless it is the one that may", () => {
    const known = ["success", "error"];
    const differing = bodies.flatMap(({ label, pair, body }) =>
      memberNames(document, body)
        .filter((name) => !known.includes(name) && !(name === "data" && pair === errorWithData.pair))
        .map((name) => `${label}: ${name}`),
    );
    expect(differing).toEqual([]);
  });
});

describe("an order of phone numbers that can't be met", () => {
  test("is told the documented data", () => {
    expect(differencesInSchemaWith(documentedInventoryMembers)).toEqual({ schemas: 1, differences: [] });
  });

  test("is the one route whose error has it", () => {
    const withData = errorAnswersOf(contract).filter(({ schema }) => memberNames(document, schema).includes("data"));
    const orders = answersOf(contract)
      .map(({ route }) => route)
      .includes(errorWithData.route);
    expect([...new Set(withData.map(({ route }) => route))]).toEqual(orders ? [errorWithData.route] : []);
  });

  test("gets that data as part of its error, always", () => {
    const names = documentedInventoryMembers.map((fact) => fact.name);
    const found = catalog.filter(
      ({ pair, body }) => pair === errorWithData.pair && member(document, body, "data") !== null,
    );
    const differences = found.map(({ body }) => [
      ...differencesOf(memberNames(document, member(document, body, "data") ?? {}), names),
      ...(demands(document, body, "data") ? [] : ["data may be left out"]),
    ]);
    expect(differences).toEqual([[]]);
  });

  test("learns of numbers in E.164", () => {
    const [inventory] = schemasWith(documentedInventoryMembers.map((fact) => fact.name));
    const items = asSchema(member(document, inventory ?? {}, "unavailable")?.items) ?? {};
    const { allowed, ruledOut } = documentedPhoneNumberForm;
    expect([...allowed, ...ruledOut].filter((text) => admits(document, items, text))).toEqual(allowed);
  });
});

test.each(documentedDetailsForms)("details have $key in the documented form", ({ key, shape, allowed, ruledOut }) => {
  const found = catalog
    .map(({ error }) => member(document, member(document, error, "details") ?? {}, key))
    .filter((schema) => schema !== null);
  const compared = found.map((schema) => ({
    shape: shapeOf(document, schema),
    admitted: [...allowed, ...ruledOut].filter((text) => admits(document, schema, text)),
  }));
  expect(compared).toEqual([{ shape, admitted: allowed }]);
});

interface ErrorBody {
  readonly label: string;
  readonly pair: string;
  readonly body: JsonSchema;
  readonly error: JsonSchema;
}

function bodyOf(label: string, pair: string, body: JsonSchema): ErrorBody {
  return { label, pair, body, error: member(document, body, "error") ?? {} };
}

function successDifferences(schema: JsonSchema, value: boolean): readonly string[] {
  const flag = member(document, schema, "success");
  const values = flag === null ? null : limitedTo(document, flag);
  const typed = flag !== null && shapeOf(document, flag) === "boolean";
  const said = typed && values?.length === 1 && values[0] === value && demands(document, schema, "success");
  return said ? [] : [`success is not always ${value}`];
}

/** What `details` holds, in words: nothing, a map of strings, or keys that are strings and always there. */
function detailsIn(error: JsonSchema): string {
  const details = member(document, error, "details");
  if (details === null) return "absent";
  const always = demands(document, error, "details") ? "" : "perhaps ";
  const keys = memberNames(document, details).toSorted();
  if (keys.length === 0) return `${always}${shapeOf(document, details)}`;
  const fixed = keys.every((key) => {
    const shape = shapeOf(document, member(document, details, key) ?? {});
    return /^string(, |$)/.test(shape) && demands(document, details, key);
  });
  return `${always}${fixed ? "strings" : "not always strings"} ${keys.join(", ")}`;
}

function documentedDetails(fact: (typeof documentedErrorRows)[number]["details"]): string {
  if (fact === "none") return "absent";
  return fact === "map" ? documentedDetailsShape : `strings ${fact.toSorted().join(", ")}`;
}

function schemasWith(names: readonly string[]): readonly JsonSchema[] {
  return Object.values(document.components.schemas).filter(
    (schema) => differencesOf(memberNames(document, schema), names).length === 0,
  );
}

function differencesInSchemaWith(members: typeof documentedMetaMembers) {
  const found = schemasWith(members.map((fact) => fact.name));
  const differences = found.flatMap((schema) =>
    members.flatMap((fact) => memberDifferences(document, "member", schema, fact)),
  );
  return { schemas: found.length, differences };
}
