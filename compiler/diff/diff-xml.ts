import type { Json, JsonSchema } from "../contract.ts";
import type { DocumentContext } from "./document-context.ts";
import { type Draft, documentPointer, draft, type Where } from "./draft.ts";
import { editIn } from "./edit-text.ts";
import { isTrueAt, jsonAt, meaningOf, textAt, tokensOf } from "./json-at.ts";
import type { Judged } from "./judge.ts";
import { pairSearch } from "./pair-walk.ts";
import { schemaEdit } from "./schema-edit.ts";
import { varianceOf } from "./voice.ts";

const xmlTypes = /^(?:application|text)\/xml\b|\+xml\b/;

/** Compares the names, namespaces and places that `xml` gives to values; OpenAPI applies it to XML bodies alone. */
export function diffXml(
  context: DocumentContext,
  type: string,
  base: JsonSchema,
  head: JsonSchema,
  { voice, subject }: Pick<Judged, "voice" | "subject">,
  where: Where,
): readonly Draft[] {
  if (!xmlTypes.test(type)) return [];
  const variance = varianceOf(voice);
  const [before, after] = [context.base[variance](base), context.head[variance](head)];
  return xmlDifferences(before, after).flatMap(({ pointer, found }) => {
    const property = tokensOf(pointer).findLast((token) => token !== "*");
    const [old, now] = [before, after].map(({ schema }) => property ?? componentOf(schema));
    if (meaningOf(namedAs(found.before, old)) === meaningOf(namedAs(found.after, now))) return [];
    const { edit } = schemaEdit(before, after, documentPointer(where), { place: pointer, keyword: "xml" });
    const at = { ...where, pointer: `${where.pointer}${pointer}`, edit };
    return draft("xml-changed", at, `${editIn(subject, edit, voice, pointer)}: the XML text of a value differs.`);
  });
}

/** The `xml` of the schemas that speak at a place. */
interface Xml {
  readonly before: readonly Json[];
  readonly after: readonly Json[];
}

const xmlDifferences = pairSearch((visit): readonly Xml[] => {
  const [before, after] = [visit.base, visit.head].map((schemas) => schemas.flatMap(xmlOf));
  return before === undefined || after === undefined || meaningOf(before) === meaningOf(after)
    ? []
    : [{ before, after }];
});

/** The `xml` of a schema with the defaults of the XML Object. A prefix is no part of a name in a namespace. */
function xmlOf({ xml, type, items }: JsonSchema): readonly Json[] {
  if (xml === undefined) return [];
  const namespace = textAt(xml, "namespace");
  return [
    {
      name: textAt(xml, "name"),
      namespace,
      prefix: namespace === null ? textAt(xml, "prefix") : null,
      kind: isTrueAt(xml, "attribute") ? "attribute" : (jsonAt(xml, "nodeType") ?? null),
      // It applies to arrays alone.
      wrapped: isTrueAt(xml, "wrapped") && (type === "array" || items !== undefined),
    },
  ];
}

/** The component that a root element is named after. */
const componentOf = ({ $ref: reference }: JsonSchema): string | undefined =>
  typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;

/** The same with the name of the property, of the list's property or of the component, where no other is given. */
const namedAs = (all: readonly Json[], property: string | undefined): Json => {
  const unsaid = { name: null, namespace: null, prefix: null, kind: null, wrapped: false };
  const said = all.length === 0 ? [unsaid] : all;
  const named = said.map((one) => JSON.stringify({ ...Object(one), name: textAt(one, "name") ?? property ?? null }));
  return [...new Set(named)].sort();
};
