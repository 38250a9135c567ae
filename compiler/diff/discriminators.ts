import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { isObject, schemasAt, stringAt } from "../schema/schema-node.ts";
import type { ChangeId } from "./change-table.ts";

/** What became of a discriminator, and who breaks; the latter ends a sentence. */
export interface DiscriminatorChange {
  readonly id: Extract<ChangeId, `discriminator-${string}`>;
  readonly why: string;
}

const takesOneForAnother = "who tells alternatives apart by such values takes one for another, or knows it no longer";

/**
 * Returns how the discriminators of the schemas about one place differ, or null if alternatives that both sides have keep
 * their values. A value that comes or goes with its alternative is a part of that edit.
 */
export function discriminatorChange(
  { schemas: base, isTagged }: { readonly schemas: readonly JsonSchema[]; readonly isTagged: () => boolean },
  head: readonly JsonSchema[],
  direction: "request" | "response",
): DiscriminatorChange | null {
  const [own, others] = [base, head].map((schemas) => new Set(schemas.flatMap(branchesOf)));
  const before = base.flatMap(discriminatorsIn).map((one) => withoutAlone(one, own, others));
  const after = head.flatMap(discriminatorsIn).map((one) => withoutAlone(one, others, own));
  if (meaningOf(before) === meaningOf(after)) return null;
  if (before.length === 0) {
    return { id: "discriminator-added", why: "who tells alternatives apart without it still does" };
  }
  if (after.length === 0 && direction === "response" && isTagged()) {
    return { id: "discriminator-value-removed", why: takesOneForAnother };
  }
  const known = new Set(after.flatMap(({ mapping }) => [...mapping.keys()]));
  const targets = new Set([...after.flatMap(({ mapping }) => [...mapping.values()]), ...head.flatMap(branchesOf)]);
  const isRenamed = before.some(({ mapping }) =>
    [...mapping].some(([value, target]) => !known.has(value) && targets.has(target)),
  );
  if (isRenamed && after.length > 0) {
    return {
      id: "discriminator-value-removed",
      why: takesOneForAnother,
    };
  }
  return { id: "discriminator-changed", why: "generated code that picks the type by it may pick another" };
}

interface Discriminator {
  readonly propertyName: Json;
  /** Names of the components that values stand for. */
  readonly mapping: ReadonlyMap<string, string>;
}

function discriminatorsIn({ discriminator }: JsonSchema): readonly Discriminator[] {
  if (!isObject(discriminator)) return [];
  const { propertyName = null, mapping } = discriminator;
  const entries = isObject(mapping) ? Object.entries(mapping) : [];
  return [{ propertyName, mapping: new Map(entries.map(([value, target]) => [value, nameOf(String(target))])) }];
}

/** The discriminator without values of alternatives that the other side does not have. */
const withoutAlone = (
  { propertyName, mapping }: Discriminator,
  own: ReadonlySet<string> | undefined,
  others: ReadonlySet<string> | undefined,
): Discriminator => ({
  propertyName,
  mapping: new Map(
    [...mapping].filter(
      ([, target]) => own?.has(target) !== true || others?.size === 0 || others?.has(target) === true,
    ),
  ),
});

const branchesOf = (schema: JsonSchema): readonly string[] =>
  ["anyOf", "oneOf"].flatMap((keyword) =>
    schemasAt(schema, keyword).flatMap((branch) => {
      const reference = stringAt(branch, "$ref");
      return reference === undefined ? [] : [nameOf(reference)];
    }),
  );

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** Names of components are no part of the meaning, nor is a value that the name says by itself. */
const meaningOf = (discriminators: readonly Discriminator[]): string =>
  [
    ...new Set(
      discriminators.map(({ propertyName, mapping }) => canonicalJson([propertyName, ...statedValues(mapping).sort()])),
    ),
  ]
    .sort()
    .join(" ");

/** Values that differ from the name of their component, which is the value if none is mapped; or that stand next to others. */
const statedValues = (mapping: ReadonlyMap<string, string>): string[] => {
  const targets = [...mapping.values()];
  return [...mapping]
    .filter(([value, target]) => value !== target || targets.filter((one) => one === target).length > 1)
    .map(([value]) => value);
};
