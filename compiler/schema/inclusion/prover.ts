import { sameJson } from "../canonical-json.ts";
import { flatten } from "../flatten.ts";
import { closedPlainly } from "../intersect.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { resolveReference } from "../resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isNothing,
  schemaAt,
  schemasAt,
  stringAt,
  withDefined,
  without,
} from "../schema-node.ts";
import { validatorFor } from "../validator.ts";
import { admitsType, areApart } from "./apart.ts";
import { arrayDoubts, isEmptyOfArrays } from "./array-rules.ts";
import { Claims } from "./claims.ts";
import { bareReference, likelyFirst } from "./counterpart.ts";
import { coverOf } from "./cover.ts";
import { collected, type Doubt, doubt, type Judge, mostDoubts, narrowed, originatingIn, suspectsOf } from "./doubt.ts";
import { casesOf, finiteTypes, type Left, type SideOf, schemasUnder, sideReader } from "./left.ts";
import { areMatched } from "./matched-alternatives.ts";
import { isConditionalBeyondNames, type Naming, namingReader, type Reading } from "./naming.ts";
import { isEmptyOfNumbers, listedNumbers, numberDoubts, typeDoubts } from "./number-rules.ts";
import { isEmptyOfObjects, objectDoubts } from "./object-rules.ts";
import { obligationsOf } from "./obligations.ts";
import { byType, isDividedByMembers, isOnlyWrapper, isReference, isUnfinished, speaksOfUnevaluated } from "./parts.ts";
import { refusedCases } from "./refused-cases.ts";
import { isEmptyOfTexts, stringDoubts, valuesDoubts } from "./string-rules.ts";
import { type TaggedUnion, taggedUnion, unionsFor } from "./tagged-union.ts";
import { checkable, isCheckableWith, type TwoSides } from "./two-sides.ts";
import type { VainSearches } from "./undecided.ts";
import { mostNesting, mostSplits, mostTaggedCases, OutOfWork, type Work } from "./work.ts";

/** By names, of a whole schema or of one of the cases that it is taken apart into. */
type ReadingOfCases = Reading | "cases";

/**
 * Proves claims about the schemas of two sides: that one includes another, that none satisfies one. What is left out of
 * account makes the left side larger, so that proofs stay sound; what can't be proved is doubted, which says nothing yet.
 */
export class Prover {
  private readonly sides: TwoSides;
  private readonly claims: Claims;
  private nesting = 0;
  private splits = 0;
  private readonly unions = new Map<number, TaggedUnion | null>();
  private readonly sideOf: SideOf;
  private readonly judge: Judge;
  /** How the left side is read for what is proved now. */
  private reading: ReadingOfCases;
  private readonly namingOf: (schema: JsonSchema) => Naming | null;

  /** Every proof takes its steps from the work, and tells what it did not suffice for. */
  constructor(sides: TwoSides, reading: Reading, work: Work, vain: VainSearches) {
    this.sides = sides;
    this.claims = new Claims(work, vain);
    this.reading = reading;
    this.sideOf = sideReader(sides.numbers, sides.components);
    this.namingOf = namingReader(sides.components);
    this.judge = {
      includes: (one, other) => this.includes(one, other),
      isEmpty: (schema) => this.isEmpty(schema),
      partIncludes: (part, other) => this.deeper(() => this.includes(part, other)),
      partIsEmpty: (part) => this.deeper(() => this.isEmpty(part)),
      naming: (left) => (this.reading === "letter" ? null : this.namingOf(left.schema)),
      byLetter: (prove) => this.readAs("letter", prove),
      accepts: (schema, value) => {
        if (isAnything(schema)) return true;
        return isCheckableWith(this.sides.components, schema, value) ? this.accepts(schema, value) : null;
      },
    };
  }

  /**
   * What stands against every value of the one being one of the other; nothing, when that is proved. Throws `OutOfWork`
   * when the work is used up before.
   */
  prove(one: JsonSchema, other: JsonSchema): readonly Doubt[] {
    this.nesting = 0;
    this.splits = 0;
    return this.claims.settle(() => this.includes(one, other));
  }

