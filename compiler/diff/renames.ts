import type { Bucket, Contract, ErrorRow } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import type { Renames } from "./diff-operation-facts.ts";
import { pairs } from "./pairs.ts";

/** New names, by the old ones, of limits and errors that are what they were but for their name. */
export function renamesBetween(base: Contract, head: Contract): Renames {
  const users = (contract: Contract, bucket: Bucket): readonly string[] =>
    contract.operations
      .filter((operation) => operation.draws.some((draw) => draw.bucket === bucket.name))
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
  return {
    buckets: renamed(
      base.buckets,
      head.buckets,
      (bucket, contract) => canonicalJson([factsOf(bucket), users(contract, bucket)]),
      base,
      head,
    ),
    errors: renamed(base.errors, head.errors, (row) => canonicalJson(rowFacts(row)), base, head),
  };
}

function renamed<T extends { readonly name: string }>(
  base: readonly T[],
  head: readonly T[],
  identity: (item: T, contract: Contract) => string,
  baseContract: Contract,
  headContract: Contract,
): ReadonlyMap<string, string> {
  const { removed, added } = pairs(base, head, ({ name }) => name);
  const found = removed.flatMap((old): readonly (readonly [string, string])[] => {
    const now = added.filter((item) => identity(item, headContract) === identity(old, baseContract));
    const [only] = now;
    return only !== undefined && now.length === 1 ? [[old.name, only.name]] : [];
  });
  return new Map(found);
}

const factsOf = (bucket: Bucket) => [
  bucket.kind === "ladder"
    ? bucket.tiers.map(({ tier, fromCents, capacity }) => [tier, fromCents, capacity])
    : bucket.capacity,
  ...[bucket.periodSeconds, bucket.unit, bucket.adjustable, bucket.question],
];

const rowFacts = ({ service, code, status, details, headers }: ErrorRow) => [
  service,
  code,
  typeof status === "number" ? status : [status.from, status.to, status.except],
  details.kind === "keys" ? details.keys : details.kind,
  headers,
];
