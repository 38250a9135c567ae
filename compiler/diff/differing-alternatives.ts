import type { JsonSchema } from "../contract.ts";
import { schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { Meant } from "./meant.ts";
import { isWrittenAlike } from "./same-schema.ts";
import { schemasAtPlace } from "./schema-walk.ts";
import { nameOfBranch } from "./text-edits.ts";

/** Alternatives named in a sentence. */
const mostNamed = 8;

/** Pairs of alternatives at most that are looked at. */
const mostPairs = 10_000;

/** Places that are looked at where none is known. */
const mostPlaces = 100;

/**
 * Which alternatives differ of the innermost union around a place, or of the outermost in the whole value where no place is
 * known, and how many are the same on both sides; a sentence. Null where there is no such union. It is for what was not
 * decided, so that a reader knows where to look.
 */
export function differingAlternatives(base: Meant, head: Meant, place: string | null): string | null {
  for (const at of place === null ? placesIn(head) : placesAround(place)) {
    const told = sentenceAt(base, head, at);
    if (told !== null) return told;
  }
  return null;
}

function sentenceAt(base: Meant, head: Meant, place: string): string | null {
  const [before, after] = [branchesAt(base, place), branchesAt(head, place)];
  if (before.length === 0 || after.length === 0 || before.length * after.length > mostPairs) return null;
  const come = after.filter((now) => !before.some((old) => isSame(base, old, head, now)));
  const gone = before.filter((old) => !after.some((now) => isSame(base, old, head, now)));
  const names = [...new Set([...come, ...gone].map(({ name }) => name))];
  if (names.length === 0) return null;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  const alike = after.length - come.length;
  const rest = alike === 0 ? "" : `, and ${alike} ${alike === 1 ? "is" : "are"} the same on both sides`;
  const differ = names.length === 1 ? "one differs" : `${names.length} differ`;
  return `Of the alternatives at ${place === "" ? "the value" : place} ${differ} (${names.slice(0, mostNamed).join(", ")}${more})${rest}.`;
}

/** A place and those that it is in, the innermost first. */
const placesAround = (place: string): readonly string[] =>
  place === "" ? [""] : [place, ...placesAround(place.slice(0, place.lastIndexOf("/")))];

/** The places of a side's values, the outermost first. */
function placesIn({ schema, components }: Meant): readonly string[] {
  const found = [""];
  // A list that grows while it is walked is walked to its new end.
  for (const place of found) {
    const inner = schemasAtPlace(schema, components, place).flatMap((one) => [
      ...[...schemaMapAt(one, "properties").keys()].map((name) => `${place}/${escapeToken(name)}`),
      ...(one.items === undefined && one.additionalProperties === undefined ? [] : [`${place}/*`]),
    ]);
    for (const next of inner) if (found.length < mostPlaces && !found.includes(next)) found.push(next);
  }
  return found;
}

interface Branch {
  readonly name: string;
  readonly schema: JsonSchema;
}

function branchesAt({ schema, components }: Meant, place: string): readonly Branch[] {
  const speaking = schemasAtPlace(schema, components, place);
  return ["oneOf", "anyOf"].flatMap((keyword) =>
    speaking.flatMap((one) =>
      schemasAt(one, keyword).map((branch, index) => ({
        name: nameOfBranch(branch) ?? stringAt(branch, "title") ?? `${keyword}/${index}`,
        schema: branch,
      })),
    ),
  );
}

const isSame = (base: Meant, old: Branch, head: Meant, now: Branch): boolean =>
  old.name === now.name && isWrittenAlike({ ...base, schema: old.schema }, { ...head, schema: now.schema });
