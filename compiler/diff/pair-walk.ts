import type { JsonSchema } from "../contract.ts";
import { Interning } from "../schema/interning.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaAt, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import { type Alternative, alternativePairs, type PairedVisit } from "./alternatives.ts";
import type { Meant } from "./meant.ts";
import { leansOnly, unchangedComponents } from "./same-schema.ts";
import { targetOf } from "./schema-walk.ts";

/** What was found at a place of the values. */
export interface FoundAt<T> {
  /** JSON Pointer into a value; `*` is any item or undeclared member. */
  readonly pointer: string;
  readonly found: T;
}

/** What is looked for where two schemas speak about one place; it depends on them and on their components alone. */
type Look<T> = (visit: PairedVisit, base: Components, head: Components) => readonly T[];

/**
 * A search for something at the places that two schemas both speak about, the outer before the inner, in the order of
 * their names. What two components say inside of a place is told once, where it is met first: so the search ends, however
 * components contain each other. Of two documents each pair of schemas is looked at once, whoever uses it.
 */
export function pairSearch<T>(look: Look<T>): (base: Meant, head: Meant) => readonly FoundAt<T>[] {
  const known = new WeakMap<Components, WeakMap<Components, PairGraph<T>>>();
  return (base, head) => {
    const ofBase = known.get(base.components) ?? new WeakMap<Components, PairGraph<T>>();
    known.set(base.components, ofBase);
    const graph = ofBase.get(head.components) ?? new PairGraph(base.components, head.components, look);
    ofBase.set(head.components, graph);
    return graph.search(base.schema, head.schema);
  };
}

/** Schemas that speak about one place on both sides. */
interface Pair<T> {
  readonly base: readonly JsonSchema[];
  readonly head: readonly JsonSchema[];
  readonly isOfComponents: boolean;
  found: readonly T[];
  /** The pairs one step down, by the token that leads there. */
  next: readonly (readonly [token: string, Pair<T>])[];
  /** The pairs one step up. */
  readonly users: Pair<T>[];
  /** Something is found here or further down. */
  leadsSomewhere: boolean;
}

class PairGraph<T> {
  private readonly base: Components;
  private readonly head: Components;
  private readonly look: Look<T>;
  private readonly unchanged: ReadonlySet<string>;
  private readonly interning = new Interning();
  /** By the numbers of their schemas; null where both sides say the same. */
  private readonly pairs = new Map<string, Pair<T> | null>();
  private readonly unexplored: Pair<T>[] = [];

  constructor(base: Components, head: Components, look: Look<T>) {
    this.base = base;
    this.head = head;
    this.look = look;
    this.unchanged = unchangedComponents(base, head);
  }

  search(base: JsonSchema, head: JsonSchema): readonly FoundAt<T>[] {
    const root = this.pairOf([base], [head]);
    this.explore();
    if (root === null || !root.leadsSomewhere) return [];
    const found: FoundAt<T>[] = [];
    const seen = new Set<Pair<T>>();
    const pending = [{ pair: root, pointer: "" }];
    // A list that grows while it is walked is walked to its new end.
    for (const { pair, pointer } of pending) {
      const isKnown = seen.has(pair);
      if (isKnown && pair.isOfComponents) continue;
      found.push(...pair.found.map((one) => ({ pointer, found: one })));
      if (isKnown) continue;
      seen.add(pair);
      for (const [token, inner] of pair.next) {
        if (inner.leadsSomewhere) pending.push({ pair: inner, pointer: `${pointer}/${token}` });
      }
    }
    return found;
  }

  private pairOf(base: readonly JsonSchema[], head: readonly JsonSchema[]): Pair<T> | null {
    const [before, after] = [base, head].map((schemas) =>
      schemas.map((schema) => this.interning.numberOf(schema)).join(" "),
    );
    const key = `${before}, ${after}`;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const isSame = before === after && base.every((schema) => leansOnly(schema, this.unchanged));
    const isOfComponents = [...base, ...head].every(isReference);
    const made = isSame ? null : { base, head, isOfComponents, found: [], next: [], users: [], leadsSomewhere: false };
    this.pairs.set(key, made);
    if (made !== null) this.unexplored.push(made);
    return made;
  }

