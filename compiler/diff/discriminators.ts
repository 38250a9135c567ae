import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { isObject, schemasAt, stringAt } from "../schema/schema-node.ts";
import type { ChangeId } from "./change-table.ts";

/** What became of a discriminator, and who breaks; the latter ends a sentence. */
export interface DiscriminatorChange {
  readonly id: Extract<ChangeId, `discriminator-${string}`>;
  readonly why: string;
}

/** How the discriminators of the schemas about one place differ; null where they tell alternatives apart alike. */
export function discriminatorChange(
  base: readonly JsonSchema[],
  head: readonly JsonSchema[],
): DiscriminatorChange | null {
  const [before, after] = [base.flatMap(discriminatorsIn), head.flatMap(discriminatorsIn)];
  if (meaningOf(before) === meaningOf(after)) return null;
  if (before.length === 0) {
    return { id: "discriminator-added", why: "who tells alternatives apart without it still does" };
  }
  const known = new Set(after.flatMap(({ mapping }) => [...mapping.keys()]));
  const targets = new Set([...after.flatMap(({ mapping }) => [...mapping.values()]), ...head.flatMap(branchesOf)]);
  const isRenamed = before.some(({ mapping }) =>
    [...mapping].some(([value, target]) => !known.has(value) && targets.has(target)),
  );
  if (isRenamed && after.length > 0) {
    return {
      id: "discriminator-value-removed",
      why: "who tells alternatives apart by such values takes one for another, or knows it no longer",
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

const branchesOf = (schema: JsonSchema): readonly string[] =>
  ["anyOf", "oneOf"].flatMap((keyword) =>
    schemasAt(schema, keyword).flatMap((branch) => {
      const reference = stringAt(branch, "$ref");
      return reference === undefined ? [] : [nameOf(reference)];
    }),
  );

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** Names of components are no part of the meaning. */
const meaningOf = (discriminators: readonly Discriminator[]): string =>
  [
    ...new Set(
      discriminators.map(({ propertyName, mapping }) => canonicalJson([propertyName, ...[...mapping.keys()].sort()])),
    ),
  ]
    .sort()
    .join(" ");
