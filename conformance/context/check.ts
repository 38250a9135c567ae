import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Need } from "../arrangements/all.ts";
import type { Effect } from "../arrangements/effect.ts";
import type { CheckContext } from "./context.ts";
import type { Draws } from "./draws.ts";

/** What the seed of a run does to a check. */
export type CheckKind =
  /** Nothing: under every seed it makes the same calls. */
  | "scenario"
  /** It chooses some of the values. */
  | "sampled"
  /** It chooses all the values that are tried. */
  | "property";

/** One check: typed data and a function. It decides each of its rules, or says why it could not. */
export interface Check<Rule extends RuleId = RuleId> {
  /** Stable and unique: `<area>.<what>`. */
  readonly id: string;
  /** A sentence that states the behaviour. */
  readonly title: string;
  readonly rules: readonly Rule[];
  /** The operation for which the check decides its rules; rules that bind many operations are decided for each. */
  readonly operation?: OperationId;
  readonly kind: CheckKind;
  readonly needs: readonly Need[];
  readonly effects: readonly Effect[];
  /** Properties: per run. */
  readonly draws: Draws;
  /**
   * Scopes of keys that the check shares with others (`keyWith`). Whoever asks first makes them, so that they are no part
   * of `draws`: where checks share an organization, a run draws for each of them once.
   */
  readonly sharedKeys?: readonly (readonly string[])[];
  /**
   * What checks share and take from each other across organizations: those that name it run one at a time, unless the
   * target lets the kit arrange a share of its own for each.
   */
  readonly inTurn?: Need;
  /** Properties whose values take many calls: values tried at most, unless a run says how many. */
  readonly mostRuns?: number;
  readonly run: (t: CheckContext<Rule>) => Promise<void>;
}

/** What all organizations order from: a search of one shows what another one may take. */
export const sharedStock: Need = "number-stock";

/** Declares a check, whose function may decide the rules that it names and no others. */
export const check = <const Rule extends RuleId>(declared: Check<Rule>): Check<Rule> => declared;
