import type { JsonSchema } from "../contract.ts";
import { type Components, parseReference, resolveReference } from "../schema/resolve-reference.ts";
import { schemaAt, schemaIn, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";

/** One schema that speaks about the values at a place, as far as the way there tells. */
interface Spoken {
  /** JSON Pointer as the schemas on the way have it; `*` stands for any item or undeclared member. */
  readonly pointer: string;
  readonly schema: JsonSchema;
  /** Names that rules may be about: components entered here, and `Component.member`. */
  readonly names: readonly string[];
  /** The component whose text this is, where members are its own. */
  readonly owner: string | null;
}

/** A component on the way to a place of the values, with the pointer at which it was entered. */
export interface Entry {
  readonly component: string;
  readonly pointer: string;
}

/** What speaks on the way to a place: of each step, the value itself first, all schemas, and the components entered. */
interface Level {
  /** Those that stand there; the others are applied by them. */
  readonly written: readonly Spoken[];
  readonly spoken: readonly Spoken[];
  readonly entries: readonly Entry[];
}

/** One step on the ways from a schema, and the steps that were taken from there. */
interface Step {
  readonly level: Level;
  readonly next: Map<string, Step>;
}

/** Schemas of one side from which the ways are kept: those that were asked for last, since one has many places. */
const mostKept = 4;

const kept = new WeakMap<Components, Map<JsonSchema, Step>>();

function firstStep(schema: JsonSchema, components: Components): Step {
  const steps = kept.get(components) ?? new Map<JsonSchema, Step>();
  kept.set(components, steps);
  const known = steps.get(schema);
  if (known !== undefined) return known;
  const made = stepOf([{ pointer: "", schema, names: [], owner: null }], components);
  const [oldest] = steps.size < mostKept ? [] : steps.keys();
  if (oldest !== undefined) steps.delete(oldest);
  steps.set(schema, made);
  return made;
}

const stepOf = (parts: readonly Spoken[], components: Components): Step => ({
  level: levelOf(parts, components),
  next: new Map(),
});

/** Each schema is looked at once for each step, however many ways of references and alternatives lead to it. */
function levelsTo(schema: JsonSchema, components: Components, place: string): readonly Level[] {
  let step = firstStep(schema, components);
  const levels = [step.level];
  for (const token of place.split("/").slice(1)) {
    const { level, next } = step;
    if (level.spoken.length === 0) return levels;
    step =
      next.get(token) ??
      stepOf(
        level.spoken.flatMap((one) => partsOf(one, token)),
        components,
      );
    next.set(token, step);
    levels.push(step.level);
  }
  return levels;
}

/** The schemas, and all that they apply to the same value in turn. */
function levelOf(parts: readonly Spoken[], components: Components): Level {
  const seen = new Map<JsonSchema, Set<string>>();
  const spoken: Spoken[] = [];
  const entries: Entry[] = [];
  const add = (one: Spoken): void => {
    const known = seen.get(one.schema) ?? new Set();
    seen.set(one.schema, known);
    const way = `${one.owner ?? ""} ${one.pointer}`;
    if (known.has(way)) return;
    known.add(way);
    spoken.push(one);
  };
  for (const part of parts) add(part);
  // A list that grows while it is walked is walked to its new end.
  for (const { pointer, schema, names, owner } of spoken) {
    const target = targetOf(stringAt(schema, "$ref"), components);
    if (target !== null) {
      entries.push({ component: target.name, pointer });
      add({ pointer, schema: target.schema, names: [...names, target.name], owner: target.name });
    }
    const applied = [
      ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => schemasAt(schema, keyword)),
      ...["if", "then", "else"].map((keyword) => schemaAt(schema, keyword)).filter((one) => one !== undefined),
      ...schemaMapAt(schema, "dependentSchemas").values(),
    ];
    for (const inner of applied) add({ pointer, schema: inner, names, owner });
  }
  return { written: parts, spoken, entries };
}

/** The schemas about the part of a value to which a token leads. */
function partsOf({ pointer, schema, owner }: Spoken, token: string): readonly Spoken[] {
  const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
  const member = schemaIn(schema, "properties", name);
  const named: readonly Spoken[] =
    member === undefined
      ? []
      : [
          {
            pointer: `${pointer}/${escapeToken(name)}`,
            schema: member,
            names: owner === null ? [] : [`${owner}.${name}`],
            owner: null,
          },
        ];
  const item = schemasAt(schema, "prefixItems")[/^\d+$/.test(token) ? Number(token) : -1];
  // What is said of other members says nothing of one that is named beside it.
  const ofOthers =
    member === undefined ? ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"] : [];
  const others = [
    ...ofOthers.map((keyword) => schemaAt(schema, keyword)).filter((one) => one !== undefined),
    ...schemaMapAt(schema, "patternProperties").values(),
  ];
  const unnamed = { names: [], owner: null };
  return [
    ...named,
    ...(item === undefined ? [] : [{ pointer: `${pointer}/${token}`, schema: item, ...unnamed }]),
    ...others.map((other) => ({ pointer: `${pointer}/*`, schema: other, ...unnamed })),
  ];
}

/** What a reference leads to; null where there is none, or it leads nowhere. */
export function targetOf(
  reference: string | undefined,
  components: Components,
): { readonly name: string; readonly schema: JsonSchema } | null {
  if (reference === undefined) return null;
  try {
    return { name: parseReference(reference).component, schema: resolveReference(reference, components) };
  } catch {
    // A broken reference is told where schemas are compared.
    return null;
  }
}

/** Names that rules may be about, of what stands at the pointer into a value, and of the members on the way. */
export function namesAt(schema: JsonSchema, components: Components, pointer: string): readonly string[] {
  const levels = levelsTo(schema, components, pointer);
  const last = pointer.split("/").length - 1;
  const found = levels.flatMap(({ spoken }, step) =>
    spoken.flatMap(({ names }) => (step === last ? names : names.filter((name) => name.includes(".")))),
  );
  return [...new Set(found)];
}

/** Every schema of one side that speaks about a place of its values; `*` is any item or undeclared member. */
export const schemasAtPlace = (schema: JsonSchema, components: Components, place: string): readonly JsonSchema[] => [
  ...new Set(levelsTo(schema, components, place)[place.split("/").length - 1]?.spoken.map((one) => one.schema)),
];

/** Of these those that stand at the place; the others are applied by them. */
export const writtenAtPlace = (schema: JsonSchema, components: Components, place: string): readonly JsonSchema[] => [
  ...new Set(levelsTo(schema, components, place)[place.split("/").length - 1]?.written.map((one) => one.schema)),
];

/** The components on the way to a place of one side's values, each with where it was entered; the outer first. */
export const entriesTo = (schema: JsonSchema, components: Components, place: string): readonly Entry[] => [
  ...new Map(
    levelsTo(schema, components, place)
      .flatMap((level) => level.entries)
      .map((entry) => [`${entry.pointer} ${entry.component}`, entry]),
  ).values(),
];
