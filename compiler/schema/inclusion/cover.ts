import type { JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import { isAnything, schemasAt } from "../schema-node.ts";
import { complementOf } from "./complement.ts";
import { narrowed } from "./doubt.ts";
import type { Left } from "./left.ts";

/** Alternatives that are looked at together, and ways in which one of them may refuse. */
const mostTogether = 12;

/** Alternatives that may admit together what none of them admits alone. */
export interface Cover {
  /** Those that may admit some of the left side's values. */
  readonly branches: readonly JsonSchema[];
  /** What one of them refuses of the left side: all that the others have to admit. */
  readonly refused: readonly JsonSchema[];
  readonly others: JsonSchema;
  /** Whether no value may satisfy two of them. */
  readonly exclusive: boolean;
}

/** Null where the schema is no union, or its alternatives are too many or refuse in too many ways. */
export function coverOf(left: Left, union: JsonSchema, components: Components): Cover | null {
  const [keyword = "", ...more] = Object.keys(union);
  const branches = schemasAt(union, keyword);
  if (more.length > 0 || !["anyOf", "oneOf"].includes(keyword) || branches.length > mostTogether) return null;
  const [first, ...others] = branches
    .map((branch) => ({ branch, ways: complementOf(branch, left.type, components) }))
    .filter(({ ways }) => !ways.some(isAnything))
    .toSorted((one, other) => one.ways.length - other.ways.length);
  if (first === undefined || others.length === 0 || first.ways.length > mostTogether) return null;
  const rest = others.map(({ branch }) => branch);
  const [only = {}] = rest;
  return {
    branches: [first.branch, ...rest],
    refused: first.ways.map((way) => narrowed(left, way)),
    others: rest.length === 1 ? only : { anyOf: rest },
    exclusive: keyword === "oneOf",
  };
}
