import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Decorate } from "./ports.ts";
import type { Wire } from "./wire.ts";

/** A server that differs from the reference, and what the difference proves. */
export type Edit = Mutant | Contrarian;

/** What is changed: what goes over the wire, what the server reaches the outside through, or what else it is. */
export type Change = WireChange | PortChange | SourceChange;

/** Called once for each server, so that what it remembers is that server's. */
export interface WireChange {
  readonly wire: Wire;
}

/** Called once for each server, so that what it remembers is that server's. */
export interface PortChange {
  readonly ports: Decorate;
}

/** A change of the server's source: of nodes of its syntax, whatever their formatting. */
export interface SourceChange {
  /** Path relative to `reference-server/`. */
  readonly file: string;
  /** Dotted path of the declaration or member that it is in, such as `Courier.start`; the whole file unless given. */
  readonly symbol?: string;
  /** A node, or several that follow each other, that stand there exactly once. */
  readonly find: string;
  readonly replace: string;
}

interface Described {
  /** Stable and unique. */
  readonly id: string;
  /** What the edited server does, in a sentence. */
  readonly does: string;
  readonly changes: readonly Change[];
}

/** Breaks one rule; a check of that rule must find it. */
export interface Mutant extends Described {
  readonly breaks: RuleId;
  /** The operation at which alone it is broken: the rule's check of this operation must find it. */
  readonly at?: OperationId;
  /** Why the server must throw for this: where it is given, failures that the server logs are part of the fault. */
  readonly throws?: string;
  /** The shapes of the target file: a server may fail at properties of its own. */
  readonly shapes?: Readonly<Record<string, ShapeOfOperation>>;
}

interface ShapeOfOperation {
  readonly request: Readonly<Record<string, string | null>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, readonly [first: string, second: string]>>;
  readonly response: Readonly<Record<string, string>>;
}

/** Answers an open question in another lawful way; no check may mind. */
export interface Contrarian extends Described {
  /** Id of the question. */
  readonly answers: string;
  /**
   * Where the kit is told to look, by operation: the contract's field to the server's, in request and answer. Needed of
   * a server that has another shape where the document shows none.
   */
  readonly shapes?: Readonly<Record<string, ShapeOfOperation>>;
  /** Ids of contrarians with which this one makes no lawful server. */
  readonly excludes?: readonly string[];
}