  private readAs<T>(reading: ReadingOfCases, prove: () => T): T {
    const around = this.reading;
    this.reading = reading;
    try {
      return prove();
    } finally {
      this.reading = around;
    }
  }

  /** One of the cases that a schema is taken apart into: its objects may have what the others name. */
  private caseIncludes(each: JsonSchema, other: JsonSchema): readonly Doubt[] {
    const reading = this.reading === "names" ? "cases" : this.reading;
    return this.readAs(reading, () => this.includes(each, other));
  }

  private deeper<T>(prove: () => T): T {
    const nesting = this.nesting;
    this.nesting = 0;
    try {
      return this.claims.deeper(prove);
    } finally {
      this.nesting = nesting;
    }
  }

  private includes(one: JsonSchema, other: JsonSchema): readonly Doubt[] {
    const { numbers } = this.sides;
    if (isAnything(other) || isNothing(one) || numbers.numberOf(one) === numbers.numberOf(other)) return [];
    const unproved = [{ pointer: "", keyword: "$ref", origin: null, suspects: one }];
    const { reading } = this;
    const key = this.claimOf(one, other);
    const isOfComponents = isReference(one) && isReference(other);
    const prove = (): readonly Doubt[] => {
      const side = this.sideOf(one);
      // Of any value at all one type that is refused tells enough.
      const most = isAnything(one) ? 1 : mostDoubts;
      const doubts =
        side.kind === "values"
          ? this.valueDoubts(one, side.values, other)
          : collected(side.lefts, (left) => this.leftDoubts(left, other), most);
      return isOfComponents ? originatingIn(key, doubts) : doubts;
    };
    const later = (): readonly Doubt[] => this.readAs(reading, () => this.includes(one, other));
    return this.claims.claim(key, unproved, prove, later, isOfComponents);
  }

  private claimOf(one: JsonSchema, other: JsonSchema): string {
    return `${this.sides.numbers.numberOf(one)} in ${this.sides.numbers.numberOf(other)} by ${this.reading}`;
  }

  private isEmpty(schema: JsonSchema): boolean {
    if (isNothing(schema)) return true;
    const unproved = [{ pointer: "", keyword: "not", origin: null, suspects: schema }];
    const prove = (): readonly Doubt[] => {
      const side = this.sideOf(schema);
      const isNone =
        side.kind === "values"
          ? side.values.every((value) => !this.accepts(schema, value))
          : side.lefts.every((left) => this.isEmptyLeft(left));
      return isNone ? [] : unproved;
    };
    const none = `none of ${this.sides.numbers.numberOf(schema)}`;
    return this.readAs("letter", () => this.claims.claim(none, unproved, prove, null, false).length === 0);
  }

  private valueDoubts(one: JsonSchema, values: readonly Json[], other: JsonSchema): readonly Doubt[] {
    const isTold = (value: Json): boolean => isCheckableWith(this.sides.components, other, value);
    const doubted = values.filter(
      (value) => this.accepts(one, value) && !(isTold(value) && this.accepts(other, value)),
    );
    if (doubted.length === 0) return [];
    return [{ pointer: "", keyword: "enum", origin: null, suspects: { enum: doubted } }];
  }

  private leftDoubts(left: Left, other: JsonSchema): readonly Doubt[] {
    const listed = finiteTypes.get(left.type) ?? listedNumbers(left);
    if (listed !== null) return this.valueDoubts(left.schema, listed, other);
    if (!admitsType(left, other, this.sideOf)) return this.isEmpty(left.schema) ? [] : [doubt(left, "type", {})];
    return collected(obligationsOf(other), (part) => this.partDoubts(left, part));
  }

