import type * as fc from "fast-check";
import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Compared } from "../evidence/derived-places.ts";
import type { Admitted } from "../evidence/misanswer.ts";
import type { Place } from "../evidence/place.ts";
import type { Delivery } from "../exchange/delivery.ts";
import type { Exchange, RepeatedHeaders } from "../exchange/exchange.ts";
import type { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant, TenantWish } from "../provision/tenant.ts";
import type { Inbox } from "../receiver/inbox.ts";
import type { Signer } from "../receiver/signer.ts";
import type { Outgoing } from "../sending/sender.ts";
import type { NumberPart, NumbersOf } from "../target/phone-numbers.ts";
import type { Timing } from "../target/target.ts";

/** What a call of an operation carries besides its credential. */
export interface CallInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent after those, in lines of their own. */
  readonly repeatedHeaders?: RepeatedHeaders;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Uint8Array;
  /** What stands before a server may refuse the request by itself, as odd HTTP: the monitor minds no page for it. */
  readonly isOddHttp?: boolean;
}

/** What a rule admits and what was seen. */
export interface Evidence {
  readonly expected: string;
  readonly actual: string;
  readonly exchanges: readonly Exchange[];
  /** Deliveries that show it; reports put them and the exchanges on one time line. */
  readonly deliveries?: readonly Delivery[];
  /** What is admitted of a whole answer, where one of these is; the words may say more. */
  readonly admits?: readonly Admitted[];
  /** What was waited for never came. */
  readonly isSilence?: boolean;
  /** What came is right but for where it came: it was to come elsewhere. */
  readonly isAstray?: boolean;
  /** The words say what decides, found by asking for less: how other calls fared adds nothing. */
  readonly isNarrowed?: boolean;
  /** A call changed what it was to leave as it was. */
  readonly isEffect?: boolean;
  /** Calls like the one that shows it, which left all as it was. */
  readonly spared?: readonly Exchange[];
  /** Where a breach shows; where the words or the values say it themselves it is left out. */
  readonly at?: readonly Place[];
  /** Values of JSON that had to be equal. */
  readonly compared?: Compared;
  /** What was tested goes beyond what the rule demands: a breach only warns. */
  readonly warnOnly?: boolean;
  /** Open question under another reading of which this would have passed: a breach only warns, and names it. */
  readonly question?: string | null;
}

/** What can show that a rule held or did not. */
export type Shown = Exchange | Delivery;

/** What a check works with. Assertions are soft: they record a finding and tell whether the rule held. */
export interface CheckContext<Rule extends RuleId = RuleId> {
  readonly timing: Timing;
  /** Seeded for this check, for values that need not be found again by shrinking. Not for a scenario. */
  readonly random: () => number;

  /** An organization as wished: a fresh one where the target can give one, else the given one if it fits the wish. */
  tenant(wish?: TenantWish): Promise<Tenant>;
  /** Another organization than `tenant()` gives. */
  otherTenant(wish?: TenantWish): Promise<Tenant>;

  /** Whether the target serves an operation; calls of one that it does not are not applicable. */
  serves(operation: OperationId): boolean;
  /** Calls an operation; a 429, which is not under test, is waited out. */
  call(operation: OperationId, input: CallInput, as: Credential): Promise<Exchange>;
  /** Calls an operation once, whatever the answer. */
  attempt(operation: OperationId, input: CallInput, as: Credential | null): Promise<Exchange>;
  /** Sends any request; for paths, methods and headers that are no operation's. */
  send(outgoing: Outgoing): Promise<Exchange>;
  /**
   * A key created through the API under test: the sound twin of a creation with one defect. Blocks when that is
   * refused. Askers of one organization share it, to spare the limit, unless they want one of their `own`.
   */
  createKey(as: Credential, scopes: readonly string[], options?: { readonly own?: boolean }): Promise<CreatedKey>;

  /**
   * A new address of the kit's receiver, for this check alone; wants the need "receiver". Blocks when the receiver could
   * not be started.
   */
  inbox(): Inbox;
  /** Such an address for a check that can do without one; null where the target has no receiver. */
  spareInbox(): Promise<Inbox | null>;
  /** Somebody whose way to sign is not known yet. Take another one for whatever may be signed in another way. */
  signer(): Signer;
  /** Numbers for a part in the checks: the target's own where it gave some, else of the range for use in fiction. */
  numbers<Of extends NumberPart>(part: Of): NumbersOf<Of>;
  /** A body of the contract's shape as the target wants it, for operations whose shapes the document does not show. */
  shapeRequest(operation: OperationId, body: unknown): unknown;
  /**
   * The written body of an update with the target's own properties, each with its first or second value; null if the
   * target file names none.
   */
  withExtra(operation: OperationId, body: unknown, which: "first" | "second"): unknown;
  /** An answer's `data` in the contract's shape, for the same operations. */
  shapeResponse(operation: OperationId, data: unknown): unknown;
  /** The contract's fields that no response of the operation has, by the target file. */
  absentFields(operation: OperationId): readonly string[];

  /** Blocks unless the exchange succeeded: a set-up step, or the sound twin of a request with one defect. */
  control(exchange: Exchange, what: string): Exchange;

  /** Records whether a rule held. */
  verify(rule: Rule, holds: boolean, evidence: Evidence): boolean;
  /** The exchange is an error answer of one of these rows: status and code, nothing else. */
  refused(rule: Rule, exchange: Exchange, ...rows: readonly ErrorRowName[]): boolean;
  /** The exchange is a success answer. */
  accepted(rule: Rule, exchange: Exchange): boolean;
  /** The values are deeply equal. */
  equal(rule: Rule, what: string, actual: unknown, expected: unknown, ...shown: readonly Shown[]): boolean;
  /** Records something about a rule that can only be observed. */
  observe(rule: Rule, message: string, ...shown: readonly Shown[]): void;
  /** Leaves a rule undecided and tells why, where the check goes on to decide others; what ends it is thrown. */
  undecided(rule: Rule, why: Blocked, ...shown: readonly Shown[]): void;

  /** Runs a predicate over generated values; inside it a breach ends the run and is shrunk. */
  property<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>): Promise<void>;
}

/** A key that a check created through the API under test. */
export interface CreatedKey {
  readonly credential: Credential;
  readonly id: string;
  /** The payload of the create answer. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly exchange: Exchange;
}
