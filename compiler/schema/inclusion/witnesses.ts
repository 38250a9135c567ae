import { sortedSet } from "../canonical-json.ts";
import { flatten } from "../flatten.ts";
import { Interning } from "../interning.ts";
import { isMultiple } from "../is-multiple.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { matcherOf } from "../pattern-match.ts";
import { type Components, UnresolvedReference } from "../resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isList,
  isNothing,
  isObject,
  type JsonType,
  numberAt,
  schemaAt,
  schemaIn,
  schemaMapAt,
  schemasAt,
  stringAt,
  stringsAt,
  typeOf,
  typesOf,
  without,
} from "../schema-node.ts";
import { distinctValues } from "./distinct-values.ts";
import { findText, type TextCondition } from "./find-text.ts";
import { schemasUnder, sureNames } from "./left.ts";
import { memberSchema } from "./names.ts";
import { textsOf } from "./string-rules.ts";
import type { Work } from "./work.ts";

/** Values made for one schema at most, and schemas looked at for them: what is not found soon is searched for. */
const mostWitnesses = 16;
const mostLooks = 600;
const deepest = 600;
const mostItems = 1_200;

/**
 * A few small values that are likely to satisfy a schema, made without trying any: the shortest text of a pattern, the
 * least number, nothing that may be left out. Whoever uses them looks whether they do.
 */
export function witnessesOf(schema: JsonSchema, components: Components, work: Work): readonly Json[] {
  if (work.isUsedUp) return [];
  try {
    return sortedSet(new Maker(components, madeFrom(components), work).make(schema, 0, mostWitnesses));
  } catch (error) {
    // Whoever compiles the schema says so.
    if (error instanceof UnresolvedReference) return [];
    throw error;
  }
}

/** Values that were made of a schema, and how many looks it took. */
interface Made {
  readonly values: readonly Json[];
  readonly looks: number;
}

/** What was made of the schemas that lean on some components, by number: the same parts stand in many values. */
interface AllMade {
  readonly numbers: Interning;
  readonly known: Map<string, Made>;
}

/** Schemas whose values are kept; then all of them are let go. */
const mostKept = 4_000;

const allMade = new WeakMap<Components, AllMade>();

function madeFrom(components: Components): AllMade {
  const found = allMade.get(components);
  if (found !== undefined && found.known.size < mostKept) return found;
  const made = { numbers: new Interning(), known: new Map<string, Made>() };
  allMade.set(components, made);
  return made;
}

class Maker {
  private readonly components: Components;
  private readonly all: AllMade;
  private readonly work: Work;
  private looks = 0;

  constructor(components: Components, all: AllMade, work: Work) {
    this.components = components;
    this.all = all;
    this.work = work;
  }

  /** Takes as many looks as it took to make the values first, so that what is found hangs on no order. */
  make(schema: JsonSchema, depth: number, most: number): readonly Json[] {
    const key = `${this.all.numbers.numberOf(schema)} ${most}`;
    const known = this.all.known.get(key);
    if (known !== undefined && depth <= deepest && this.looks + known.looks <= mostLooks) {
      this.looks += known.looks;
      return this.work.hasStep() ? known.values : [];
    }
    const { looks } = this;
    const values = this.madeAnew(schema, depth, most);
    // What a bound cut short may be more in another place.
    if (this.looks <= mostLooks && !this.work.isUsedUp) {
      this.all.known.set(key, { values, looks: this.looks - looks });
    }
    return values;
  }

  private madeAnew(schema: JsonSchema, depth: number, most: number): readonly Json[] {
    if (depth > deepest || ++this.looks > mostLooks || !this.work.hasStep()) return [];
    const { schema: flat } = flatten(schema, this.components);
    if (isNothing(flat)) return [];
    if (isAnything(flat)) return plainest.slice(0, most);
    const cases = casesIn(flat);
    if (cases !== null) return this.ofCases(cases, depth, most);
    const views = this.viewsOf(flat);
    if (views.some(isNothing)) return [];
    const types = jsonTypesOf(views);
    const listed = views.map(enumerated).find((values) => values !== undefined);
    if (listed !== undefined) return listed.filter((value) => isOf(types, value)).slice(0, most);
    return types.flatMap((type) => this.ofType(type, views, depth, most)).slice(0, most);
  }