  /** First of the left side as a whole, then case by case. */
  private partDoubts(left: Left, part: JsonSchema): readonly Doubt[] {
    this.claims.step();
    if (this.nesting > mostNesting) throw new OutOfWork("The proof nests too deep.");
    this.nesting++;
    const tagged = this.taggedDoubts(left, part);
    const apart = tagged === null ? this.unionDoubts(left, part) : null;
    const direct = tagged ?? apart ?? this.direct(left, part);
    this.nesting--;
    if (apart !== null) return apart;
    // What these apply was taken case by case already, each piece by itself.
    if (isOnlyWrapper(part)) return direct;
    if (tagged !== null) return tagged.length === 0 || this.isEmpty(left.schema) ? [] : tagged;
    if (direct.length === 0 || this.isEmpty(left.schema)) return [];
    const cases = casesOf(left, this.sides.components, isDividedByMembers(left, part) ? "members" : "alternatives");
    if (cases !== null) return collected(cases, (each) => this.caseIncludes(each, part));
    const kept = refusedCases(left, this.sides.components);
    const isProved = (kept !== null && this.isProvedApart(left, kept, part)) || this.isCovered(left, part);
    return isProved ? [] : direct;
  }

  /** Of a union in a union each alternative is looked at by itself, and where one alone may admit it with that; else null. */
  private unionDoubts(left: Left, part: JsonSchema): readonly Doubt[] | null {
    // What is unevaluated beside a union is asked for by itself.
    if ((part.anyOf === undefined && part.oneOf === undefined) || Object.keys(part).length > 1) return null;
    if (part.oneOf !== undefined && this.isMatched(left, schemasAt(part, "oneOf"))) return [];
    const cases = casesOf(left, this.sides.components, "alternatives", mostTaggedCases);
    if (cases !== null) return collected(cases, (each) => this.caseIncludes(each, part));
    const branches = schemasAt(part, part.anyOf === undefined ? "oneOf" : "anyOf");
    const [only, ...others] = branches.filter(
      (branch) => !areApart(left, branch, this.judge.naming(left), this.sideOf),
    );
    if (only === undefined || others.length > 0) return null;
    const reference = bareReference(only);
    const doubts =
      left.reference === null || reference === null
        ? this.leftDoubts(left, only)
        : this.includes(left.reference, reference);
    // No other admits the value, so what stands against the one stands against the union.
    if (doubts.length === 0) return part.anyOf === undefined && branches.length > 1 ? null : [];
    return this.isEmpty(left.schema) ? [] : doubts;
  }

  private isMatched(left: Left, branches: readonly JsonSchema[]): boolean {
    const isProved = (one: JsonSchema, other: JsonSchema): boolean => this.includes(one, other).length === 0;
    return areMatched(
      left,
      branches,
      {
        includes: isProved,
        includesByLetter: (one, other) => this.readAs("letter", () => isProved(one, other)),
        isEmpty: (schema) => this.isEmpty(schema),
        naming: (schema) => (this.reading === "letter" ? null : this.namingOf(schema)),
      },
      this.sides.components,
    );
  }

  /** All of some cases of the left side are proved. */
  private isProvedApart(left: Left, cases: readonly JsonSchema[], other: JsonSchema): boolean {
    const isProved = (): boolean => cases.every((each) => this.caseIncludes(each, other).length === 0);
    // A case may name members; by that alone a map does not become an object that is read by names.
    return this.reading !== "letter" && this.namingOf(left.schema) === null
      ? this.readAs("letter", isProved)
      : isProved();
  }

  /** Alternatives admit together what none admits alone: what one of them refuses the others admit. */
  private isCovered(left: Left, part: JsonSchema): boolean {
    const cover = this.splits < mostSplits ? coverOf(left, part, this.sides.components) : null;
    if (cover === null) return false;
    this.splits++;
    const { branches, refused, others, exclusive } = cover;
    const overlap = (one: JsonSchema, at: number): boolean =>
      branches.slice(at + 1).some((other) => !this.isEmpty(narrowed(left, one, other)));
    return this.isProvedApart(left, refused, others) && !(exclusive && branches.some(overlap));
  }

