import { escapeToken } from "../schema/validator.ts";
import type { Edit } from "./change.ts";
import { pointerOf } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import { type Found, placeEdit } from "./place-edit.ts";
import { type Entry, entriesTo } from "./schema-walk.ts";
import { type TextEdit, textEdits } from "./text-edits.ts";

/**
 * The edit behind what was found at a place of two schemas: of the texts on the way there, which are the schema's own (it
 * stands at `root`) and those of the components that it leads through, the difference that is nearest to the place.
 */
export function schemaEdit(base: Meant, head: Meant, root: string, found: Found): Edit {
  const owners = ownersOf(base, head, root, found.place);
  const among = (isIt: (edit: TextEdit, place: string) => boolean): readonly Edit[] =>
    owners.flatMap(({ at, place, edits }) =>
      edits.filter((edit) => isIt(edit, place)).map((edit) => asEdit(edit, `${at}${edit.at}`)),
    );
  // The values of a tag follow from the alternatives that it tells apart.
  const isUnion = ({ keyword }: TextEdit): boolean => keyword === "oneOf" || keyword === "anyOf";
  const [union] =
    found.keyword === "discriminator" ? among((edit, place) => isUnion(edit) && isAt(edit.place, place)) : [];
  if (union !== undefined) return union;
  const [exact] = among((edit, place) => isAt(edit.place, place) && isOfKeyword(edit.keyword, found.keyword));
  if (exact !== undefined) return exact;
  const [closing] = among((edit, place) => edit.keyword === found.keyword && isAt(edit.place, parentOf(place)));
  if (closing !== undefined) return closing;
  const [here] = among((edit, place) => isAt(edit.place, place));
  if (here !== undefined) return here;
  const around = among((edit, place) => isWithin(place, edit.place)).at(-1);
  const seen = placeEdit(base, head, found);
  if (around !== undefined) return seen === null ? around : { ...seen, at: around.at };
  const [below] = among((edit, place) => isWithin(edit.place, place));
  if (below !== undefined) return below;
  const at = `${root}${found.place}`;
  return seen === null ? { at, keyword: found.keyword, before: [], after: [] } : { ...seen, at };
}

const asEdit = ({ keyword, before, after }: TextEdit, at: string): Edit => ({ at, keyword, before, after });

/** A text whose differences may be the edit, and where the place is within its values. */
interface Owner {
  readonly at: string;
  readonly place: string;
  readonly edits: readonly TextEdit[];
}

/** The innermost text first. */
function ownersOf(base: Meant, head: Meant, root: string, place: string): readonly Owner[] {
  const [before, after] = [base, head].map(({ schema, components }) => entriesTo(schema, components, place));
  const owners = (after ?? []).flatMap((entry): readonly Owner[] => {
    const old = counterpartOf(entry, before ?? [], after ?? []);
    const [was, is] = [componentOf(base, old), componentOf(head, entry)];
    if (was === undefined || is === undefined) return [];
    const within = place
      .split("/")
      .slice(entry.pointer.split("/").length)
      .map((token) => `/${token}`)
      .join("");
    return [{ at: pointerOf("components", "schemas", entry.component), place: within, edits: textEdits(was, is) }];
  });
  return [...owners.toReversed(), { at: root, place, edits: textEdits(base.schema, head.schema) }];
}

/** The component that stood where this one stands: it may have had another name. */
function counterpartOf(entry: Entry, before: readonly Entry[], after: readonly Entry[]): Entry | undefined {
  const old = before.filter(({ pointer }) => pointer === entry.pointer);
  const same = old.find(({ component }) => component === entry.component);
  if (same !== undefined) return same;
  const now = after.filter(({ pointer }) => pointer === entry.pointer);
  const renamed = old.filter(({ component }) => !now.some((other) => other.component === component));
  return renamed.length === 1 ? renamed[0] : undefined;
}

const componentOf = ({ components }: Meant, entry: Entry | undefined) =>
  entry !== undefined && Object.hasOwn(components, entry.component) ? components[entry.component] : undefined;

const spellings: Readonly<Record<string, readonly string[]>> = {
  const: ["enum"],
  required: ["properties"],
  additionalProperties: ["properties"],
  unevaluatedProperties: ["properties"],
};

const isOfKeyword = (edited: string, found: string): boolean =>
  edited === found || spellings[found]?.includes(edited) === true;

const tokensOf = (place: string): readonly string[] => place.split("/").slice(1);

/** Whether two places are one; `*` is any token. */
const isAt = (one: string, other: string): boolean =>
  isWithin(one, other) && tokensOf(one).length === tokensOf(other).length;

function isWithin(inner: string, outer: string): boolean {
  const tokens = tokensOf(inner);
  return tokensOf(outer).every((token, index) => {
    const own = tokens[index];
    return own !== undefined && (token === own || token === escapeToken("*") || own === "*");
  });
}

const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf("/")));