  private ofCases(cases: readonly JsonSchema[], depth: number, most: number): readonly Json[] {
    const each = Math.max(1, Math.floor(most / cases.length));
    const made: Json[] = [];
    const isMany = cases.length > mostWitnesses;
    for (const one of cases) {
      if (made.length >= most) break;
      if (isMany && this.isRuledOut(one)) continue;
      made.push(...this.make(one, depth + 1, each));
    }
    return made;
  }

  /** Whether a required member can have no value: of many alternatives most have another tag, and each look at one counts. */
  private isRuledOut(schema: JsonSchema): boolean {
    if (!this.work.hasStep()) return true;
    const { schema: flat } = flatten(schema, this.components);
    return stringsAt(flat, "required").some((name) => {
      const member = schemaIn(flat, "properties", name);
      return member?.allOf !== undefined && isNothing(flatten(member, this.components).schema);
    });
  }

  /** The schema and what its `allOf` could not merge, as schemas that all speak about the same value. */
  private viewsOf(flat: JsonSchema): readonly JsonSchema[] {
    const parts = schemasAt(flat, "allOf").flatMap((part) =>
      this.looks++ > mostLooks ? [] : this.viewsOf(flatten(part, this.components).schema),
    );
    return [without(flat, "allOf"), ...parts];
  }

  private ofType(type: JsonType, views: readonly JsonSchema[], depth: number, most: number): readonly Json[] {
    switch (type) {
      case "null":
        return [null];
      case "boolean":
        return [false, true];
      case "integer":
      case "number":
        return numbersOf(type, views);
      case "string":
        return textOf(views);
      case "array":
        return this.lists(views, depth, most);
      case "object":
        return this.objects(views, depth, most);
    }
  }

  private lists(views: readonly JsonSchema[], depth: number, most: number): readonly Json[] {
    const wanted = schemasUnder(views, "contains");
    const contained = wanted.flatMap((contains) => this.make(contains, depth + 1, 1));
    const counts = views.flatMap((view) => (view.contains === undefined ? [] : (numberAt(view, "minContains") ?? 1)));
    const least = Math.max(0, ...views.map((view) => numberAt(view, "minItems") ?? 0), ...counts);
    const prefix = Math.max(0, ...views.map((view) => schemasAt(view, "prefixItems").length));
    if (least > mostItems) return [];
    const unique = views.some((view) => view.uniqueItems === true);
    const kinds = Math.min(least, prefix + 1);
    const choices = Array.from({ length: kinds }, (_, index) => {
      const said = views.map((view) => schemasAt(view, "prefixItems")[index] ?? schemaAt(view, "items") ?? {});
      return this.make(allOf(said), depth + 1, unique ? Math.max(most, Math.min(least, 60)) : most);
    });
    if (choices.some((choice) => choice.length === 0)) return [];
    const [rest] = choices.at(-1) ?? [];
    const isTooFew = unique && prefix === 0 && counts.length === 0 && least > (choices[0]?.length ?? 0);
    if (isTooFew && rest !== undefined) return distinctValues(rest, least);
    const made = (pick: number): Json =>
      Array.from({ length: least }, (_, index) => {
        const many = counts[0] ?? 0;
        if (index < many && contained[0] !== undefined && index >= prefix) return contained[0];
        const choice = choices[Math.min(index, kinds - 1)] ?? [];
        return choice[(unique ? index + pick : pick) % choice.length] ?? null;
      });
    const several = Math.max(1, Math.min(most, ...choices.map((choice) => choice.length)));
    return Array.from({ length: several }, (_, pick) => made(pick));
  }

