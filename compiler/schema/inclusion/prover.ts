import type { Json, JsonSchema } from "../../contract.ts";
import { canonicalJson, sameJson } from "../canonical-json.ts";
import { flatten } from "../flatten.ts";
import { closedPlainly } from "../intersect.ts";
import { referencesIn, resolveReference } from "../resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isNothing,
  type JsonType,
  schemaAt,
  schemasAt,
  stringAt,
  withDefined,
  without,
} from "../schema-node.ts";
import { validatorFor } from "../validator.ts";
import { arrayDoubts, isEmptyOfArrays } from "./array-rules.ts";
import { type Doubt, doubt, type Judge, mostDoubts, narrowed } from "./doubt.ts";
import { casesOf, finiteTypes, type Left, leftSide, schemasUnder } from "./left.ts";
import { isEmptyOfNumbers, listedNumbers, numberDoubts, typeDoubts } from "./number-rules.ts";
import { isEmptyOfObjects, objectDoubts } from "./object-rules.ts";
import { obligationsOf } from "./obligations.ts";
import { isEmptyOfTexts, stringDoubts, valuesDoubts } from "./string-rules.ts";
import { branchesFor, type TaggedUnion, taggedUnion } from "./tagged-union.ts";
import { checkable, type TwoSides } from "./two-sides.ts";

/** The proof takes more steps than it may. */
export class ProofTooLong extends Error {
  override readonly name = "ProofTooLong";
}

/** Steps of one proof; those of all proofs of two documents after which each takes a short cut, or gets only a few. */
const mostSteps = { atFirst: 20_000, thorough: 60_000, inAll: 400_000, afterwards: 1_000 } as const;
const deepest = 2_000;
/** Claims proved inside of each other; beyond, one about components is put off, for the stack's sake. */
const mostOpen = 100;
/** Pieces in pieces of what is said of one value; a schema that refers to itself without an object or array between goes on for ever. */
const mostNesting = 200;

/** Alternatives that a member tells apart are compared one by one, however many. */
const mostTaggedCases = 2_000;

/** Earlier than any open claim. */
const onPutOff = -1;

/** A claim that is being proved; a claim about parts of the value may rest on it. */
interface Open {
  readonly depth: number;
  readonly order: number;
}

/**
 * Proves claims about the schemas of two sides: that one includes another, that none satisfies one. A claim may be
 * taken for granted while it is being proved, of smaller values only: values are finite, so the proof is by induction on
 * their size. What is left out of account makes the left side larger, so that proofs stay sound; what can't be proved is
 * doubted, which says nothing yet.
 */
export class Prover {
  private readonly sides: TwoSides;
  private readonly open = new Map<string, Open>();
  private readonly settled = new Map<string, readonly Doubt[]>();
  private depth = 0;
  private nesting = 0;
  /** Depth of the open claim that was opened last. */
  private innermost = -1;
  private steps = 0;
  private stepsInAll = 0;
  /** Order of the earliest open claim that the current one rests on. */
  private restsOn = Infinity;
  /** Claims that rest on open ones, with the order of the earliest, in the order in which they were proved. */
  private readonly provisional = new Map<string, number>();
  /** Claims of the current proof that fail even with open ones taken for granted. */
  private readonly failed = new Map<string, readonly Doubt[]>();
  private readonly unions = new Map<string, TaggedUnion | null>();
  /** Claims taken for granted that are still to be proved. */
  private readonly putOff = new Map<string, () => readonly Doubt[]>();
  private readonly judge: Judge;

  constructor(sides: TwoSides) {
    this.sides = sides;
    this.judge = {
      includes: (one, other) => this.includes(one, other),
      isEmpty: (schema) => this.isEmpty(schema),
      partIncludes: (part, other) => this.deeper(() => this.includes(part, other)),
      partIsEmpty: (part) => this.deeper(() => this.isEmpty(part)),
      accepts: (schema, value) => {
        if (isAnything(schema)) return true;
        return this.isCheckable(schema) ? this.accepts(schema, value) : null;
      },
    };
  }

  /** What stands against every value of the one being one of the other; nothing, when that is proved. */
  prove(one: JsonSchema, other: JsonSchema): readonly Doubt[] {
    this.stepsInAll += this.steps;
    this.steps = 0;
    this.failed.clear();
    for (;;) {
      this.putOff.clear();
      this.provisional.clear();
      const doubts = this.fromTheTop(0, () => this.includes(one, other));
      const fails = this.provePutOff();
      // What was put off and fails is known now, and the proof is made once more without it.
      if (fails && doubts.length < mostDoubts) continue;
      if (!fails) for (const proved of this.provisional.keys()) this.settled.set(proved, []);
      return doubts;
    }
  }

