import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import { operationList } from "../../generated/operations.ts";

const root = resolve(import.meta.dirname, "../..");

/** Folders whose code serves every operation. */
const general = [
  "compiler",
  "reference-server/http",
  "reference-server/domain/{idempotency,limits,work}",
  "reference-server/store/engine",
  "conformance/{configuration,context,exchange,liveness,monitor,outcome,preflight,provision,runner,sending,target}",
];

/** What has to call an operation by its name all the same, and why. */
const named: Readonly<Record<string, string>> = {
  "conformance/context/create-key.ts": "the kit calls as holders of keys, which it makes",
  "conformance/provision/given-tenant.ts": "the kit calls as holders of keys, which it makes",
  "conformance/runner/run.ts": "keys that were made are removed at the end",
  "conformance/runner/waits.ts": "making keys draws on a limit",
  "conformance/context/made-things.ts": "what is made is removed by another operation, and no fact says which",
  "conformance/context/operation-calls.ts": "a read that changes nothing tells whether a key is known",
  "conformance/preflight/preflight.ts": "a read that changes nothing tells whether a key is known",
  "conformance/exchange/secret-name.ts": "secrets of several kinds are told apart in reports",
  "conformance/monitor/key-invariants.ts": "these rules are about keys",
  "conformance/monitor/invariants.ts": "one of these rules is about keys",
};

const ids = operationList.filter(({ service }) => service === "api").map(({ id }) => id);
const use = new RegExp(`\\boperations\\.(${ids.join("|")})\\b|["'\`](${ids.join("|")})["'\`]`);

const usesIn = (text: string): readonly number[] =>
  text.split("\n").flatMap((line, at) => (use.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line) ? [at + 1] : []));

const files = general
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".test.ts") && !file.includes("/fixtures/"));

it("general code names no operation: what it needs to know is a fact of the contract", () => {
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => usesIn(readFileSync(join(root, file), "utf8")).map((line) => ({ file, line })));
  const unexplained = found.filter(({ file }) => !Object.hasOwn(named, file));
  expect(
    unexplained.map(({ file, line }) => `${file}:${line}`),
    "say it in spec/ and take it from generated/, or move it to its resource's file",
  ).toEqual([]);
  const needless = Object.keys(named).filter((file) => !found.some((one) => one.file === file));
  expect(needless, "these name none any more: take them off the list").toEqual([]);
});

it("a name of an operation is found as a literal and as a member, and not in a comment", () => {
  const [id = ""] = ids;
  expect(usesIn(`if (operation.id === "${id}") return;\nconst draws = operations.${id}.draws;`)).toEqual([1, 2]);
  expect(usesIn(`/** \`POST /v1/api-keys (${id})\`. */\n// "${id}"\nconst other = "${id}s";`)).toEqual([]);
});

const aRow = `["'\`](${Object.keys(errorRows).join("|")})["'\`]`;
const asksForRow = new RegExp(`\\berrors\\b.*${aRow}|: ErrorRowName = ${aRow}`);

/** Lines that tell operations apart by a row that they declare. */
const rowsAskedFor = (text: string): readonly number[] =>
  text.split("\n").flatMap((line, at) => (asksForRow.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line) ? [at + 1] : []));

it("general code asks no operation for an error row by its name: what the row means for it is a fact of the contract", () => {
  const found = files.flatMap((file) =>
    rowsAskedFor(readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}`),
  );
  expect(found, "say in spec/ what it means for an operation, such as `shortOf` of a row or @openList").toEqual([]);
});

it("a row that an operation is asked for is found by its name, and not in a comment nor where it refuses", () => {
  const [row = ""] = Object.keys(errorRows);
  expect(rowsAskedFor(`if (operation.errors.includes("${row}")) return;`)).toEqual([1]);
  expect(rowsAskedFor(`const asked: ErrorRowName = "${row}";`)).toEqual([1]);
  expect(rowsAskedFor(`// errors.includes("${row}")\nreturn refuse.${row}("No.");\nrowNamed("${row}")`)).toEqual([]);
});
