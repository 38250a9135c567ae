import { expect, test } from "vitest";
import { documentedScopes } from "../../generated/scopes.ts";
import { grantable, readScope, surelyGrantable, unknownScope, writeScope } from "./grantable.ts";

test("a key of which the kit knows nothing may grant any scope, and for sure the one that reads keys", () => {
  expect(grantable({ scopes: null })).toEqual(documentedScopes);
  expect(surelyGrantable({ scopes: null })).toEqual([readScope]);
});

test("a key may grant for sure what it holds of the document", () => {
  expect(surelyGrantable({ scopes: [writeScope, unknownScope] })).toEqual([writeScope]);
  expect(surelyGrantable({ scopes: [unknownScope] })).toEqual([readScope]);
});
