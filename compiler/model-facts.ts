import type { Model, ModelProperty, Type } from "@typespec/compiler";
import type { ErrorDetails } from "./contract.ts";

/** The models that a return type may be, whatever the nesting of its unions. */
export function* variantsOf(type: Type): Generator<Model> {
  if (type.kind === "Model") yield type;
  if (type.kind === "Union") for (const variant of type.variants.values()) yield* variantsOf(variant.type);
}

/** The property and those that it was copied from by spread. */
export function sources(property: ModelProperty): ModelProperty[] {
  const all = [property];
  for (let at = property.sourceProperty; at; at = at.sourceProperty) all.push(at);
  return all;
}

/** Every property below a body type with its JSON Pointer; `*` stands for any array item. */
export function* propertiesOf(
  type: Type,
  prefix = "",
  above: readonly Type[] = [],
): Generator<readonly [string, ModelProperty]> {
  if (type.kind !== "Model" || above.includes(type)) return;
  if (type.indexer && type.name === "Array") {
    yield* propertiesOf(type.indexer.value, `${prefix}/*`, [...above, type]);
    return;
  }
  for (let model: Model | undefined = type; model; model = model.baseModel) {
    for (const property of model.properties.values()) {
      const pointer = `${prefix}/${property.name}`;
      yield [pointer, property];
      yield* propertiesOf(property.type, pointer, [...above, type]);
    }
  }
}

/** The status of an answer, or the range in which it may lie; null when it declares none. */
export function statusOf(model: Model): number | { from: number; to: number } | null {
  const property = model.properties.get("_");
  if (property?.type.kind === "Number") return property.type.value;
  const bounds = property ? property.decorators : [];
  const argument = (name: string): number | undefined => {
    const value = bounds.find((d) => d.definition?.name === name)?.args[0]?.jsValue;
    return value === undefined ? undefined : Number(value);
  };
  const from = argument("@minValue");
  const to = argument("@maxValue");
  return from === undefined || to === undefined ? null : { from, to };
}

/** What the `error` of an error row says of its details. */
export function detailsOf(error: Model): ErrorDetails {
  const details = error.properties.get("details")?.type;
  if (details?.kind !== "Model") return { kind: "none" };
  const keys = [...details.properties.keys()];
  return keys.length > 0 ? { kind: "keys", keys } : { kind: "fields" };
}

/** A value of an enum is one of its members. */
export function patternOfEnum(type: Type): string | null {
  if (type.kind !== "Enum") return null;
  const values = [...type.members.values()].map((m) => String(m.value ?? m.name).replace(/[^\w]/g, "\\$&"));
  return `^(${values.join("|")})$`;
}
