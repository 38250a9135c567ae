import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Doubt } from "./inclusion/doubt.ts";
import { findCounterexample } from "./inclusion/find-counterexample.ts";
import { ProofTooLong, Prover } from "./inclusion/prover.ts";
import { checkable, checkableSide, plain, type Sided, type TwoSides, twoSides } from "./inclusion/two-sides.ts";
import { UnresolvedReference } from "./resolve-reference.ts";
import { UnusableSchema, type Violation, validatorFor } from "./validator.ts";

export type { Sided };

export type Inclusion =
  | { readonly kind: "included" }
  | {
      readonly kind: "not-included";
      /** Valid under the first schema, refused under the second. */
      readonly counterexample: Json;
      /** JSON Pointer to what is refused in it. */
      readonly pointer: string;
      readonly keyword: string;
      readonly why: string;
    }
  | { readonly kind: "unknown"; readonly why: string };

const provers = new WeakMap<TwoSides, Prover>();

/**
 * Is every value that is valid under the one schema also valid under the other? "included" is proved from the
 * structure of both; "not-included" is shown by a value that the validator accepts under the one and refuses under
 * the other; all else is unknown. Annotations don't count. Texts are taken to be well-formed Unicode.
 */
export function includes(one: Sided, other: Sided): Inclusion {
  try {
    return judge(one, other);
  } catch (error) {
    if (error instanceof UnusableSchema || error instanceof UnresolvedReference) {
      return { kind: "unknown", why: error.message };
    }
    throw error;
  }
}

function judge(one: Sided, other: Sided): Inclusion {
  const sides = twoSides(one.components, other.components);
  const [first, second] = [sides.first(one.schema), sides.second(other.schema)];
  if (canonicalJson(first) === canonicalJson(second)) return { kind: "included" };
  // What can't be compiled can't be compared: a malformed keyword would read as absent.
  const [valid, validThere] = [one, other].map(({ schema, components }) =>
    validatorFor(checkableSide(components)).compile(checkable(plain(schema))),
  );
  const doubts = proved(first, second, sides);
  if (doubts.length === 0 || valid === undefined || validThere === undefined) return { kind: "included" };
  const found = findCounterexample(first, second, doubts, sides);
  if (found === null) return { kind: "unknown", why: `Not proved: ${told(doubts)}. No value was found that shows it.` };
  const { value } = found;
  // The two sides as one is a matter of this library: the verdict rests on each side by itself.
  const violation = cause(validThere(value));
  if (valid(value).length > 0 || violation === null) {
    return { kind: "unknown", why: `Not proved: ${told(doubts)}. ${JSON.stringify(value)} is judged in two ways.` };
  }
  const { pointer, keyword } = violation;
  return { kind: "not-included", counterexample: value, pointer, keyword, why: sentence(violation) };
}

function sentence({ pointer, keyword, message }: Violation): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return `${pointer} is missing`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return `${pointer} is not provided for`;
    default:
      return `${pointer === "" ? "the value" : pointer} ${message}`;
  }
}

function proved(first: JsonSchema, second: JsonSchema, sides: TwoSides): readonly Doubt[] {
  const prover = provers.get(sides) ?? new Prover(sides);
  provers.set(sides, prover);
  try {
    return prover.prove(first, second);
  } catch (error) {
    if (!(error instanceof ProofTooLong)) throw error;
    return [{ pointer: "", keyword: "allOf", suspects: first }];
  }
}

const told = (doubts: readonly Doubt[]): string => {
  const distinct = new Set(
    doubts.map(({ pointer, keyword }) => `"${keyword}" at ${pointer === "" ? "the value" : pointer}`),
  );
  return [...distinct].slice(0, 3).join(", ");
};

const unions: readonly string[] = ["anyOf", "oneOf"];

/** Of a value's violations the one to tell: a union as a whole, before what is wrong under each of its alternatives. */
function cause(violations: readonly Violation[]): Violation | null {
  const whole = violations.filter(({ keyword }) => unions.includes(keyword));
  const isDetail = ({ pointer, keyword }: Violation): boolean =>
    !unions.includes(keyword) && whole.some((union) => `${pointer}/`.startsWith(`${union.pointer}/`));
  return violations.find((violation) => !isDetail(violation)) ?? null;
}
