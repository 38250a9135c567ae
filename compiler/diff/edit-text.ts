import type { Json } from "../contract.ts";
import { nullableAlone, unreadPrefix } from "../openapi/dialect.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { enumerated, isList, isObject, schemaMapAt, stringAt } from "../schema/schema-node.ts";
import type { Edit } from "./change.ts";
import { type Voice, wordsOf } from "./voice.ts";

/**
 * What an author did to a schema, in their words: `maximum 10 → 5`. `voice` tells who meets it.
 */
export function editText({ at, keyword, before, after }: Edit, voice: Voice): string {
  if (before.length + after.length === 0) return `${untold.get(keyword) ?? writtenName(keyword)} changed`;
  switch (keyword) {
    case "properties":
      return `${presence(before, after)} property ${quoted(lastToken(at))} ${before.length === 0 ? "added" : "removed"}`;
    case "required":
      return `property ${quoted(lastToken(at))} made ${String(after[0] ?? "optional")}`;
    case "enum":
      if ([before, after].some(([list]) => Array.isArray(list))) return bareText(keyword, before, after);
      return valuesText(before, after, voice);
    case "anyOf":
    case "oneOf":
      if (isOtherUnion({ before, after })) return `${String(after[0])} in place of ${String(before[0])}`;
      if ([before, after].some(([list]) => Array.isArray(list))) return wholeUnionText(before[0], after[0]);
      return alternativesText(before, after, voice);
    case "allOf":
    case "prefixItems":
      return [come(after, "part", "added"), come(before, "part", "removed")].filter(Boolean).join(", ");
    case "discriminator-child":
      return [come(after, "child", "added"), come(before, "child", "removed")].filter(Boolean).join(", ");
    case "type":
      return `type ${before.length === 0 ? "any" : before.map(String).join(" or ")} → ${after.length === 0 ? "any" : after.map(String).join(" or ")}`;
    case "additionalProperties":
    case "unevaluatedProperties":
      if (after[0] === false) return "other properties refused";
      return before[0] === false ? "other properties admitted" : bareText(keyword, before, after);
    case "responses":
      return `${answerName(after)} in place of ${answerName(before)}`;
    case "$ref":
      return referenceText(before, after);
    case "discriminator":
      return discriminatorText(before[0], after[0]);
    case "readOnly":
    case "writeOnly":
    case "deprecated":
    case nullableAlone:
      return after[0] === true ? names[keyword][0] : names[keyword][1];
    default:
      return bareText(writtenName(keyword), before, after);
  }
}

/** Whether alternatives are called otherwise, `oneOf` or `anyOf`, and stay what they are. */
export const isOtherUnion = ({ before: [old, ...others], after: [now] }: Pick<Edit, "before" | "after">): boolean =>
  others.length === 0 && ((old === "anyOf" && now === "oneOf") || (old === "oneOf" && now === "anyOf"));

const writtenName = (keyword: string): string =>
  keyword.startsWith(unreadPrefix) ? keyword.slice(unreadPrefix.length) : keyword;

/** What changed where nobody can tell how. */
const untold: ReadonlyMap<string, string> = new Map([
  ["$ref", "the schema"],
  ["allOf", "a part"],
  ["anyOf", "an alternative"],
  ["oneOf", "an alternative"],
]);

/** A component stands in the place of another, or of what was written out. */
function referenceText([old]: readonly Json[], [now]: readonly Json[]): string {
  if (old === undefined) return `schema ${quoted(String(now))} in place of its own`;
  return now === undefined
    ? `its own schema in place of ${quoted(String(old))}`
    : `schema ${quoted(String(now))} in place of ${quoted(String(old))}`;
}

/** The answer that speaks of a status; the first of what an edit tells of it. */
const answerName = ([status]: readonly Json[]): string =>
  status === "default" ? "the default" : `an answer for ${String(status)}`;

const names = {
  readOnly: ["made read-only", "read-only no longer"],
  writeOnly: ["made write-only", "write-only no longer"],
  [nullableAlone]: ["nullable added", "nullable removed"],
  deprecated: ["deprecated", "deprecated no longer"],
} as const;

const presence = (before: readonly Json[], after: readonly Json[]): string => String(after[0] ?? before[0] ?? "");

/** Characters of a value that are shown. */
const shown = 60;

const text = (value: Json): string => {
  const written = canonicalJson(value);
  return written.length > shown ? `${written.slice(0, shown)}…` : written;
};

/** As JSON where a reader would take the bare name for more than one, or not see where it ends. */
const quoted = (name: string): string => (isPlain.test(name) ? `\`${name}\`` : text(name));

const isPlain = /^[^\s`\p{Cc}](?:[^`\p{Cc}]*[^\s`\p{Cc}])?$/u;

/** The same of a value: a text that looks like null, a flag or a number is none. */
function quotedValue(value: Json): string {
  if (typeof value !== "string") return `\`${text(value)}\``;
  return looksOtherwise.test(value) ? text(value) : quoted(value);
}