  private explore(): void {
    for (let pair = this.unexplored.pop(); pair !== undefined; pair = this.unexplored.pop()) {
      const { base, head } = pair;
      const spoken = { base: speakers(base, this.base), head: speakers(head, this.head) };
      const visit = { ...spoken, written: { base, head } };
      pair.found = this.look(visit, this.base, this.head);
      pair.next = this.partsOf(visit);
      for (const [, inner] of pair.next) inner.users.push(pair);
      if (pair.found.length > 0 || pair.next.some(([, inner]) => inner.leadsSomewhere)) markWithUsers(pair);
    }
  }

  private partsOf(visit: PairedVisit): Pair<T>["next"] {
    const [members, others] = [partsOf(visit.base), partsOf(visit.head)];
    const newcomers = newMembers(visit, this.base, this.head);
    return [...members.keys()].sort().flatMap((token) => {
      const [inner, other] = [members.get(token), others.get(token)].map((list) =>
        list?.filter((schema) => !newcomers.has(schema)),
      );
      if (inner === undefined || other === undefined || inner.length === 0 || other.length === 0) return [];
      const pair = this.pairOf(inner, other);
      return pair === null ? [] : [[token, pair] as const];
    });
  }
}

function markWithUsers<T>(pair: Pair<T>): void {
  const pending = [pair];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.leadsSomewhere) continue;
    at.leadsSomewhere = true;
    pending.push(...at.users);
  }
}

const isReference = (schema: JsonSchema): boolean => schema.$ref !== undefined && Object.keys(schema).length === 1;

/** The schemas, and all that they apply to the same value in turn. */
function speakers(schemas: readonly JsonSchema[], components: Components): readonly JsonSchema[] {
  const entered = new Set<string>();
  const found: JsonSchema[] = [...schemas];
  for (const at of found) {
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && !entered.has(reference)) {
      entered.add(reference);
      const target = targetOf(reference, components);
      if (target !== null) found.push(target.schema);
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) found.push(...schemasAt(at, keyword));
    for (const keyword of ["if", "then", "else"])
      found.push(...[schemaAt(at, keyword)].filter((one) => one !== undefined));
    found.push(...schemaMapAt(at, "dependentSchemas").values());
  }
  return found;
}

/**
 * Members that one alternative of a union names and its counterpart on the other side does not: they came or went as
 * wholes, so nothing is said of them that was said otherwise, whatever other alternatives say by the same name.
 */
function newMembers(visit: PairedVisit, base: Components, head: Components): ReadonlySet<JsonSchema> {
  const found = new Set<JsonSchema>();
  if (![...visit.base, ...visit.head].some(({ anyOf, oneOf }) => anyOf !== undefined || oneOf !== undefined)) {
    return found;
  }
  const paired = alternativePairs(visit, base, head);
  // By their order alone one may be held for another.
  if (paired?.matched.some(([{ key }]) => /\/\d+(?=\/|$)/.test(key)) === true) return found;
  // What stands beside a union speaks in each of its alternatives.
  const known = new Set(paired?.alone.flatMap(membersIn).map(({ schema }) => schema));
  const sortOut = (own: readonly Member[], others: readonly Member[]): void => {
    const names = new Set(others.map(({ name }) => name));
    for (const { name, schema } of own) (names.has(name) ? known : found).add(schema);
  };
  for (const [one, other] of paired?.matched ?? []) {
    const [before, after] = [membersIn(one), membersIn(other)];
    sortOut(before, after);
    sortOut(after, before);
  }
  return new Set([...found].filter((schema) => !known.has(schema)));
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
}

const membersIn = ({ schemas }: Alternative): readonly Member[] =>
  schemas.flatMap((one) => [...schemaMapAt(one, "properties")].map(([name, schema]) => ({ name, schema })));

/** The schemas about each part of a value, by the token that leads to it. */
function partsOf(speaking: readonly JsonSchema[]): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  const add = (token: string, schema: JsonSchema): void => {
    const known = found.get(token);
    if (known === undefined) found.set(token, [schema]);
    else known.push(schema);
  };
  for (const at of speaking) {
    for (const [name, member] of schemaMapAt(at, "properties")) add(escapeToken(name), member);
    for (const [index, item] of schemasAt(at, "prefixItems").entries()) add(String(index), item);
    for (const member of schemaMapAt(at, "patternProperties").values()) add("*", member);
    for (const keyword of ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"]) {
      const inner = schemaAt(at, keyword);
      if (inner !== undefined) add("*", inner);
    }
  }
  return found;
}
