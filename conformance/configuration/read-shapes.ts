import { mappableFields } from "../target/mappable-fields.ts";
import type { FieldPaths, OperationShape, Shapes } from "../target/shapes.ts";
import type { ShapeFile } from "./target-schema.ts";
import type { Reading } from "./target-sources.ts";

/** The mapping of a target file, whose operations and fields the schema has seen to. */
export function readShapes(reading: Reading, shapes: Readonly<Record<string, ShapeFile>>): Shapes {
  return Object.fromEntries(
    Object.entries(shapes).map(([operation, { request = {}, response = {} }]): [string, OperationShape] => {
      refuseCollisions(reading, operation, request);
      return [operation, { request, response }];
    }),
  );
}

/** Two fields of a request, or of what it lists, cannot stand in one place, nor one inside the other. */
function refuseCollisions(reading: Reading, operation: string, paths: FieldPaths): void {
  const fields = mappableFields[operation]?.request ?? [];
  const placed = fields.map((field) => ({ ...partsOf(field), field, path: paths[field] ?? partsOf(field).name }));
  for (const { field, list, path } of placed.filter((p) => paths[p.field] !== undefined)) {
    const other = placed.find((p) => p.field !== field && p.list === list && meet(p.path, path));
    if (other === undefined) continue;
    reading.problems.push({
      where: reading.file.placeOf(["shapes", operation, "request", field]),
      message: `"${field}" would be written to ${path}, where "${other.field}" is written to ${other.path}.`,
      fix: "Give each field of a request a place of its own.",
    });
    return;
  }
}

/** A field's name, and the list in whose places it is; none when it is of the request itself. */
function partsOf(field: string): { readonly list: string; readonly name: string } {
  const end = field.lastIndexOf(".*.");
  return end < 0 ? { list: "", name: field } : { list: field.slice(0, end), name: field.slice(end + 3) };
}

const meet = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