  /** Of alternatives that a member tells apart each is compared with its own, of which there are few; null where nothing tells them apart. */
  private taggedDoubts(left: Left, part: JsonSchema): readonly Doubt[] | null {
    if (left.type !== "object" || (part.anyOf === undefined && part.oneOf === undefined)) return null;
    const union = this.taggedUnion(part);
    if (union === null) return null;
    const found = unionsFor(left, union, this.sides.components);
    const [only, ...others] = found?.met ?? [];
    if (found === null || others.length > 0 || (only !== undefined && found.unmet.length > 0)) {
      const cases = casesOf(left, this.sides.components, "members", mostTaggedCases);
      return cases === null ? null : collected(cases, (each) => this.caseIncludes(each, part));
    }
    // What differs in an alternative is told by itself, though others may differ at the same place.
    if (only !== undefined) return originatingIn(this.claimOf(left.schema, only), this.leftDoubts(left, only));
    return [doubt(left, union.keyword, { properties: { [union.name]: { enum: found.unmet } } })];
  }

  private taggedUnion(part: JsonSchema): TaggedUnion | null {
    const key = this.sides.numbers.numberOf(part);
    const known = this.unions.get(key);
    const made = known === undefined ? taggedUnion(part, this.sides.components) : known;
    this.unions.set(key, made);
    return made;
  }

  private direct(left: Left, part: JsonSchema): readonly Doubt[] {
    // Before anything else: what it looks at stands beside it and is asked for by itself.
    if (closedPlainly(part) === null) {
      return speaksOfUnevaluated(left, part) ? this.unevaluatedDoubts(left, part) : [];
    }
    const reference = stringAt(part, "$ref");
    if (reference !== undefined) return this.leftDoubts(left, resolveReference(reference, this.sides.components));
    if (part.allOf !== undefined) return collected(schemasAt(part, "allOf"), (each) => this.leftDoubts(left, each));
    if (part.type !== undefined) return typeDoubts(left, part);
    const values = enumerated(part);
    if (values !== undefined) return valuesDoubts(left, values, part.enum ? "enum" : "const");
    if (part.anyOf !== undefined) return this.anyOfDoubts(left, schemasAt(part, "anyOf"), "anyOf");
    if (part.oneOf !== undefined) return this.oneOfDoubts(left, schemasAt(part, "oneOf"));
    const refused = schemaAt(part, "not");
    if (refused !== undefined) return this.notDoubts(left, refused);
    if (part.if !== undefined) return this.conditionDoubts(left, part);
    return byType(left.type, {
      string: () => stringDoubts(left, part),
      number: () => numberDoubts(left, part),
      array: () => this.partsOf(left, () => arrayDoubts(left, part, this.judge)),
      object: () => this.partsOf(left, () => objectDoubts(left, part, this.judge)),
    });
  }

  /** By the letter where an alternative that is not taken apart yet may name more members of parts. */
  private partsOf(left: Left, prove: () => readonly Doubt[]): readonly Doubt[] {
    if (this.reading === "letter" || !isConditionalBeyondNames(left.schema, this.sides.components)) return prove();
    return this.readAs("letter", prove);
  }

  private anyOfDoubts(left: Left, branches: readonly JsonSchema[], keyword: string): readonly Doubt[] {
    const inEach: (readonly Doubt[])[] = [];
    for (const branch of likelyFirst(branches, left.reference)) {
      const doubts = this.leftDoubts(left, branch);
      if (doubts.length === 0) return [];
      inEach.push(doubts);
    }
    const first = inEach.flatMap((doubts) => doubts.slice(0, 1));
    const rests = inEach.some(isUnfinished) ? { isUnfinished: true as const } : {};
    return [
      { ...doubt(left, keyword, { allOf: first.map(suspectsOf) }), ...rests },
      { ...doubt(left, keyword, { not: { anyOf: branches } }), ...rests },
      ...first.map(({ suspects }) => ({ pointer: "", keyword, origin: null, suspects, ...rests })),
    ];
  }

  private oneOfDoubts(left: Left, branches: readonly JsonSchema[]): readonly Doubt[] {
    const within = this.anyOfDoubts(left, branches, "oneOf");
    if (within.length > 0) return within;
    const rival = (one: JsonSchema, other: JsonSchema): JsonSchema => narrowed(left, one, other);
    for (const [index, branch] of branches.entries()) {
      if (this.leftDoubts(left, branch).length > 0) continue;
      const others = branches.filter((_, other) => other !== index);
      const isApart = (other: JsonSchema): boolean =>
        this.reading === "names" && areApart(left, other, this.judge.naming(left), this.sideOf);
      const shared = others.filter((other) => !isApart(other) && !this.isEmpty(narrowed(left, other)));
      if (shared.length === 0) return [];
      return shared.map((other) => ({ pointer: "", keyword: "oneOf", origin: null, suspects: rival(branch, other) }));
    }
    return [doubt(left, "oneOf", {})];
  }

