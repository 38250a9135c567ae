import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";

/** The scopes that exist. */
export function printScopes(contract: Contract): string {
  const list = (scopes: Contract["scopes"]): string => scopes.map((s) => `  "${s.value}",\n`).join("");
  return `${banner}/** Scopes that the API document names. */
export const documentedScopes = [
${list(contract.scopes.filter((s) => s.question === null))}] as const;

/** Scopes that the document leaves open and the reference chooses. */
export const referenceScopes = [
${list(contract.scopes.filter((s) => s.question !== null))}] as const;

/** Every scope that the reference server knows. */
export const scopes = [...documentedScopes, ...referenceScopes] as const;

export type Scope = (typeof scopes)[number];

/** The same, by the names that the contract gives them. */
export const scopeNamed = {
${contract.scopes.map(({ name, value }) => `  ${name}: "${value}",\n`).join("")}} as const satisfies Readonly<Record<string, Scope>>;
`;
}
