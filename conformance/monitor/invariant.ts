import type { RuleId } from "../../generated/rules.ts";
import type { Part } from "../evidence/place.ts";
import type { Exchange, Response } from "../exchange/exchange.ts";
import type { SameId } from "./request-ids.ts";

/** An exchange that got a response. */
export interface Answered extends Exchange {
  readonly outcome: Response;
}

/** What was told earlier in a run, each null where nothing of the kind was, or this answer tells nothing of it. */
export interface CallerHistory {
  /** The message of the first failed authentication at this address. */
  readonly unauthorizedMessage: Earlier | null;
  /** The organization that the first record named which was shown to this key. */
  readonly organization: Earlier | null;
}

/** What an earlier answer told. */
export interface Earlier {
  readonly told: string;
  readonly exchange: Exchange;
}

/** What an invariant may know besides the exchange. */
export interface Surveyed extends CallerHistory {
  /** Secrets that this answer shows and must not. */
  readonly leaked: readonly Leak[];
  /** The first answer with this request id; null where this one is. */
  readonly sameId: SameId | null;
}

/** A secret, by the name that stands for it, and where an answer shows it. */
export interface Leak {
  readonly name: string;
  readonly at: Part;
}

/** A breach: what the rule admits and what was seen. */
export interface Seen {
  readonly expected: string;
  readonly actual: string;
  /** Where in the answer it shows; where the words say it themselves it is left out. */
  readonly at?: readonly Part[];
  /** The earlier answer that this one is held against. */
  readonly earlier?: Exchange;
  /** A thing to warn of, whatever the rule's level: such as a code that the kit does not know. */
  readonly warning?: boolean;
}

/** A rule that every answer must keep. */
export interface Invariant {
  readonly rule: RuleId;
  /** A breach is one by answers that any check got before. */
  readonly hangsOnEarlier?: true;
  /** Whether the rule speaks of this answer. */
  readonly applies: (exchange: Answered, surveyed: Surveyed) => boolean;
  /** Null when the rule holds. */
  readonly breach: (exchange: Answered, surveyed: Surveyed) => Seen | null;
}
