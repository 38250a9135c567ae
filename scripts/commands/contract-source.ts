import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Contract, contractFormat } from "../../compiler/contract.ts";
import { readTypeSpec } from "../../compiler/read-typespec.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { CannotRun } from "./cannot-run.ts";
import { onFiles } from "./on-files.ts";
import { problemsText } from "./problem-text.ts";
import { type Project, shownPath } from "./project.ts";

/** What commands that only read look at; places in it name their file, but not always a line. */
export type ReadContract = Pick<
  Contract,
  "rules" | "questions" | "errors" | "scopes" | "operations" | "buckets" | "reservedCodes"
>;

/** The contract as it was last compiled; when it was not, as the spec has it now, which is said on standard error. */
export async function readContract(project: Project): Promise<ReadContract> {
  const path = join(project.outDir, "contract.json");
  const text = await onFiles(() =>
    readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    }),
  );
  if (text !== null) return parsed(text, shownPath(path));
  process.stderr.write(`There is no ${shownPath(path)}; reading ${shownPath(project.entry)} instead.\n`);
  const { contract, problems } = await onFiles(() => readTypeSpec(project.entry, project.root));
  if (contract !== null) return contract;
  throw new CannotRun(`The spec cannot be read.\n\n${problemsText(problems, project.root, paintWith(false))}`);
}

function parsed(text: string, path: string): ReadContract {
  const unusable = new CannotRun(
    `${path} is no contract of this version.\n  Run "npx bylaw compile" to write it again.`,
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable;
  }
  if (!isContract(value)) throw unusable;
  return value;
}

const parts = ["rules", "questions", "errors", "scopes", "operations", "buckets", "reservedCodes"] as const;

/** The compiler wrote the file: its format number and its parts tell whether it is whole. */
function isContract(value: unknown): value is ReadContract {
  if (typeof value !== "object" || value === null) return false;
  const members: Partial<Record<string, unknown>> = { ...value };
  return members.contractFormat === contractFormat && parts.every((part) => Array.isArray(members[part]));
}
