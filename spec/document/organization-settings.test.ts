import { expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import { declaredOperation } from "./declared-operation.ts";
import { documentedOrganizationMember, documentedOrganizationOperations } from "./organization-settings.ts";
import { readContract } from "./read-contract.ts";

const contract = await readContract();
const { document } = mainService(contract);

test.each(documentedOrganizationOperations)("a request of $route has the member that is known", ({ route }) => {
  const { body } = declaredOperation(contract, route);
  const name = String(body?.schema?.$ref).split("/").at(-1) ?? "";
  const { properties, required = [] } = Object(Object(document.components?.schemas)[name]);
  expect(Object.keys(Object(properties))).toContain(documentedOrganizationMember);
  expect(properties[documentedOrganizationMember]).toMatchObject({ type: "boolean" });
  expect(required).not.toContain(documentedOrganizationMember);
});
