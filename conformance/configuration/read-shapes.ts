import type { FieldPaths, OperationShape, Shapes } from "../target/shapes.ts";
import { mappableFields } from "./mappable-fields.ts";
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

/** Two fields of a request cannot stand in one place, nor one inside the other. */
function refuseCollisions(reading: Reading, operation: string, paths: FieldPaths): void {
  const fields = mappableFields[operation]?.request ?? [];
  const placed = fields.map((field) => ({ field, path: paths[field] ?? field }));
  for (const { field, path } of placed.filter((p) => paths[p.field] !== undefined)) {
    const other = placed.find((p) => p.field !== field && meet(p.path, path));
    if (other === undefined) continue;
    reading.problems.push({
      where: reading.file.placeOf(["shapes", operation, "request", field]),
      message: `"${field}" would be written to ${path}, where "${other.field}" is written to ${other.path}.`,
      fix: "Give each field of a request a place of its own.",
    });
    return;
  }
}

const meet = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