/** A text that is written as null, a flag or a number is. */
const looksOtherwise = /^(?:null|true|false|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

const lastToken = (pointer: string): string =>
  pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");

function bareText(keyword: string, before: readonly Json[], after: readonly Json[]): string {
  const [old, now] = [before, after].map((values) => values.map(text).join(" or "));
  // Both sides may refer alike, and one of them lead nowhere.
  if (old === now) return `${keyword} ${now}`;
  if (before.length === 0) return `${keyword} ${now} added`;
  return after.length === 0 ? `${keyword} ${old} removed` : `${keyword} ${old} → ${now}`;
}

/** Values named in a sentence. */
const mostNamed = 5;

function listText(values: readonly Json[], shownAs = quotedValue): string {
  const rest = values.length > mostNamed ? ` and ${values.length - mostNamed} more` : "";
  return `${values
    .slice(0, mostNamed)
    .map((value) => shownAs(value))
    .join(", ")}${rest}`;
}

const come = (values: readonly Json[], what: string, how: string): string =>
  values.length === 0 ? "" : `${what}${values.length > 1 ? "s" : ""} ${listText(values, quotedSchema)} ${how}`;

/** Members that an unnamed schema is told by. */
const mostMembers = 4;

/** A schema that stands in a list: by its name, its title, the value of its tag or its members, else as it is written. */
function quotedSchema(value: Json): string {
  if (!isObject(value)) return quotedValue(value);
  const title = stringAt(value, "title");
  if (title !== undefined) return quoted(title);
  const members = [...schemaMapAt(value, "properties")];
  const [tag] = members.filter(([, member]) => enumerated(member)?.length === 1);
  if (tag !== undefined) return quotedValue({ [tag[0]]: enumerated(tag[1])?.[0] ?? null });
  if (members.length === 0) return quotedValue(value);
  const named = members.slice(0, mostMembers).map(([name]) => name);
  return `\`{${[...named, ...(members.length > mostMembers ? ["…"] : [])].join(", ")}}\``;
}

/** A union in place of what was none, or the other way round. */
function wholeUnionText(before: Json | undefined, after: Json | undefined): string {
  const told = (list: Json | undefined): string => `alternatives ${listText(isList(list) ? list : [], quotedSchema)}`;
  return before === undefined ? `${told(after)} in place of one schema` : `one schema in place of ${told(before)}`;
}

/** Alternatives that have a name are answered or taken as values are. */
function alternativesText(before: readonly Json[], after: readonly Json[], voice: Voice): string {
  const isNamed = [...before, ...after].every((one) => typeof one === "string");
  if (isNamed) return valuesText(before, after, voice, (name) => quoted(String(name)));
  return [come(after, "alternative", "added"), come(before, "alternative", "removed")].filter(Boolean).join(", ");
}

/** Which values of which property stand for something else, or for nothing, as `discriminator kind: value old is Cat → Dog`. */
function discriminatorText(before: Json | undefined, after: Json | undefined): string {
  const [old, now] = [before, after].map((json) => {
    const { propertyName = null, mapping } = isObject(json) ? json : {};
    return { name: String(propertyName), mapping: isObject(mapping) ? mapping : {} };
  });
  if (before === undefined || old === undefined) return `discriminator ${now?.name ?? ""} added`;
  if (after === undefined || now === undefined) return `discriminator ${old.name} removed`;
  if (old.name !== now.name) return `discriminator ${old.name} → ${now.name}`;
  const values = [...new Set([...Object.keys(old.mapping), ...Object.keys(now.mapping)])];
  const told = values
    .filter((value) => JSON.stringify(old.mapping[value]) !== JSON.stringify(now.mapping[value]))
    .map((value) => {
      const [was, is] = [old.mapping[value], now.mapping[value]].map((target) => componentIn(target));
      if (was === null) return `${quoted(value)} is ${is} now`;
      return is === null ? `${quoted(value)} is ${was} no longer` : `${quoted(value)} is ${is}, no longer ${was}`;
    });
  const rest = told.length > mostNamed ? ` and ${told.length - mostNamed} more` : "";
  return `discriminator ${old.name}: ${told.slice(0, mostNamed).join(", ")}${rest}`;
}

const componentIn = (target: Json | undefined): string | null =>
  typeof target === "string" ? target.slice(target.lastIndexOf("/") + 1) : null;

function valuesText(before: readonly Json[], after: readonly Json[], voice: Voice, shownAs = quotedValue): string {
  const { gone, come: added } = wordsOf[voice];
  const told = (values: readonly Json[], verb: string): string =>
    values.length === 0 ? "" : `${listText(values, shownAs)} ${values.length > 1 ? verb.replace(/^is/, "are") : verb}`;
  return [told(after, added), told(before, gone)].filter(Boolean).join(", ");
}

/** The edit as the beginning of a sentence on what is sent or answered: `maximum 10 → 5 in the request body at /n`. */
export function editIn(subject: string, edit: Edit, voice: Voice, place: string): string {
  const [first = "", ...rest] = subject;
  const named = /^[A-Z][a-z]/.test(subject) ? `${first.toLowerCase()}${rest.join("")}` : subject;
  const owner = edit.keyword === "properties" ? place.slice(0, place.lastIndexOf("/")) : place;
  return `${editText(edit, voice)} in ${named}${owner === "" ? "" : ` at ${owner}`}`;
}