  private objects(views: readonly JsonSchema[], depth: number, most: number): readonly Json[] {
    const least = Math.max(0, ...views.map((view) => numberAt(view, "minProperties") ?? 0));
    if (least > mostItems) return [];
    const members = new Map<string, readonly Json[]>();
    for (const name of sureNames(views)) {
      const values = this.make(memberOf(views, name), depth + 1, most);
      if (values.length === 0) return [];
      members.set(name, values);
    }
    const declared = views.flatMap((view) => [...schemaMapAt(view, "properties").keys()]);
    const more = [...declared, ...Array.from({ length: least }, (_, index) => `extra${index === 0 ? "" : index}`)];
    for (const name of more) {
      if (members.size >= least) break;
      if (members.has(name)) continue;
      const values = this.make(memberOf(views, name), depth + 1, 1);
      if (values.length > 0) members.set(name, values);
    }
    const several = Math.max(1, Math.min(most, ...[...members.values()].map((values) => values.length)));
    const widest = Math.max(several, ...[...members.values()].map((values) => Math.min(most, values.length)));
    return Array.from({ length: widest }, (_, pick) =>
      Object.fromEntries([...members].map(([name, values]) => [name, values[pick % values.length] ?? null])),
    );
  }
}

const plainest: readonly Json[] = [{}, "a", 1, null, [], true, 0.5, ""];

const memberOf = (views: readonly JsonSchema[], name: string): JsonSchema =>
  allOf(views.map((view) => memberSchema(view, name, (pattern) => matcherOf(pattern).test(name))));

function allOf(schemas: readonly JsonSchema[]): JsonSchema {
  const speaking = schemas.filter((schema) => !isAnything(schema));
  return speaking.length === 1 ? (speaking[0] ?? {}) : { allOf: speaking };
}

/** The schema with one union or condition taken apart; null where there is none. */
function casesIn(flat: JsonSchema): readonly JsonSchema[] | null {
  const also = (rest: JsonSchema, branch: JsonSchema): JsonSchema => ({
    ...rest,
    allOf: [...schemasAt(rest, "allOf"), branch],
  });
  for (const union of ["anyOf", "oneOf"]) {
    if (flat[union] === undefined) continue;
    return schemasAt(flat, union).map((branch) => also(without(flat, union), branch));
  }
  const condition = schemaAt(flat, "if");
  if (condition === undefined) return null;
  const rest = without(flat, "if", "then", "else");
  const [then = {}, otherwise = {}] = [schemaAt(flat, "then"), schemaAt(flat, "else")];
  return [also(rest, { allOf: [condition, then] }), also(rest, { allOf: [{ not: condition }, otherwise] })];
}

const isOf = (types: readonly JsonType[], value: Json): boolean => {
  const type = typeOf(value);
  return types.includes(type) || (type === "integer" && types.includes("number"));
};

/** Types that all views admit; those that a view refuses outright are left out. */
function jsonTypesOf(views: readonly JsonSchema[]): readonly JsonType[] {
  const refused = views.flatMap((view) => {
    const not = schemaAt(view, "not");
    return not !== undefined && Object.keys(not).length === 1 && not.type !== undefined ? [typesOf(not)] : [];
  });
  const [first = [], ...others] = views.map(typesOf);
  return first
    .flatMap((type): readonly JsonType[] => {
      const narrower =
        type === "number" && others.some((types) => types.includes("integer") && !types.includes("number"));
      return narrower ? ["integer"] : [type];
    })
    .filter((type) => others.every((types) => types.includes(type) || (type === "integer" && types.includes("number"))))
    .filter((type) => !refused.some((types) => types.includes(type)));
}

