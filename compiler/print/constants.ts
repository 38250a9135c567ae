import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { docComment, propertyKey } from "./literal.ts";

/** Texts of the contract by name, and where the paths of each service begin. */
export function printConstants(contract: Contract): string {
  const texts = contract.constants
    .map(({ name, value, summary }) => `${docComment(summary, "  ")}  ${name}: ${JSON.stringify(value)},\n`)
    .join("");
  const paths = contract.services.map((s) => `  ${propertyKey(s.name)}: ${JSON.stringify(s.basePath)},\n`).join("");
  return `${banner}/** Texts that clients and servers spell alike, by name. */
export const constants = {
${texts}} as const;

/** Where all paths of a service begin, by service. */
export const basePaths = {
${paths}} as const;
`;
}
