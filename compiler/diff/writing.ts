import { leftSide } from "../schema/inclusion/left.ts";
import { typeOf } from "../schema/schema-node.ts";
import type { Meant } from "./judge.ts";

/** How the values of a parameter or header are written. */
export interface Writing {
  /** The media type of values that are a content of their own; null of those that are written by a style. */
  readonly media: string | null;
  readonly style: string;
  readonly explode: boolean;
  /** Characters that are reserved in addresses may be written as they are. */
  readonly reserved: boolean;
  /** A name without a value may be sent. */
  readonly empty: boolean;
}

export type Shape = "scalar" | "array" | "object";

const shapes: readonly Shape[] = ["scalar", "array", "object"];

/** Of which shapes the values of a schema may be; of all where that can't be told. */
export function shapesOf({ schema, components }: Meant): ReadonlySet<Shape> {
  try {
    const side = leftSide(schema, components);
    const types = side.kind === "values" ? side.values.map(typeOf) : side.lefts.map(({ type }) => type);
    const found = types.filter((type) => type !== "null").map(shapeOf);
    return new Set(found.length > 0 ? found : shapes);
  } catch {
    // A broken schema is told where schemas are compared.
    return new Set(shapes);
  }
}

const shapeOf = (type: string): Shape => (type === "array" || type === "object" ? type : "scalar");

/** A way to write, with the shapes of what is written. */
export interface Written {
  readonly writing: Writing;
  readonly shapes: ReadonlySet<Shape>;
}

/** How the old values are written on each side, where that differs; null where the texts are the same. */
export function rewritten(base: Written, head: Written): { readonly from: string; readonly to: string } | null {
  const common = [...base.shapes].filter((shape) => head.shapes.has(shape));
  // A list in place of one value is written as that value, where it holds one.
  const compared = common.length > 0 ? common : (["scalar"] as const);
  for (const shape of compared) {
    const [from, to] = [writingText(base.writing, shape), writingText(head.writing, shape)];
    if (from !== to) return { from, to };
  }
  return null;
}

/** Names a way to write values of a shape: equal names, equal texts. */
export function writingText({ media, style, explode }: Writing, shape: Shape): string {
  if (media !== null) return media;
  const exploded = explode ? ", exploded" : "";
  switch (shape) {
    case "scalar":
      return style === "matrix" || style === "label" ? style : "as it is";
    case "array":
      if (style === "simple" || (style === "form" && !explode)) return "a list with commas";
      // What is exploded repeats the name, whatever would stand between the values.
      return explode && style !== "matrix" && style !== "label" ? "a name for each value" : `${style}${exploded}`;
    case "object":
      return style === "deepObject" ? style : `${style}${exploded}`;
  }
}
