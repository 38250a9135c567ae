import { readFile } from "node:fs/promises";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Results } from "../../conformance/reports/results-json.ts";
import { resultsSchema } from "../../conformance/reports/results-schema.ts";
import { CannotRun } from "./cannot-run.ts";

let compiled: ValidateFunction<Results> | null = null;

/** The results of an earlier run. Throws `CannotRun` with file and pointer where it is not that. */
export async function readResults(file: string): Promise<Results> {
  const fix = "Give the results.json that bylaw verify wrote, such as report/results.json.";
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new CannotRun(`${file}: ${whyUnreadable(error)}.\n  ${fix}`);
  }
  compiled ??= new Ajv2020({ strict: true, allowUnionTypes: true }).compile<Results>(resultsSchema);
  const isResults = compiled;
  if (isResults(value)) return value;
  const [error] = isResults.errors ?? [];
  const place = error === undefined || error.instancePath === "" ? "It" : error.instancePath;
  throw new CannotRun(`${file}: ${place} ${error?.message ?? "is not as expected"}.\n  ${fix}`);
}

function whyUnreadable(error: unknown): string {
  if (error instanceof SyntaxError) return "It is no JSON";
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "ENOENT":
      return "There is no such file";
    case "EISDIR":
      return "It is a folder";
    default:
      return "The file cannot be read";
  }
}
