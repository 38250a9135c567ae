import { entities } from "../../../generated/states.ts";
import type { Need } from "../../arrangements/all.ts";
import type { Effect } from "../../arrangements/effect.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";

type Entity = (typeof entities)[number];

/** An entity of which the contract shows moves. */
export type EntityName = Extract<Entity, { transitions: readonly [unknown, ...unknown[]] }>["name"];

/** A move of an entity, as the contract shows it. */
export type Move = Entity["transitions"][number];

type MoveOf<Name extends EntityName> = Extract<Entity, { name: Name }>["transitions"][number];

/** A state from which, or to which, the contract shows a move. */
export type State = Move["from" | "to"];

/** Names what a client calls: the operation, and what it is asked for where it can be asked for several things. */
export type CallOf<Name extends EntityName> = NameOfCall<MoveOf<Name>>;

type NameOfCall<Move> = Move extends { operation: infer Operation extends string; asks: infer Asks }
  ? Asks extends string
    ? `${Operation} ${Asks}`
    : Operation
  : never;

/** What a move of the contract depends on besides the state. */
export type ConditionOf<Name extends EntityName> = Extract<MoveOf<Name>, { condition: string }>["condition"];

/** A state, and what else is so by which moves are decided. */
export interface Situation<Facts> {
  readonly state: State;
  readonly facts: Facts;
}

/** One record, or setting, that is taken through its states. */
export interface Subject {
  readonly as: Credential;
}

/** What the kit does with a subject besides the calls of which the contract shows the answers. */
export interface Step<Facts, Of> {
  /** What it makes of a situation; null where it cannot be done. */
  readonly becomes: (situation: Situation<Facts>) => Situation<Facts> | null;
  /** Blocks where it does not succeed. */
  readonly run: (t: CheckContext, subject: Of) => Promise<void>;
}

/** Makes a call once, or where its answer may be early, until it is not. */
export type MachineCall<Of> = (t: CheckContext, subject: Of, state: State) => Promise<Exchange>;

/** What a subject shows of its state, and the answer that shows it; null where nothing was asked. */
export interface ShownState {
  readonly state: string;
  readonly exchange: Exchange | null;
}

/** What a subject showed before a call, and whether it is to show that still. */
export interface ShownBefore {
  readonly state: string;
  readonly stays: boolean;
}

/** A move that the contract shows and the machine does not make: what comes of it is open in what the machine can bring about. */
export interface LeftMove<Name extends EntityName, Facts> {
  readonly state: State;
  readonly call: CallOf<Name>;
  /** Where it is left; wherever it could be made if nothing is given. */
  readonly where?: (facts: Facts) => boolean;
  /** The check that decides its rule. */
  readonly decidedBy: string;
}

/**
 * How an entity of the contract is taken through its states. The moves themselves stand in the contract: which call does
 * what in which state, how it is answered, and which rules say so.
 */
export interface Machine<Name extends EntityName, Facts, Of extends Subject> {
  readonly entity: Name;
  readonly title: string;
  readonly needs: readonly Need[];
  readonly effects: readonly Effect[];
  /** As a check's. */
  readonly inTurn?: Need;
  /** Where walks begin. */
  readonly starts: readonly Situation<Facts>[];
  /** Makes a subject in one of them. */
  readonly begin: (t: CheckContext, start: Situation<Facts>) => Promise<Of>;
  readonly calls: { readonly [Call in CallOf<Name>]: MachineCall<Of> };
  readonly holds: { readonly [Condition in ConditionOf<Name>]: (facts: Facts) => boolean };
  /** What a call that succeeds makes of the facts; as they were where none is given. */
  readonly becomes?: { readonly [Call in CallOf<Name>]?: (facts: Facts) => Facts };
  readonly steps: Readonly<Record<string, Step<Facts, Of>>>;
  /**
   * Calls that ask, in some state, for what is so already. However they are answered, nothing moves: the moves that
   * follow show it.
   */
  readonly idle?: readonly CallOf<Name>[];
  /** Which situations walks lead to; all where it is not given. */
  readonly within?: (facts: Facts) => boolean;
  readonly left?: readonly LeftMove<Name, Facts>[];
  /**
   * What the subject shows of its state; after a call once it is as it should be, or what it is in the end. Without it
   * what the organization has is compared, where a call is refused.
   */
  readonly shown?: (t: CheckContext, subject: Of, before: ShownBefore | null) => Promise<ShownState>;
}

/** The moves of an entity. */
export const movesOf = (name: EntityName): readonly Move[] =>
  entities.filter((entity) => entity.name === name).flatMap(({ transitions }): readonly Move[] => transitions);

/** Names the call of a move. */
export const callOf = ({ operation, asks }: { readonly operation: string | null; readonly asks: string | null }) =>
  asks === null ? String(operation) : `${operation} ${asks}`;
