import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "./context.ts";
import type { Draws } from "./draws.ts";

/** What a check must be able to arrange. A target that cannot is told the cheapest way to provide it. */
export type Need =
  /** Any organization with a key that may create keys. */
  | "key"
  /** A second organization. */
  | "other-organization"
  /** An organization used for nothing else, with full buckets. */
  | "fresh-organization"
  /** A bucket that is full: a fresh organization, or leave to wait until one has refilled. */
  | "full-bucket"
  /** A clock that the kit moves. */
  | "manual-clock"
  /** Buckets of another size than the contract's. */
  | "limit-override"
  | "revoked-key"
  /** Keys that the kit itself revokes. */
  | "revocation"
  | "session"
  /** Balance, spend and a digest of all that an organization has. */
  | "state"
  /** Calls that fail on purpose. */
  | "outage"
  /** An address of the kit's own to which the target can deliver. */
  | "receiver"
  /** Events of a chosen type. */
  | "emit"
  /** Another state or other subscriptions of a webhook endpoint. */
  | "endpoint-edit"
  /** Attempts of deliveries that meet what the kit chooses, with nothing sent. */
  | "forced-answers"
  /** Something signed with the organization's secret. */
  | "callback";

/** What a check does to the target. All but reading and creating wants leave. */
export type Effect = "reads" | "creates" | "spends" | "sends" | "exhausts";

/** One check: typed data and a function. It decides each of its rules, or says why it could not. */
export interface Check<Rule extends RuleId = RuleId> {
  /** Stable and unique: `<area>.<what>`. */
  readonly id: string;
  /** A sentence that states the behaviour. */
  readonly title: string;
  readonly rules: readonly Rule[];
  /** The operation for which the check decides its rules; rules that bind many operations are decided for each. */
  readonly operation?: OperationId;
  readonly kind: "scenario" | "property";
  readonly needs: readonly Need[];
  readonly effects: readonly Effect[];
  /** Properties: per run. */
  readonly draws: Draws;
  /** Properties whose values take many calls: values tried at most, unless a run says how many. */
  readonly mostRuns?: number;
  readonly run: (t: CheckContext<Rule>) => Promise<void>;
}

/** Declares a check, whose function may decide the rules that it names and no others. */
export const check = <const Rule extends RuleId>(declared: Check<Rule>): Check<Rule> => declared;
