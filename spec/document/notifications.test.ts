import { expect, test } from "vitest";
import { documentedImmutableKey } from "./notifications.ts";
import { readContract } from "./read-contract.ts";

const contract = await readContract();

test("the notification that cannot be set is the document's", () => {
  expect(contract.constants.find(({ name }) => name === "immutableNotification")?.value).toBe(documentedImmutableKey);
});
