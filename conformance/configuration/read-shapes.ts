import { mappableFields } from "../target/mappable-fields.ts";
import { eachPlace, type OperationShape, type Shapes } from "../target/shapes.ts";
import type { ShapeFile } from "./target-schema.ts";
import type { Reading } from "./target-sources.ts";

/** The mapping of a target file, whose operations and fields the schema has seen to. */
export function readShapes(reading: Reading, shapes: Readonly<Record<string, ShapeFile>>): Shapes {
  return Object.fromEntries(
    Object.entries(shapes).map(
      ([operation, { request = {}, constants = {}, extra = {}, response = {} }]): [string, OperationShape] => {
        const placed = placedBy(operation, request);
        refuseCollisions(reading, operation, placed, request);
        refuseConstants(reading, operation, placed, constants);
        refuseExtra(reading, operation, [...placed.map(({ path }) => path), ...Object.keys(constants)], extra);
        const named = <Values extends object>(name: "constants" | "extra", values: Values) =>
          Object.keys(values).length > 0 ? { [name]: values } : {};
        return [operation, { request, ...named("constants", constants), ...named("extra", extra), response }];
      },
    ),
  );
}

/** Two fields of a request, or of what it lists, cannot stand in one place, nor one inside the other. */
function refuseCollisions(reading: Reading, operation: string, placed: readonly Placed[], paths: RequestPaths): void {
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

/** Nor can a constant stand where a field does, but for the places of a list, nor in those of a list that there is not. */
function refuseConstants(reading: Reading, operation: string, placed: readonly Placed[], constants: Constants): void {
  const pathOf = ({ list, path }: Placed): string => {
    const around = placed.find(({ field }) => field === list);
    return around === undefined ? path : `${around.path}${eachPlace}${path}`;
  };
  const lists = placed.filter(({ field }) => placed.some(({ list }) => list === field)).map(pathOf);
  const refuse = (constant: string, message: string, fix: string): void => {
    const where = reading.file.placeOf(["shapes", operation, "constants", constant]);
    reading.problems.push({ where, message, fix });
  };
  for (const [index, constant] of Object.keys(constants).entries()) {
    if (constant.split(".").includes("*") && !lists.some((list) => constant.startsWith(`${list}${eachPlace}`)))
      refuse(
        constant,
        `The constant ${constant} would stand in each place of a list, and no list is written there.`,
        lists.length === 0
          ? `A request of ${operation} has no list: name its place without a star.`
          : `Begin it with ${lists.map((list) => `${list}.*`).join(" or ")}, or name its place without a star.`,
      );
    const twin = Object.keys(constants)
      .slice(0, index)
      .find((one) => meet(one, constant));
    if (twin !== undefined)
      refuse(constant, `The constants ${twin} and ${constant} would stand in one place.`, "Leave one of them out.");
    const other = placed.find(
      (each) => meet(pathOf(each), constant) && !constant.startsWith(`${pathOf(each)}${eachPlace}`),
    );
    if (other !== undefined)
      refuse(
        constant,
        `The constant ${constant} would stand where "${other.field}" is written, at ${pathOf(other)}.`,
        "Give it a place of its own, or leave it out.",
      );
  }
}

/** An extra property has a place of its own, in no list. */
function refuseExtra(
  reading: Reading,
  operation: string,
  taken: readonly string[],
  extra: NonNullable<OperationShape["extra"]>,
): void {
  for (const [index, path] of Object.keys(extra).entries()) {
    const other = [...taken, ...Object.keys(extra).slice(0, index)].find((each) => meet(each, path));
    if (other === undefined && !path.split(".").includes("*")) continue;
    reading.problems.push({
      where: reading.file.placeOf(["shapes", operation, "extra", path]),
      message:
        other === undefined
          ? `The extra property ${path} has a star, and an update has no list.`
          : `The extra property ${path} has the place of ${other}.`,
      fix: "Give it a place of its own without a star, or omit it.",
    });
  }
}

type RequestPaths = OperationShape["request"];
type Constants = NonNullable<OperationShape["constants"]>;

/** Where a field of a request is written: within each place of `list`, or in the whole where that is empty. */
interface Placed {
  readonly field: string;
  readonly list: string;
  readonly path: string;
}

function placedBy(operation: string, paths: RequestPaths): readonly Placed[] {
  const fields = mappableFields[operation]?.request ?? [];
  return fields.flatMap((field) => {
    const { list, name } = partsOf(field);
    const path = paths[field] === undefined ? name : paths[field];
    return path === null ? [] : [{ field, list, path }];
  });
}

/** A field's name, and the list in whose places it is; none when it is of the request itself. */
function partsOf(field: string): { readonly list: string; readonly name: string } {
  const end = field.lastIndexOf(eachPlace);
  return end < 0 ? { list: "", name: field } : { list: field.slice(0, end), name: field.slice(end + eachPlace.length) };
}

const meet = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