  private fromTheTop(depth: number, prove: () => readonly Doubt[]): readonly Doubt[] {
    this.depth = depth;
    this.nesting = 0;
    this.innermost = -1;
    this.open.clear();
    this.restsOn = Infinity;
    return prove();
  }

  /** Proves what was put off, each resting on all others; true when any of it fails. */
  private provePutOff(): boolean {
    let fails = false;
    // A map that grows while it is walked is walked to its new end.
    for (const [key, prove] of this.putOff) {
      if (this.provisional.has(key)) continue;
      if (this.fromTheTop(1, prove).length > 0) fails = true;
    }
    return fails;
  }

  private deeper<T>(prove: () => T): T {
    const nesting = this.nesting;
    this.depth++;
    this.nesting = 0;
    try {
      return prove();
    } finally {
      this.depth--;
      this.nesting = nesting;
    }
  }

  private includes(one: JsonSchema, other: JsonSchema): readonly Doubt[] {
    if (isAnything(other) || isNothing(one) || sameJson(one, other)) return [];
    const unproved = [{ pointer: "", keyword: "$ref", origin: null, suspects: one }];
    const key = `${canonicalJson(one)} in ${canonicalJson(other)}`;
    const isOfComponents = isReference(one) && isReference(other);
    const prove = (): readonly Doubt[] => {
      const side = leftSide(one, this.sides.components);
      const doubts =
        side.kind === "values"
          ? this.valueDoubts(one, side.values, other)
          : this.some(side.lefts, (left) => this.leftDoubts(left, other));
      return isOfComponents ? doubts.map((each) => originatingIn(key, each)) : doubts;
    };
    return this.claim(key, unproved, prove, isOfComponents ? () => this.includes(one, other) : null);
  }

  private isEmpty(schema: JsonSchema): boolean {
    if (isNothing(schema)) return true;
    const unproved = [{ pointer: "", keyword: "not", origin: null, suspects: schema }];
    const prove = (): readonly Doubt[] => {
      const side = leftSide(schema, this.sides.components);
      const isNone =
        side.kind === "values"
          ? side.values.every((value) => !this.accepts(schema, value))
          : side.lefts.every((left) => this.isEmptyLeft(left));
      return isNone ? [] : unproved;
    };
    return this.claim(`none of ${canonicalJson(schema)}`, unproved, prove, null).length === 0;
  }

  /**
   * Proves a claim once, or takes it for granted. What is proved with claims that are still open stands until one of them
   * fails; what fails with their help fails without it.
   */
  private claim(
    key: string,
    unproved: readonly Doubt[],
    prove: () => readonly Doubt[],
    later: (() => readonly Doubt[]) | null,
  ): readonly Doubt[] {
    const known = this.settled.get(key) ?? this.failed.get(key);
    if (known !== undefined) return known;
    const above = this.open.get(key);
    if (above !== undefined) {
      if (above.depth >= this.depth) return unproved;
      this.restsOn = Math.min(this.restsOn, above.order);
      return [];
    }
    const rest = this.provisional.get(key);
    // About a part of what each open claim is about: whichever of them it rests on is about a larger value.
    if (rest !== undefined && this.depth > this.innermost) {
      this.restsOn = Math.min(this.restsOn, rest);
      return [];
    }
    if (this.open.size > mostOpen) {
      if (later === null || this.depth <= this.innermost || this.depth > deepest) return unproved;
      this.putOff.set(key, later);
      this.restsOn = onPutOff;
      return [];
    }
    this.step();
    const order = this.open.size;
    const [outer, around] = [this.restsOn, this.innermost];
    const before = this.provisional.size;
    this.restsOn = Infinity;
    this.innermost = this.depth;
    this.open.set(key, { depth: this.depth, order });
    const doubts = eachOnce(prove()).slice(0, mostDoubts);
    this.open.delete(key);
    this.innermost = around;
    this.conclude(key, doubts, order, before);
    this.restsOn = Math.min(outer, this.restsOn);
    return doubts;
  }

  private conclude(key: string, doubts: readonly Doubt[], order: number, before: number): void {
    const since = [...this.provisional].slice(before);
    const isAlone = this.restsOn >= order;
    if (doubts.length > 0) {
      for (const [other] of since) this.provisional.delete(other);
      // What was taken for granted was not looked at: once more doubts may be found where it is no longer open.
      const isFinal = isAlone || this.stepsInAll + this.steps > mostSteps.thorough;
      (isFinal ? this.settled : this.failed).set(key, doubts);
    } else if (isAlone) {
      for (const [other] of since) {
        this.provisional.delete(other);
        this.settled.set(other, []);
      }
      this.settled.set(key, doubts);
    } else {
      for (const [other, rest] of since) this.provisional.set(other, Math.min(rest, this.restsOn));
      this.provisional.set(key, this.restsOn);
    }
    if (isAlone) this.restsOn = Infinity;
  }