  private notDoubts(left: Left, refused: JsonSchema): readonly Doubt[] {
    const own = schemasUnder(left.views, "not");
    if (own.some((mine) => this.readAs("letter", () => this.includes(refused, mine)).length === 0)) return [];
    const both = narrowed(left, refused);
    return this.isEmpty(both) ? [] : [{ pointer: "", keyword: "not", origin: null, suspects: both }];
  }

  private conditionDoubts(left: Left, part: JsonSchema): readonly Doubt[] {
    const [condition = {}, then, otherwise] = ["if", "then", "else"].map((keyword) => schemaAt(part, keyword));
    const same = left.views.some((view) =>
      ["if", "then", "else"].every((keyword) => sameJson(view[keyword] ?? true, part[keyword] ?? true)),
    );
    if (same) return [];
    return [
      ...(then === undefined ? [] : this.includes(narrowed(left, condition), then)),
      ...(otherwise === undefined ? [] : this.includes(narrowed(left, { not: condition }), otherwise)),
    ];
  }

  /**
   * Beside unions, what is unevaluated depends on the alternative: enough is one choice of alternatives that the
   * left side satisfies and that, said as one closed schema, the left side satisfies as well.
   */
  private unevaluatedDoubts(left: Left, part: JsonSchema): readonly Doubt[] {
    if (sameJson(without(left.schema, "type"), without(part, "type"))) return [];
    const keyword = part.unevaluatedProperties === undefined ? "unevaluatedItems" : "unevaluatedProperties";
    const union = ["anyOf", "oneOf"].find((name) => part[name] !== undefined);
    if (union === undefined) {
      // References and `allOf` alone can be merged, and then say plainly what they leave.
      const { schema: merged } = flatten(part, this.sides.components);
      if (closedPlainly(merged) !== null) return this.leftDoubts(left, merged);
      const hasUnion = merged.anyOf !== undefined || merged.oneOf !== undefined;
      return hasUnion ? this.unevaluatedDoubts(left, merged) : [doubt(left, keyword, {})];
    }
    const rest = without(part, union, "unevaluatedProperties", "unevaluatedItems");
    const { unevaluatedProperties, unevaluatedItems } = part;
    const inEach = schemasAt(part, union).map((branch) =>
      this.unevaluatedDoubts(left, withDefined({ allOf: [rest, branch] }, { unevaluatedProperties, unevaluatedItems })),
    );
    return inEach.some((doubts) => doubts.length === 0) ? [] : inEach.flat().slice(0, mostDoubts);
  }

  private isEmptyLeft(left: Left): boolean {
    const byRules = byType(left.type, {
      string: () => [isEmptyOfTexts(left)],
      number: () => [isEmptyOfNumbers(left)],
      array: () => [isEmptyOfArrays(left, this.judge)],
      object: () => [isEmptyOfObjects(left, this.judge)],
    });
    if (byRules.includes(true)) return true;
    const listed = listedNumbers(left);
    if (listed !== null) return listed.every((value) => !this.accepts(left.schema, value));
    const refuses = schemasUnder(left.views, "not");
    const open = { allOf: [...left.views.map((view) => without(view, "not")), { type: left.type }] };
    if (refuses.some((refused) => this.includes(open, refused).length === 0)) return true;
    const cases = casesOf(left, this.sides.components, isDividedByMembers(left, {}) ? "members" : "alternatives");
    if (cases !== null) return cases.every((each) => this.isEmpty(each));
    const kept = refusedCases(left, this.sides.components);
    return kept?.every((each) => this.isEmpty(each)) ?? false;
  }

  private accepts(schema: JsonSchema, value: Json): boolean {
    return validatorFor(this.sides.checkable).accepts(checkable(schema))(value);
  }
}
