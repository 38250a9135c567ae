import type { RuleId } from "../../generated/rules.ts";
import type { Admitted, Misanswer } from "../evidence/misanswer.ts";
import type { Place } from "../evidence/place.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { StorySoFar, ToldStory } from "../story/step.ts";
import type { ToldTally } from "../story/told-tally.ts";

/** How a rule stands after a run. */
export type Verdict = "pass" | "fail" | "warn" | "blocked" | "not_applicable" | "observed" | "kit_error";

/** What one check found about one rule. */
export interface Finding {
  readonly rule: RuleId;
  readonly check: string;
  readonly verdict: Verdict;
  /** Why: for a breach what was seen, for a blocked rule what is missing. */
  readonly message: string;
  /** For a breach: what the rule admits. */
  readonly expected: string | null;
  readonly actual: string | null;
  /** The exchanges that show it, in order. */
  readonly exchanges: readonly Exchange[];
  /** The deliveries that show it, in order. */
  readonly deliveries: readonly DeliverySeen[];
  /** For a blocked rule: the cheapest way to unblock it. */
  readonly unblock: string | null;
  /** For a blocked rule: where the block comes from. */
  readonly origin: BlockOrigin | null;
  /** For a breach: open question under another reading of which it would have passed; null where there is none. */
  readonly question: string | null;
  /** The value of a property that shows it; null where no value was chosen by one. */
  readonly counterexample: Counterexample | null;
  /** For a breach: where it shows. */
  readonly at?: readonly Place[];
  /** For a breach: what came, where an answer is wrong as a whole. */
  readonly came?: Misanswer | null;
  /** For a breach: of what came in place of it. Empty where words alone tell. */
  readonly admits?: readonly Admitted[];
  /** For a breach: what was waited for never came. */
  readonly isSilence?: boolean;
  /** For a breach: what came was to come elsewhere. */
  readonly isAstray?: boolean;
  /** For a breach: its words say what decides. */
  readonly isNarrowed?: boolean;
  /** For a breach: a call changed what it was to leave as it was. */
  readonly isEffect?: boolean;
  /** For a breach: how like calls were answered that left all as it was, such as "403 FORBIDDEN"; one for each call. */
  readonly spared?: readonly string[];
  /** For what the monitor saw: the check in whose course it did; null where one check alone may not show it. */
  readonly during?: string | null;
  /** For what the monitor saw: operations whose answers break the rule, in the order in which they did. */
  readonly operations?: readonly string[];
  /** For a breach: all that was done in the check until then. */
  readonly story?: StorySoFar;
}

/** A finding as reports show it, without secrets. */
export interface ToldFinding extends Omit<Finding, "story" | "at"> {
  /** Where a breach shows; empty where no single place does. */
  readonly at: readonly Place[];
  /** What is likely wrong behind a breach. */
  readonly likely: readonly Likely[];
  /** What came when the call that shows a breach was made again after the check, as it was and otherwise; empty where it was not. */
  readonly askedAgain: readonly string[];
  /** How it came to a breach; null for anything else. */
  readonly told: ToldStory | null;
  /** How calls like the one that shows a breach fared; null where that is not known, and for anything else. */
  readonly tally: ToldTally | null;
}

/** A guess at what is wrong behind a breach, with what speaks for it. */
export interface Likely {
  /** Id of the probe that guesses. */
  readonly probe: string;
  readonly says: string;
  /** Readings that it leaves open, where that is more than one; not there for one. */
  readonly readings?: number;
  /** Numbers of the steps of its story that it names, from 1; not there for none. */
  readonly steps?: readonly number[];
}

/** Whether it was found that a rule does not hold. */
export const isBreach = ({ verdict }: Pick<Finding, "verdict">): boolean => verdict === "fail" || verdict === "warn";

/** A value that a property chose, and what finds it again. */
export interface Counterexample {
  /** Seed of the run. */
  readonly seed: number;
  /** Where the value lies among those that the check tries with that seed, such as "3:1:0". */
  readonly path: string;
  /** The value in writing; commands as the calls that they make. */
  readonly value: string;
}

/** Where a block comes from: the target file lacks something, the surroundings failed, or the server refused a set-up. */
export type BlockOrigin = "target file" | "environment" | "server";

/** Thrown when a check cannot go on for a reason that is no breach. */
export class Blocked extends Error {
  readonly unblock: string;
  readonly origin: BlockOrigin;
  /** The refused set-up, where there was one. */
  readonly exchange: Exchange | null;

  constructor(message: string, unblock: string, origin: BlockOrigin = "target file", exchange: Exchange | null = null) {
    super(message);
    this.name = "Blocked";
    this.unblock = unblock;
    this.origin = origin;
    this.exchange = exchange;
  }
}

/** Thrown when the target lacks what a rule speaks of, lawfully. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotApplicable";
  }
}
