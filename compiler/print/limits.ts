import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { docComment, literal } from "./literal.ts";

/** Buckets and bounds of the contract. */
export function printLimits(contract: Contract): string {
  const buckets = contract.buckets
    .map(
      ({ name, summary, place: _, ...bucket }) =>
        `${docComment(summary, "  ")}  ${name}: ${literal(bucket, "  ", name.length + 4)},\n`,
    )
    .join("");
  const bounds = contract.bounds
    .map((b) => `${docComment(`${b.summary} In ${b.unit}.`.trim(), "  ")}  ${b.name}: ${b.value},\n`)
    .join("");
  return `${banner}/** Limits that refill, each kept per organization, by name. */
export const buckets = {
${buckets}} as const;

export type BucketName = keyof typeof buckets;

/** Fixed bounds, by name. */
export const bounds = {
${bounds}} as const;
`;
}
