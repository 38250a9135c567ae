import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import { declaredOperation } from "./declared-operation.ts";
import { fieldDifferences } from "./field-differences.ts";
import { documentedMessageFields, documentedSendMembers } from "./messages.ts";
import { readContract } from "./read-contract.ts";
import { memberNames } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

describe.each(["POST /v1/messages", "GET /v1/messages/{id}"])("the answer to %s", (route) => {
  const { operation, body, data } = declaredOperation(contract, route);

  test("has what is known of a message", () => {
    expect(fieldDifferences(document, "data", data, documentedMessageFields)).toEqual([]);
  });

  test("is declared as open", () => {
    const subjects = [operation.id, ...[body?.schema, data].map((schema) => String(schema?.$ref).split("/").at(-1))];
    const asked = contract.questions.filter(({ kind, about }) => kind === "shape" && subjects.includes(about));
    expect(asked.length).toBeGreaterThan(0);
  });
});

test("a send takes the members that are known by name", () => {
  const { body } = declaredOperation(contract, "POST /v1/messages");
  expect(memberNames(document, body?.schema ?? {})).toEqual([...documentedSendMembers]);
});

test("what is told of repeated cancellations and deferred sends is in the states, with its status", () => {
  const moves = contract.entities.flatMap(({ transitions }) => transitions);
  const told = moves.map(({ trigger, from, to, answers }) => [trigger, from, to, answers]);
  expect(told).toContainEqual(["DELETE /v1/messages/{id}", "canceled", "canceled", "200"]);
  expect(told).toContainEqual(["POST /v1/messages", "none", "scheduled", "202"]);
});
