import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import {
  documentedBrandFields,
  documentedBrandOperations,
  documentedCampaignFields,
  documentedCampaignOperations,
} from "./brands.ts";
import { declaredOperation } from "./declared-operation.ts";
import { fieldDifferences } from "./field-differences.ts";
import { readContract } from "./read-contract.ts";

const contract = await readContract();
const { document } = mainService(contract);

const shown = [
  ...documentedBrandOperations.map(({ route }) => ({ route, fields: documentedBrandFields })),
  ...documentedCampaignOperations.map(({ route }) => ({ route, fields: documentedCampaignFields })),
];

describe.each(shown)("the answer to $route", ({ route, fields }) => {
  const { operation, body, data } = declaredOperation(contract, route);

  test("has what is known of its record", () => {
    expect(fieldDifferences(document, "data", data, fields)).toEqual([]);
  });

  test("is declared as open", () => {
    const subjects = [operation.id, ...[body?.schema, data].map((schema) => String(schema?.$ref).split("/").at(-1))];
    const asked = contract.questions.filter(({ kind, about }) => kind === "shape" && subjects.includes(about));
    expect(asked.length).toBeGreaterThan(0);
  });
});
