import type { JsonSchema } from "../contract.ts";
import { canonicalJson, sameJson } from "../schema/canonical-json.ts";
import { withoutAnnotations } from "../schema/keywords.ts";
import { normalise } from "../schema/normalise.ts";
import { type Components, parseReference, referencesIn } from "../schema/resolve-reference.ts";
import type { Meant } from "./judge.ts";

/**
 * A quick answer whether two schemas admit the same: true when they are written alike, or have one canonical form;
 * false when that does not decide.
 */
export function sameSchema(base: Meant, head: Meant): boolean {
  const unchanged = unchangedComponents(base.components, head.components);
  if (canonicalJson(base.schema) === canonicalJson(head.schema) && leansOn(base.schema, unchanged)) return true;
  try {
    return sameJson(normalise(base.schema, base.components), normalise(head.schema, head.components));
  } catch {
    // A schema with keywords that no validator knows has no canonical form; inclusion says why.
    return false;
  }
}

const known = new WeakMap<Components, WeakMap<Components, ReadonlySet<string>>>();

/** Names of the components that are written alike, with all that they refer to. */
function unchangedComponents(base: Components, head: Components): ReadonlySet<string> {
  const ofBase = known.get(base) ?? new WeakMap<Components, ReadonlySet<string>>();
  known.set(base, ofBase);
  const found = ofBase.get(head) ?? findUnchanged(base, head);
  ofBase.set(head, found);
  return found;
}

function findUnchanged(base: Components, head: Components): ReadonlySet<string> {
  const alike = Object.entries(base).filter(([name, schema]) => {
    const other = Object.hasOwn(head, name) ? head[name] : undefined;
    return (
      other !== undefined && canonicalJson(withoutAnnotations(schema)) === canonicalJson(withoutAnnotations(other))
    );
  });
  const unchanged = new Map(alike);
  // What leans on a changed component is changed too, until nothing more falls.
  for (let before = -1; before !== unchanged.size; ) {
    before = unchanged.size;
    const names = new Set(unchanged.keys());
    for (const [name, schema] of unchanged) if (!leansOn(schema, names)) unchanged.delete(name);
  }
  return new Set(unchanged.keys());
}

const leansOn = (schema: JsonSchema, names: ReadonlySet<string>): boolean =>
  [...referencesIn(schema)].every((reference) => {
    try {
      return names.has(parseReference(reference).component);
    } catch {
      return false;
    }
  });
