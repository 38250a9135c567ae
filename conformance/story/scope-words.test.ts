import { expect, it } from "vitest";
import { documentedScopes, scopes } from "../../generated/scopes.ts";
import { mostScopesText } from "./scope-words.ts";

it("tells many scopes by the few that are not among them", () => {
  const [first, second] = documentedScopes;
  expect(mostScopesText(documentedScopes.filter((scope) => scope !== first))).toBe(
    `every documented scope but ${first}`,
  );
  expect(mostScopesText(scopes.filter((scope) => scope !== second))).toBe(`every scope but ${second}`);
  expect(mostScopesText([...scopes])).toBe("every scope");
  expect(mostScopesText([first, second])).toBeNull();
  expect(mostScopesText([...documentedScopes, "made-up:scope"])).toBeNull();
});
