import type { JsonSchema } from "../contract.ts";
import { sameJson } from "../schema/canonical-json.ts";
import { normalise } from "../schema/normalise.ts";
import { type Components, parseReference, referencesIn } from "../schema/resolve-reference.ts";
import { unfoldsBeyond } from "../schema/unfolds-beyond.ts";
import type { Meant } from "./meant.ts";

/** Whether two schemas are written alike, with all that they refer to, annotations included. */
export function isWrittenAlike(base: Meant, head: Meant): boolean {
  const unchanged = unchangedComponents(base.components, head.components);
  return sameJson(base.schema, head.schema) && leansOnly(base.schema, unchanged);
}

/** Parts of a schema at most whose canonical form is made. */
const mostParts = 5_000;

/**
 * Whether two schemas admit the same, as far as a look tells: true when they have one canonical form; false when that
 * does not decide. Components that contain themselves stay references there, and count only when they are unchanged.
 */
export function haveOneForm(base: Meant, head: Meant): boolean {
  if ([base, head].some(({ schema, components }) => unfoldsBeyond(schema, components, mostParts))) return false;
  try {
    const form = normalise(base.schema, base.components);
    const unchanged = unchangedComponents(base.components, head.components);
    return leansOnly(form, unchanged) && sameJson(form, normalise(head.schema, head.components));
  } catch {
    // A schema with keywords that no validator knows has no canonical form; inclusion says why.
    return false;
  }
}

const known = new WeakMap<Components, WeakMap<Components, ReadonlySet<string>>>();

/** Names of the components that are written alike, with all that they refer to. */
export function unchangedComponents(base: Components, head: Components): ReadonlySet<string> {
  const ofBase = known.get(base) ?? new WeakMap<Components, ReadonlySet<string>>();
  known.set(base, ofBase);
  const found = ofBase.get(head) ?? findUnchanged(base, head);
  ofBase.set(head, found);
  return found;
}

function findUnchanged(base: Components, head: Components): ReadonlySet<string> {
  const unchanged = new Set(Object.keys(base));
  const changed: string[] = [];
  const users = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(base)) {
    const other = Object.hasOwn(head, name) ? head[name] : undefined;
    if (other === undefined || !sameJson(schema, other)) changed.push(name);
    for (const used of namesIn(schema)) {
      const known = users.get(used);
      if (known === undefined) users.set(used, [name]);
      else known.push(name);
      if (!Object.hasOwn(base, used)) changed.push(used);
    }
  }
  // What leans on a changed component is changed too.
  for (let name = changed.pop(); name !== undefined; name = changed.pop()) {
    unchanged.delete(name);
    changed.push(...(users.get(name) ?? []));
    users.delete(name);
  }
  return unchanged;
}

export const leansOnly = (schema: JsonSchema, names: ReadonlySet<string>): boolean =>
  namesIn(schema).every((name) => names.has(name));

/** The components that a schema refers to; a reference that is none stands for itself, and is never known. */
const namesIn = (schema: JsonSchema): readonly string[] =>
  [...referencesIn(schema)].map((reference) => {
    try {
      return parseReference(reference).component;
    } catch {
      return reference;
    }
  });
