import { expect, test } from "vitest";
import { type Grants, newSandboxScopes } from "./sandbox-scopes.ts";

/** A sandbox that grants keys with these scopes only, and the lists that it was asked for. */
function granting(known: readonly string[]): { readonly grants: Grants; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async grants(scopes) {
      asked.push(scopes.join(" "));
      return scopes.every((scope) => known.includes(scope));
    },
  };
}

test("a sandbox that grants all scopes at once is asked once, in a whole run", async () => {
  const sandbox = granting(["a:read", "a:write"]);
  const scopes = newSandboxScopes(["a:read", "a:write"]);
  expect(await scopes(sandbox.grants)).toEqual(["a:read", "a:write"]);
  expect(await scopes(sandbox.grants)).toEqual(["a:read", "a:write"]);
  expect(sandbox.asked).toEqual(["a:read a:write"]);
});

test("a scope that the sandbox does not know is left out, and no other", async () => {
  const sandbox = granting(["a:read", "c:write"]);
  const scopes = newSandboxScopes(["a:read", "b:read", "c:write"]);
  expect(await scopes(sandbox.grants)).toEqual(["a:read", "c:write"]);
  expect(await scopes(sandbox.grants)).toEqual(["a:read", "c:write"]);
  expect(sandbox.asked).toEqual(["a:read b:read c:write", "a:read", "b:read", "c:write"]);
});

test("where no scope is granted, all are asked for, so that the refusal is told", async () => {
  expect(await newSandboxScopes(["a:read"])(granting([]).grants)).toEqual(["a:read"]);
});

test("a trial that fails by itself decides nothing", async () => {
  const sandbox = granting(["a:read"]);
  const scopes = newSandboxScopes(["a:read"]);
  await expect(scopes(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await scopes(sandbox.grants)).toEqual(["a:read"]);
});