  private step(): void {
    const most = this.stepsInAll > mostSteps.inAll ? mostSteps.afterwards : mostSteps.atFirst;
    if (++this.steps > most) throw new ProofTooLong("The proof takes too many steps.");
  }

  private some<T>(all: readonly T[], doubts: (one: T) => readonly Doubt[]): readonly Doubt[] {
    const found: Doubt[] = [];
    for (const one of all) {
      if (found.length >= mostDoubts) break;
      found.push(...doubts(one));
    }
    return found;
  }

  private valueDoubts(one: JsonSchema, values: readonly Json[], other: JsonSchema): readonly Doubt[] {
    const isTold = this.isCheckable(other);
    const doubted = values.filter((value) => this.accepts(one, value) && !(isTold && this.accepts(other, value)));
    if (doubted.length === 0) return [];
    return [{ pointer: "", keyword: "enum", origin: null, suspects: { enum: doubted } }];
  }

  private leftDoubts(left: Left, other: JsonSchema): readonly Doubt[] {
    const listed = finiteTypes.get(left.type) ?? listedNumbers(left);
    if (listed !== null) return this.valueDoubts(left.schema, listed, other);
    return this.some(obligationsOf(other), (part) => this.partDoubts(left, part));
  }

  /** First of the left side as a whole, then case by case. */
  private partDoubts(left: Left, part: JsonSchema): readonly Doubt[] {
    this.step();
    if (this.nesting > mostNesting) throw new ProofTooLong("The proof nests too deep.");
    this.nesting++;
    const tagged = this.taggedDoubts(left, part);
    const direct = tagged ?? this.direct(left, part);
    this.nesting--;
    if (tagged !== null) return tagged.length === 0 || this.isEmpty(left.schema) ? [] : tagged;
    if (direct.length === 0 || this.isEmpty(left.schema)) return [];
    const cases = casesOf(left, this.sides.components);
    if (cases === null) return direct;
    return this.some(cases, (each) => this.includes(each, part));
  }

  /** Of alternatives that a member tells apart each is compared with its own; null where nothing tells them apart. */
  private taggedDoubts(left: Left, part: JsonSchema): readonly Doubt[] | null {
    if (left.type !== "object" || (part.anyOf === undefined && part.oneOf === undefined)) return null;
    const union = this.taggedUnion(part);
    if (union === null) return null;
    const found = branchesFor(left, union, this.sides.components);
    const [only, ...others] = found?.met ?? [];
    if (found === null || others.length > 0 || (only !== undefined && found.unmet.length > 0)) {
      const cases = casesOf(left, this.sides.components, mostTaggedCases);
      return cases === null ? null : this.some(cases, (each) => this.includes(each, part));
    }
    if (only !== undefined) return this.leftDoubts(left, only);
    return [doubt(left, union.keyword, { properties: { [union.name]: { enum: found.unmet } } })];
  }

  private taggedUnion(part: JsonSchema): TaggedUnion | null {
    const key = canonicalJson(part);
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
    if (part.allOf !== undefined) return this.some(schemasAt(part, "allOf"), (each) => this.leftDoubts(left, each));
    if (part.type !== undefined) return typeDoubts(left, part);
    const values = enumerated(part);
    if (values !== undefined) return valuesDoubts(left, values, part.enum ? "enum" : "const");
    if (part.anyOf !== undefined) return this.anyOfDoubts(left, schemasAt(part, "anyOf"), "anyOf");
    if (part.oneOf !== undefined) return this.oneOfDoubts(left, schemasAt(part, "oneOf"));
    const refused = schemaAt(part, "not");
    if (refused !== undefined) return this.notDoubts(left, refused);
    if (part.if !== undefined) return this.conditionDoubts(left, part);
    return this.ofType(left.type, {
      string: () => stringDoubts(left, part),
      number: () => numberDoubts(left, part),
      array: () => arrayDoubts(left, part, this.judge),
      object: () => objectDoubts(left, part, this.judge),
    });
  }

  private ofType<T>(
    type: JsonType,
    rules: { readonly [name in "string" | "number" | "array" | "object"]: () => readonly T[] },
  ): readonly T[] {
    switch (type) {
      case "string":
      case "number":
      case "array":
      case "object":
        return rules[type]();
      case "integer":
        return rules.number();
      case "null":
      case "boolean":
        return [];
    }
  }

