import type { CallerKind, JsonSchema, Operation, ServiceName } from "../contract.ts";
import type { Reading } from "../schema/inclusion.ts";
import { closedTogether } from "./closed-together.ts";
import { withoutContraryDemands } from "./contrary-demands.ts";
import { directionView } from "./direction-view.ts";
import { placeOn, type Where } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import type { Includes, Meant } from "./judge.ts";

/** One side of a comparison of documents. */
export interface DocumentSide {
  readonly surface: HttpSurface;
  /** The service's operations, by method and path. */
  readonly facts: ReadonlyMap<string, Operation>;
  /** Whom each kind of caller lets in. */
  readonly callers: ReadonlyMap<string, readonly string[]>;
  readonly request: (schema: JsonSchema) => Meant;
  readonly response: (schema: JsonSchema) => Meant;
  /** What is compared of a schema: without demands that nothing can meet, unless objects are read by the letter. */
  readonly compared: (meant: Meant) => Meant;
}

/** What every comparison of two documents needs. */
export interface DocumentContext {
  readonly service: ServiceName;
  /** Begins every pointer: where the document stands in the contract. */
  readonly prefix: string;
  readonly base: DocumentSide;
  readonly head: DocumentSide;
  /** New names of error rows that are what they were, by the old ones. */
  readonly renamedErrors: ReadonlyMap<string, string>;
  readonly includes: Includes;
  /** Values are written as texts, of which none says null. */
  readonly isText?: true;
}

export function documentSide(
  surface: HttpSurface,
  operations: readonly Operation[],
  callers: readonly CallerKind[],
  reading: Reading = "names",
): DocumentSide {
  const asMeant = reading === "letter" ? null : closedTogether(surface.components);
  const viewed = (direction: "request" | "response"): DocumentSide["request"] => {
    const view = directionView(asMeant?.components ?? surface.components, direction);
    return (schema) => view(asMeant?.read(schema) ?? schema);
  };
  return {
    surface,
    facts: new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation])),
    callers: new Map(callers.map(({ name, admits }) => [name, admits])),
    request: viewed("request"),
    response: viewed("response"),
    compared: reading === "letter" ? (meant) => meant : withoutContraryDemands,
  };
}

export const factsOf = (side: DocumentSide, operation: HttpOperation | undefined): Operation | undefined =>
  operation === undefined ? undefined : side.facts.get(`${operation.method} ${operation.path}`);

/** A matched operation, or one that only one side has. */
export interface OperationPair {
  readonly base: HttpOperation | undefined;
  readonly head: HttpOperation | undefined;
}

/** Where changes of an operation stand; `pointer` is within the document. */
export function whereOf(context: DocumentContext, { base, head }: OperationPair, pointer: string): Where {
  const shown = head ?? base;
  const facts = { base: factsOf(context.base, base), head: factsOf(context.head, head) };
  return {
    service: context.service,
    operation: shown === undefined ? null : `${shown.method.toUpperCase()} ${shown.path}`,
    pointer: `${context.prefix}${pointer}`,
    prefix: context.prefix,
    place: placeOn("head", facts.head?.place) ?? placeOn("base", facts.base?.place),
    about: [...new Set([facts.base?.id, facts.head?.id].filter((id) => id !== undefined))],
  };
}
