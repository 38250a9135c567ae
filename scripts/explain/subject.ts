import type { Bucket, ErrorRow, OpenQuestion, Operation, Rule, Scope } from "../../compiler/contract.ts";
import type { ReadContract } from "../commands/contract-source.ts";
import type { DecidingCheck } from "../commands/deciding-checks.ts";

type Checks = readonly DecidingCheck[];

/** What can be explained. */
export type Subject =
  | { readonly kind: "rule"; readonly rule: Rule }
  /** Independent aspects of one question share its id. */
  | { readonly kind: "question"; readonly questions: readonly OpenQuestion[] }
  /** Several rows may share a code. */
  | { readonly kind: "error"; readonly rows: readonly ErrorRow[] }
  | { readonly kind: "reserved-code"; readonly code: string }
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "bucket"; readonly bucket: Bucket }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "check"; readonly check: DecidingCheck };

/** What a name means: as it is written, else whatever its upper and lower case; null when it means nothing. */
export function subjectOf(name: string, contract: ReadContract, checks: Checks): Subject | null {
  const exact = named((known) => known === name, contract, checks);
  if (exact !== null) return exact;
  const wanted = name.toLowerCase();
  return named((known) => known.toLowerCase() === wanted, contract, checks);
}

function named(is: (known: string) => boolean, contract: ReadContract, checks: Checks): Subject | null {
  const rule = contract.rules.find(({ id }) => is(id));
  if (rule) return { kind: "rule", rule };
  const questions = contract.questions.filter(({ id, option }) => is(id) || (option !== null && is(option.name)));
  if (questions.length > 0) return { kind: "question", questions };
  const operation = contract.operations.find(({ id }) => is(id));
  if (operation) return { kind: "operation", operation };
  const rows = contract.errors.filter((row) => is(row.name));
  if (rows.length > 0) return { kind: "error", rows };
  const coded = contract.errors.filter((row) => is(row.code));
  if (coded.length > 0) return { kind: "error", rows: coded };
  const scope = contract.scopes.find((s) => is(s.value) || is(s.name));
  if (scope) return { kind: "scope", scope };
  const bucket = contract.buckets.find((b) => is(b.name));
  if (bucket) return { kind: "bucket", bucket };
  const check = checks.find(({ id }) => is(id));
  if (check) return { kind: "check", check };
  const code = contract.reservedCodes.find(is);
  return code === undefined ? null : { kind: "reserved-code", code };
}

/** Every name that can be explained. */
export function namesIn(contract: ReadContract, checks: Checks): ReadonlySet<string> {
  return new Set([
    ...contract.rules.map(({ id }) => id),
    ...contract.questions.flatMap(({ id, option }) => (option === null ? [id] : [id, option.name])),
    ...contract.operations.map(({ id }) => id),
    ...contract.errors.flatMap(({ name, code }) => [name, code]),
    ...contract.scopes.flatMap(({ name, value }) => [value, name]),
    ...contract.buckets.map(({ name }) => name),
    ...contract.reservedCodes,
    ...checks.map(({ id }) => id),
  ]);
}