  private anyOfDoubts(left: Left, branches: readonly JsonSchema[], keyword: string): readonly Doubt[] {
    const inEach: (readonly Doubt[])[] = [];
    for (const branch of branches) {
      const doubts = this.leftDoubts(left, branch);
      if (doubts.length === 0) return [];
      inEach.push(doubts);
    }
    const first = inEach.flatMap((doubts) => doubts.slice(0, 1));
    return [
      doubt(left, keyword, { allOf: first.map(({ suspects }) => suspects) }),
      doubt(left, keyword, { not: { anyOf: branches } }),
      ...first.map(({ suspects }) => ({ pointer: "", keyword, origin: null, suspects })),
    ];
  }

  private oneOfDoubts(left: Left, branches: readonly JsonSchema[]): readonly Doubt[] {
    const unions = left.views.filter((view) => view.oneOf !== undefined).map((view) => schemasAt(view, "oneOf"));
    if (unions.some((own) => this.areSame(own, branches))) return [];
    const within = this.anyOfDoubts(left, branches, "oneOf");
    if (within.length > 0) return within;
    const rival = (one: JsonSchema, other: JsonSchema): JsonSchema => narrowed(left, one, other);
    for (const [index, branch] of branches.entries()) {
      if (this.leftDoubts(left, branch).length > 0) continue;
      const others = branches.filter((_, other) => other !== index);
      const shared = others.filter((other) => !this.isEmpty(narrowed(left, other)));
      if (shared.length === 0) return [];
      return shared.map((other) => ({ pointer: "", keyword: "oneOf", origin: null, suspects: rival(branch, other) }));
    }
    return [doubt(left, "oneOf", {})];
  }

  /** Each alternative of the one means the same as one of the other, in whatever order. */
  private areSame(some: readonly JsonSchema[], others: readonly JsonSchema[]): boolean {
    if (some.length !== others.length) return false;
    const left = [...others];
    return some.every((one) => {
      const at = left.findIndex(
        (other) => this.includes(one, other).length === 0 && this.includes(other, one).length === 0,
      );
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  private notDoubts(left: Left, refused: JsonSchema): readonly Doubt[] {
    const own = schemasUnder(left.views, "not");
    if (own.some((mine) => this.includes(refused, mine).length === 0)) return [];
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
    const byRules = this.ofType(left.type, {
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
    const cases = casesOf(left, this.sides.components);
    return cases?.every((each) => this.isEmpty(each)) ?? false;
  }

  private accepts(schema: JsonSchema, value: Json): boolean {
    return validatorFor(this.sides.checkable).accepts(checkable(schema))(value);
  }

  /** False where a format that nobody can check may have its say. */
  private isCheckable(schema: JsonSchema): boolean {
    const pending = [schema];
    const seen = new Set<string>();
    for (const at of pending) {
      if (!sameJson(checkable(at), at)) return false;
      for (const reference of referencesIn(at)) {
        if (seen.has(reference)) continue;
        seen.add(reference);
        pending.push(resolveReference(reference, this.sides.components));
      }
    }
    return true;
  }
}

const isReference = (schema: JsonSchema): boolean => schema.$ref !== undefined && Object.keys(schema).length === 1;

const originatingIn = (claim: string, doubt: Doubt): Doubt =>
  doubt.origin === null ? { ...doubt, origin: `${claim} at ${doubt.pointer}` } : doubt;

/** Most places that are told of what one difference of components makes doubtful, and most doubts of one place. */
const mostOfOrigin = 2;
const mostOfPlace = 8;

/** What differs in a component is doubted where it is met first, and at few places more. */
function eachOnce(doubts: readonly Doubt[]): readonly Doubt[] {
  if (doubts.length < 2) return doubts;
  const places = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  const depth = ({ pointer }: Doubt): number => pointer.split("/").length;
  return doubts
    .toSorted((one, other) => depth(one) - depth(other))
    .filter(({ origin, pointer }) => {
      const count = (counts.get(pointer) ?? 0) + 1;
      counts.set(pointer, count);
      if (count > mostOfPlace) return false;
      if (origin === null) return true;
      const known = places.get(origin) ?? new Set();
      places.set(origin, known);
      return known.size < mostOfOrigin ? known.add(pointer) : known.has(pointer);
    });
}

const speaksOfUnevaluated = ({ type }: Left, schema: JsonSchema): boolean =>
  (type === "array" && schema.unevaluatedItems !== undefined) ||
  (type === "object" && schema.unevaluatedProperties !== undefined);
