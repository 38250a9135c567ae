import type { Choices } from "../../generated/choices.ts";
import type { Violation } from "./validation.ts";

export type FieldNaming = Pick<Choices, "detailsKeys" | "badFields">;

/** A field, by JSON Pointer, and what is wanted of it. */
export type FieldFault = Pick<Violation, "pointer" | "says">;

/** Fields that one answer names at most. */
const fieldLimit = 50;

/** What a fault of the body as a whole goes by. */
const wholeBody = "body";

/** Field to what is wrong with it. */
export function fieldDetails(violations: readonly FieldFault[], naming: FieldNaming): Readonly<Record<string, string>> {
  const fields = new Map<string, Set<string>>();
  for (const { pointer, says } of naming.badFields === "first" ? violations.slice(0, 1) : violations) {
    const field = naming.detailsKeys === "name" ? dottedName(pointer) || wholeBody : pointer || `/${wholeBody}`;
    const known = fields.get(field);
    if (known) known.add(says);
    else if (fields.size < fieldLimit) fields.set(field, new Set([says]));
  }
  return Object.fromEntries([...fields].map(([field, says]) => [field, [...says].join("; ")]));
}

function dottedName(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}