function numbersOf(type: "integer" | "number", views: readonly JsonSchema[]): readonly Json[] {
  const all = (keyword: string): readonly number[] => views.flatMap((view) => numberAt(view, keyword) ?? []);
  const steps = [...all("multipleOf"), ...(type === "integer" ? [1] : [])];
  const step = Math.max(0, ...steps) || 1;
  const edges = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].flatMap(all);
  const fractions = type === "number" && steps.length === 0 ? edges.flatMap((at) => [at + 0.5, at - 0.5]) : [];
  const near = [0, ...edges, ...fractions, 0.5, 1].flatMap((at) => {
    const on = Math.ceil(at / step) * step;
    return [at, on, on + step, on - step];
  });
  const fits = (value: number): boolean =>
    all("minimum").every((at) => value >= at) &&
    all("maximum").every((at) => value <= at) &&
    all("exclusiveMinimum").every((at) => value > at) &&
    all("exclusiveMaximum").every((at) => value < at) &&
    steps.every((each) => isMultiple(value, each));
  return [...new Set(near)].filter((value) => Number.isFinite(value) && fits(value)).map((value) => value + 0);
}

/** Texts of formats whose patterns don't tell them. */
const formatExamples: ReadonlyMap<string, string> = new Map([
  ["date", "2024-01-01"],
  ["date-time", "2024-01-01T00:00:00Z"],
  ["time", "00:00:00Z"],
  ["duration", "P1D"],
  ["email", "a@example.com"],
  ["hostname", "example.com"],
  ["ipv6", "::1"],
  ["uri", "https://example.com"],
  ["url", "https://example.com"],
  ["uri-reference", "/a"],
  ["uri-template", "/a/{b}"],
  ["json-pointer", "/a"],
  ["regex", "a"],
  ["byte", "YQ=="],
]);

function textOf(views: readonly JsonSchema[]): readonly Json[] {
  const { conditions, lengths, formats } = textsOf(views);
  const examples = formats.flatMap((format) => formatExamples.get(format) ?? []);
  const refused = views.flatMap((view) => {
    const pattern = stringAt(schemaAt(view, "not") ?? {}, "pattern");
    return pattern === undefined ? [] : [{ pattern, matches: false }];
  });
  // Patterns can make the search long; a long text without any is written at once.
  const plain = conditions.length + refused.length === 0 ? "a".repeat(Math.min(lengths.min, 100_000)) : null;
  if (plain !== null && plain.length > 0) return [...examples, plain];
  const all = [...conditions, ...refused];
  const found = findText(all, lengths);
  if (found.kind === "found") return [...examples, found.text];
  // Nothing is known of what looks ahead or behind, yet the plainest texts often keep it.
  const fits = (text: string): boolean => text.length >= lengths.min && text.length <= lengths.max;
  const plainer = found.kind === "none" ? undefined : plainTexts.find((text) => fits(text) && keeps(text, all));
  return plainer === undefined ? examples : [...examples, plainer];
}

/** Texts of names, numbers and addresses. */
const plainTexts = [
  "a",
  "aa",
  "a1",
  "A",
  "AA",
  "1",
  "10",
  "a-a",
  "a_a",
  "a.a",
  "a:a",
  "a/a",
  "a@a.aa",
  "1.1",
  "1.1.1.1",
];

function keeps(text: string, conditions: readonly TextCondition[]): boolean {
  try {
    return conditions.every(({ pattern, matches }) => matcherOf(pattern).test(text) === matches);
  } catch {
    // A pattern that no engine reads, or does not end with; whoever compiles the schema tells.
    return false;
  }
}

/** JSON Pointer tokens of a list are `*`: a place is the same whatever stands before it. */
export function placeIn(value: Json, pointer: string): string {
  let at: Json | undefined = value;
  return pointer
    .split("/")
    .map((token, index) => {
      if (index === 0) return token;
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const here = at;
      at = isList(here) ? here[Number(name)] : isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
      return isList(here) ? "*" : token;
    })
    .join("/");
}
