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

/** Lines of a text without those that are comments, with their numbers. */
const codeIn = (text: string): readonly (readonly [number: number, code: string])[] =>
  text.split("\n").map((line, index) => [index + 1, line.replace(/^\s*(\/\/|\*|\/\*).*$/, "")]);

/** Whether a named text is an ordinary word, such as `FIXED` or `assigned`: names and sentences may hold it, so only a literal counts. */
const isWord = (value: string): boolean => /^([A-Z_-]+|[a-z]+)$/.test(value);

/** Named texts of the contract, such as headers and prefixes, that a source spells again, whatever stands around them. */
function repeatedConstants(text: string): string[] {
  return codeIn(text).flatMap(([number, code]) =>
    contract.constants
      .filter(({ value }) =>
        isWord(value)
          ? code.includes(`"${value}"`) || code.includes(`'${value}'`)
          : code.toLowerCase().includes(value.toLowerCase()),
      )
      .map(({ name }) => `${number}: constant ${name}`),
  );
}

/** Headers that carry idempotency keys, by the operations that take them. */
const keyHeaders = [
  ...new Set(
    contract.operations.flatMap(({ idempotencyHeader }) => (idempotencyHeader === null ? [] : [idempotencyHeader])),
  ),
];

/** Headers for idempotency keys that a source text spells, in whatever case, with their lines. */
const repeatedKeyHeaders = (text: string): string[] =>
  codeIn(text).flatMap(([number, code]) =>
    keyHeaders
      .filter((header) =>
        [`"${header}"`, `'${header}'`, `\`${header}\``].some((s) => code.toLowerCase().includes(s.toLowerCase())),
      )
      .map((header) => `${number}: ${header}`),
  );

/** Headers that error rows have, such as how long to wait, but for those that are an ordinary word. */
const rowHeaders = [...new Set(contract.errors.flatMap(({ headers }) => headers))].filter((name) => name.includes("-"));

/** Headers of error rows that a source text reads by a literal, with their lines; as the name of a member their type holds them. */
const repeatedRowHeaders = (text: string): string[] =>
  codeIn(text).flatMap(([number, code]) =>
    rowHeaders
      .filter((header) => new RegExp(`(["'\`])${header}\\1(?!:)`, "i").test(code))
      .map((header) => `${number}: ${header}`),
  );

/** Statuses that a source text takes for that of an error row, with their lines; a class of statuses is none of a row. */
const repeatedStatuses = (text: string): string[] =>
  codeIn(text).flatMap(([number, code]) =>
    [...code.matchAll(/\bstatus(?:Of\(\w+\))? [!=]== ([45]\d\d)\b/gi)].map(([, status]) => `${number}: ${status}`),
  );

/** Base paths of services that a source spells at the start of a literal. */
function repeatedBasePaths(text: string): string[] {
  return codeIn(text).flatMap(([number, code]) =>
    contract.services
      .filter(({ basePath }) =>
        [`"${basePath}`, `\`${basePath}`, `"${basePath.slice(0, -1)}"`].some((s) => code.includes(s)),
      )
      .map(({ basePath }) => `${number}: ${basePath}`),
  );
}

/** Numbers in the choices of a text of questions that are typed a second time as the value of their option. */
const repeatedChoices = (text: string): string[] =>
  text.split("@@question").flatMap((question) => {
    const [, choice = ""] = /choice: "([^"]*)"/.exec(question) ?? [];
    const [, first = ""] = /values: #\[\s*"([^"]*)"/.exec(question) ?? [];
    const numbers = [...choice.replaceAll(/(\d),(?=\d{3})/g, "$1").matchAll(/\d[\d-]*/g)].map(([number]) => number);
    return numbers.includes(first) ? [`${first} in "${choice}"`] : [];
  });

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

/** Sources that may compare a status with a number, and why. */
const allowedStatuses: ReadonlyMap<string, string> = new Map([
  ["conformance/preflight/preflight.ts", "asks whether anything is at an address, whoever answers there"],
]);

