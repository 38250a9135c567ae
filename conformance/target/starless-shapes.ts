import { listing, type Shapes, wholeData } from "./shapes.ts";

/** A mapping that has no star, although `data` of the operation is a list. */
export interface StarlessShape {
  readonly operation: string;
  readonly field: string;
  readonly path: string;
}

/** Returns the mappings of list fields whose path treats `data` as one record. */
export const starlessShapes = (shapes: Shapes): readonly StarlessShape[] =>
  Object.entries(shapes).flatMap(([operation, { response }]) =>
    listing.has(operation)
      ? Object.entries(response).flatMap(([field, path]) =>
          path === null || path === wholeData || path.split(".").includes("*") ? [] : [{ operation, field, path }],
        )
      : [],
  );
