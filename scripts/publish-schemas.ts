import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { resultsSchema } from "../conformance/reports/results-schema.ts";
import { targetSchema } from "../conformance/target/target-schema.ts";

/** Writes the kit's published JSON Schemas, formatted, from the values that the kit itself uses. */
const root = resolve(import.meta.dirname, "..");
const published = {
  "conformance/reports/results.schema.json": resultsSchema,
  "conformance/examples/target.schema.json": targetSchema,
};
for (const [file, schema] of Object.entries(published)) writeFileSync(resolve(root, file), JSON.stringify(schema));
execFileSync("npx", ["biome", "format", "--write", ...Object.keys(published)], { cwd: root, stdio: "inherit" });