/** Sources that may spell where paths begin, and why. */
const allowedPaths: ReadonlyMap<string, string> = new Map([
  ["compiler/diff/planted-facts.ts", "changes this very path of the contract"],
  ["compiler/diff/planted-on-the-wire.ts", "changes a path of another API"],
]);

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

  it("no source outside spec/ spells a named text or where the paths of a service begin", () => {
    const repeated = files.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return [...repeatedConstants(text), ...(allowedPaths.has(file) ? [] : repeatedBasePaths(text))].map(
        (fact) => `${file}:${fact}`,
      );
    });
    expect(repeated).toEqual([]);
  });

  it("spec/ itself spells a named text in one place", () => {
    const specs = readdirSync(join(root, "spec"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".tsp"),
    );
    const repeated = specs.flatMap((file) =>
      // The name of a member cannot be a reference.
      repeatedConstants(readFileSync(join(root, "spec", file), "utf8").replace(/^\s*`[\w-]+`:/gm, "")).map(
        (fact) => `${file}:${fact}`,
      ),
    );
    expect(specs.length).toBeGreaterThan(20);
    expect(repeated.map((one) => one.replace(/:\d+/, "")).sort()).toEqual(
      contract.constants.map(({ name }) => `constants.tsp: constant ${name}`).sort(),
    );
  });

  it("neither the server, the kit nor a script spells the header of an idempotency key", () => {
    const own = files.filter((file) => /^(reference-server|conformance|scripts)\//.test(file));
    const repeated = own.flatMap((file) =>
      repeatedKeyHeaders(readFileSync(join(root, file), "utf8")).map((header) => `${file}:${header}`),
    );
    expect(repeated).toEqual([]);
  });

  it("a planted header of an idempotency key is found, in whatever case; a comment is not", () => {
    const [header = ""] = keyHeaders;
    expect(header).not.toBe("");
    expect(repeatedKeyHeaders(`headers["${header}"]`)).toEqual([`1: ${header}`]);
    expect(repeatedKeyHeaders(`headers["${header.toLowerCase()}"]`)).toEqual([`1: ${header}`]);
    expect(repeatedKeyHeaders(`  // such as "${header}"`)).toEqual([]);
  });

  it("neither the server, the kit nor a script spells the header of an error row", () => {
    const own = files.filter((file) => /^(reference-server|conformance|scripts)\//.test(file));
    const repeated = own.flatMap((file) =>
      repeatedRowHeaders(readFileSync(join(root, file), "utf8")).map((header) => `${file}:${header}`),
    );
    expect(rowHeaders).not.toEqual([]);
    expect(repeated, "take it from the row: errorRows.<row>.headers").toEqual([]);
  });

  it("a planted header of an error row is found, in whatever case; the name of a member and a comment are not", () => {
    const [header = ""] = rowHeaders;
    expect(repeatedRowHeaders(`headerOf(answer, "${header.toLowerCase()}")`)).toEqual([`1: ${header}`]);
    expect(repeatedRowHeaders(`headers["${header}"]`)).toEqual([`1: ${header}`]);
    expect(repeatedRowHeaders(`{ "${header}": "1" }`)).toEqual([]);
    expect(repeatedRowHeaders(`  // such as "${header}"`)).toEqual([]);
  });

  it("neither the server nor the kit compares a status with a number", () => {
    const own = files.filter((file) => /^(reference-server|conformance)\//.test(file) && !file.includes("/edits/"));
    const repeated = own
      .filter((file) => !allowedStatuses.has(file))
      .flatMap((file) => repeatedStatuses(readFileSync(join(root, file), "utf8")).map((status) => `${file}:${status}`));
    expect(repeated, "take it from the row: errorRows.<row>.referenceStatus").toEqual([]);
  });

  it("a planted status is found; one of a receiver, a class of statuses and a comment are not", () => {
    expect(repeatedStatuses("if (status === 401) return;")).toEqual(["1: 401"]);
    expect(repeatedStatuses("if (statusOf(exchange) !== 404) return;")).toEqual(["1: 404"]);
    expect(repeatedStatuses("if (status >= 500 || met === 500 || status === 202) return;")).toEqual([]);
    expect(repeatedStatuses("  // status === 401")).toEqual([]);
  });

  it("no choice of an open question spells a number that the contract carries as a value", () => {
    const specs = readdirSync(join(root, "spec")).filter((file) => file.endsWith(".questions.tsp"));
    const repeated = specs.flatMap((file) =>
      repeatedChoices(readFileSync(join(root, "spec", file), "utf8")).map((choice) => `${file}: ${choice}`),
    );
    expect(specs.length).toBeGreaterThan(5);
    expect(repeated).toEqual([]);
  });

  it("a planted number of a choice is found; one that is written from its value is not", () => {
    const values = `option: "days", values: #["30", "3"],`;
    expect(repeatedChoices(`choice: "for 30 days", ${values}`)).toEqual(['30 in "for 30 days"']);
    expect(repeatedChoices(`choice: "1,024 bytes", option: "size", values: #["1024"],`)).toHaveLength(1);
    expect(repeatedChoices(`choice: "for \${days} days", option: "days", values: #[days, "3"],`)).toEqual([]);
    expect(repeatedChoices(`choice: "for 15 seconds", ${values}`)).toEqual([]);
  });

  it("neither the server, the kit nor a script spells a route", () => {
    const own = files.filter((file) => /^(reference-server|conformance|scripts)\//.test(file));
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

  it.each(contract.constants.filter(({ value }) => isWord(value)))(
    "a planted $name is found as a literal; another word that holds it and a comment are not",
    ({ name, value }) => {
      expect(repeatedConstants(`const planted = "${value}";`)).toEqual([`1: constant ${name}`]);
      expect(repeatedConstants(`const planted = "${value}ED";`)).toEqual([]);
      expect(repeatedConstants(`  // such as "${value}"`)).toEqual([]);
    },
  );

  it.each(contract.constants.filter(({ value }) => !isWord(value)))(
    "a planted $name is found, in whatever case and text; a comment is not",
    ({ name, value }) => {
      const found = [`1: constant ${name}`];
      expect(repeatedConstants(`const planted = "${value}";`)).toEqual(found);
      expect(repeatedConstants(`const planted = headers["${value.toLowerCase()}"];`)).toEqual(found);
      expect(repeatedConstants(`const planted = \`${value}\${rest}\`;`)).toEqual(found);
      expect(repeatedConstants(`  // such as "${value}"`)).toEqual([]);
    },
  );

  it.each(contract.services)("a planted $basePath is found; another path and a comment are not", ({ basePath }) => {
    expect(repeatedBasePaths(`const planted = \`${basePath}\${rest}\`;`)).toEqual([`1: ${basePath}`]);
    expect(repeatedBasePaths(`const planted = "${basePath.slice(0, -1)}";`)).toEqual([`1: ${basePath}`]);
    expect(repeatedBasePaths(`const planted = "${basePath.slice(0, -1)}x";`)).toEqual([]);
    expect(repeatedBasePaths(`  /** Below "${basePath}". */`)).toEqual([]);
  });

  it("a planted fact is found, a comment is not", () => {
    const [scope] = contract.scopes;
    expect(repeatedFacts(`const scope = "${scope?.value}";`)).toEqual([`1: ${scope?.value}`]);
    expect(repeatedFacts(`  // such as "${scope?.value}"`)).toEqual([]);
  });
});
