import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Contract } from "../../compiler/contract.ts";

const root = resolve(import.meta.dirname, "../..");
const contract = JSON.parse(readFileSync(join(root, "generated/contract.json"), "utf8")) as Contract;

/** String values that only the contract may spell: error codes, scopes and event types. */
const facts = new Set<string>([
  ...contract.errors.map((row) => row.code),
  ...contract.reservedCodes,
  ...contract.scopes.map((scope) => scope.value),
  ...contract.eventTypes,
]);

/** Facts of the contract that a source text spells again, with their lines. */
function repeatedFacts(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "");
    const literals = [...code.matchAll(/"([^"\\\n]+)"|'([^'\\\n]+)'|`([^`\\\n$]+)`/g)].map(
      (m) => m[1] ?? m[2] ?? m[3] ?? "",
    );
    return literals.filter((literal) => facts.has(literal)).map((literal) => `${index + 1}: ${literal}`);
  });
}

/** Routes as far as they have no parameter: `/v1/api-keys`. */
const routes = [...new Set(contract.operations.map(({ path }) => path.replace(/\/?\{.*$/, "")))];

/** Routes of the contract that a source text spells at the start of a literal, with their lines. */
function repeatedRoutes(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "");
    const literals = [...code.matchAll(/["'`](\/[^"'`\s]*)/g)].map((m) => m[1] ?? "");
    const spelt = routes.filter((route) => literals.some((literal) => /^(\/|\?|$)/.test(restAfter(literal, route))));
    return spelt.map((route) => `${index + 1}: ${route}`);
  });
}

/** What follows a route in a literal; some other text where the literal is another path. */
const restAfter = (literal: string, route: string): string =>
  literal.startsWith(route) ? literal.slice(route.length) : "another";

/** `messages:write` is an unknown scope by the document, so it is no scope of the contract and may be typed. */
const folders = ["compiler", "reference-server", "conformance", "scripts"];

describe("a fact of the contract lives once", () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => join(folder, file)),
  );

  it("no source outside spec/ spells an error code, a scope or an event type", () => {
    const repeated = files.flatMap((file) =>
      repeatedFacts(readFileSync(join(root, file), "utf8")).map((fact) => `${file}:${fact}`),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(repeated).toEqual([]);
  });

  it("neither the server nor the kit spells a route", () => {
    const own = files.filter((file) => /^(reference-server|conformance)\//.test(file));
    const repeated = own.flatMap((file) =>
      repeatedRoutes(readFileSync(join(root, file), "utf8")).map((route) => `${file}:${route}`),
    );
    expect(own.length).toBeGreaterThan(50);
    expect(repeated).toEqual([]);
  });

  it("a planted route is found, whatever follows it; another path and a comment are not", () => {
    const [route] = routes;
    expect(repeatedRoutes(`get("${route}");`)).toEqual([`1: ${route}`]);
    expect(repeatedRoutes(`get(\`${route}/\${id}\`);`)).toEqual([`1: ${route}`]);
    expect(repeatedRoutes(`get("${route}?limit=1");`)).toEqual([`1: ${route}`]);
    expect(repeatedRoutes(`get("${route}x");`)).toEqual([]);
    expect(repeatedRoutes(`  // get("${route}")`)).toEqual([]);
  });

  it("a planted fact is found, a comment is not", () => {
    const [scope] = contract.scopes;
    expect(repeatedFacts(`const scope = "${scope?.value}";`)).toEqual([`1: ${scope?.value}`]);
    expect(repeatedFacts(`  // such as "${scope?.value}"`)).toEqual([]);
  });
});
