import type { Violation } from "./validation.ts";

/** Fields that one answer names at most. */
const fieldLimit = 50;

/** Field name to what is wrong with it. Nested names are joined by dots; the whole value goes by `whole`. */
export function fieldDetails(violations: readonly Violation[], whole: string): Readonly<Record<string, string>> {
  const fields = new Map<string, Set<string>>();
  for (const { pointer, says } of violations) {
    const field = fieldName(pointer) || whole;
    const known = fields.get(field);
    if (known) known.add(says);
    else if (fields.size < fieldLimit) fields.set(field, new Set([says]));
  }
  return Object.fromEntries([...fields].map(([field, says]) => [field, [...says].join("; ")]));
}

function fieldName(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}
