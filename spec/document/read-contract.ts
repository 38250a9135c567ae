import { fileURLToPath } from "node:url";
import type { Contract } from "../../compiler/contract.ts";
import { readTypeSpec } from "../../compiler/read-typespec.ts";

let contract: Promise<Contract> | null = null;

/** The contract that the spec beside this folder declares; read once, for all files that one process tests. */
export function readContract(): Promise<Contract> {
  contract ??= read();
  return contract;
}

async function read(): Promise<Contract> {
  const entry = fileURLToPath(new URL("../main.tsp", import.meta.url));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { contract, problems } = await readTypeSpec(entry, root);
  if (contract === null) throw new Error(problems.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return contract;
}
