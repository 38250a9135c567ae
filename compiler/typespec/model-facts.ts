import type { Model, ModelProperty, Type } from "@typespec/compiler";

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

/** A value of an enum is one of its members. */
export function patternOfEnum(type: Type): string | null {
  if (type.kind !== "Enum") return null;
  const values = [...type.members.values()].map((m) => String(m.value ?? m.name).replace(/[^\w]/g, "\\$&"));
  return `^(${values.join("|")})$`;
}
