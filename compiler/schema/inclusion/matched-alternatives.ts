import type { JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import { schemasAt, without } from "../schema-node.ts";
import { byLikelihood } from "./counterpart.ts";
import type { Left } from "./left.ts";
import { type Naming, namesListed, speakersIn } from "./naming.ts";

/** Pairs of alternatives at most that are looked at together. */
const mostPairs = 10_000;

/** What the comparison of alternatives asks of the proof around it. */
interface AlternativesJudge {
  /** As values are read now: by the letter or by names. */
  readonly includes: (one: JsonSchema, other: JsonSchema) => boolean;
  readonly includesByLetter: (one: JsonSchema, other: JsonSchema) => boolean;
  readonly isEmpty: (schema: JsonSchema) => boolean;
  /** The members that objects of a schema have by name; null where they may have any. */
  readonly naming: (schema: JsonSchema) => Naming | null;
}

/**
 * Whether a value of exactly one alternative of the left side is one of exactly one of the others, since each alternative is
 * included in one of them, its counterpart, and what another one of them admits of it, one more of its own side admits
 * too, or nothing is. So alternatives that nothing tells apart are compared one by one. False where that is not proved.
 */
export function areMatched(
  left: Left,
  others: readonly JsonSchema[],
  judge: AlternativesJudge,
  components: Components,
): boolean {
  return left.views.some((view) => {
    const own = schemasAt(view, "oneOf");
    if (own.length === 0 || own.length * others.length > mostPairs) return false;
    const beside = left.views.map((each) => (each === view ? without(view, "oneOf") : each));
    return new Alternatives(left, beside, own, others, judge, components).areMatched();
  });
}

class Alternatives {
  private readonly left: Left;
  private readonly own: readonly JsonSchema[];
  private readonly others: readonly JsonSchema[];
  private readonly judge: AlternativesJudge;
  /** What the left side's values of each alternative satisfy. */
  private readonly cases: readonly JsonSchema[];
  /** Every name that an alternative of either side lists. */
  private readonly names: ReadonlySet<string>;

  constructor(
    left: Left,
    beside: readonly JsonSchema[],
    own: readonly JsonSchema[],
    others: readonly JsonSchema[],
    judge: AlternativesJudge,
    components: Components,
  ) {
    this.left = left;
    this.own = own;
    this.others = others;
    this.judge = judge;
    const speaking = beside.filter((each) => Object.keys(each).some((keyword) => keyword !== "type"));
    this.cases = own.map((one) => ({ allOf: [...speaking, one, { type: left.type }] }));
    const speakers = [...own, ...others].flatMap((one) => speakersIn(one, components));
    this.names = new Set(speakers.flatMap(({ schema }) => namesListed(schema)));
  }

  areMatched(): boolean {
    const counterparts: (number | null)[] = [];
    for (const [index, one] of this.cases.entries()) {
      const found = byLikelihood(this.others, this.own[index] ?? {}, index).find(({ branch }) =>
        this.judge.includes(one, branch),
      );
      if (found === undefined && !this.judge.isEmpty(one)) return false;
      counterparts.push(found?.at ?? null);
    }
    return counterparts.every(
      (counterpart, index) =>
        counterpart === null ||
        this.others.every((_, other) => other === counterpart || this.isAlone(index, other, counterparts)),
    );
  }

  /** Whether no value that satisfies one alternative of its side alone satisfies this one of the others. */
  private isAlone(index: number, other: number, counterparts: readonly (number | null)[]): boolean {
    const branch = this.others[other] ?? {};
    const rivals = this.own.filter((_, rival) => rival !== index && counterparts[rival] === other);
    if (rivals.some((rival) => this.judge.includesByLetter(branch, rival))) return true;
    const shared = { allOf: [this.cases[index] ?? {}, branch, this.unnamed(index)] };
    return this.judge.isEmpty(shared) || rivals.some((rival) => this.judge.includesByLetter(shared, rival));
  }

  /** That no member is there which other alternatives alone name, of either side: nobody exchanges it. */
  private unnamed(index: number): JsonSchema {
    const naming = this.left.type === "object" ? this.judge.naming(this.cases[index] ?? {}) : null;
    if (naming === null) return {};
    const absent = [...this.names].filter((name) => !naming.has(name));
    return { properties: Object.fromEntries(absent.map((name) => [name, false])) };
  }
}
