import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Refusal } from "../../../generated/runtime/refusal.ts";
import { type Scope, scopeNamed } from "../../../generated/scopes.ts";
import { timestamp } from "../clock.ts";
import type { Consent } from "../consent/consent.ts";
import { refuseWithoutConsent } from "../consent/consent-gate.ts";
import type { Lookup } from "../lookups/lookup.ts";
import type { QuietHours } from "../quiet-hours/quiet-hours.ts";
import { disturbs, refuseQuietHours } from "../quiet-hours/quiet-hours-gate.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { Send } from "./message.ts";

/** Whoever holds it may send in quiet hours. */
const bypassScope = scopeNamed.messagesBypassQuietHours;

/** What the gates decide on. What others may change is read in the unit of work that takes the message. */
export interface SendFacts {
  readonly holds: (scope: Scope) => boolean;
  /** The recipient's; null when there is none on file. */
  readonly consent: Consent | null;
  /** The recipient's latest successful one. */
  readonly lookup: Lookup | null;
  /** When the organization does not disturb its recipients; null for never. */
  readonly quietHours: QuietHours | null;
  readonly wallet: Wallet;
  /** The organization's present, in milliseconds since 1970. */
  readonly now: number;
}

export type GateRefusal = Refusal<
  "QuietHoursBypassForbidden" | "ConsentRequired" | "LineTypeBlocked" | "QuietHours" | "InsufficientCredit"
>;

/** Refuses a send, lets it pass (null), or has it pass as another one, such as one that is deferred. */
export type Gate = (send: Send, facts: SendFacts) => GateRefusal | Send | null;

/** What a send has to pass, in this order (open question Q88). */
const gates: readonly Gate[] = [bypass, consent, lineType, quiet, credit];

/** The send as it may go out, or the first gate's refusal. */
export function passGates(send: Send, facts: SendFacts): GateRefusal | Send {
  let passing = send;
  for (const gate of gates) {
    const answer = gate(passing, facts);
    if (answer === null) continue;
    if ("row" in answer) return answer;
    passing = answer;
  }
  return passing;
}

function bypass({ bypassesQuietHours }: Send, { holds }: SendFacts) {
  if (!bypassesQuietHours || holds(bypassScope)) return null;
  return refuse.QuietHoursBypassForbidden(`To send in quiet hours takes the scope ${bypassScope}.`);
}

function consent(_send: Send, facts: SendFacts) {
  return refuseWithoutConsent(facts.consent);
}

function lineType(_send: Send, { lookup }: SendFacts) {
  if (lookup?.lineType !== constants.fixedLine) return null;
  return refuse.LineTypeBlocked("The recipient is a fixed line, which receives no texts.", {
    phone_number: lookup.phoneNumber,
    line_type: lookup.lineType,
    lookup_id: lookup.id,
    looked_up_at: timestamp(lookup.lookedUpAt),
  });
}

/** Judged at the time for which the message is meant. */
function quiet(send: Send, { quietHours, now }: SendFacts) {
  if (quietHours === null || send.bypassesQuietHours) return null;
  const disturbance = disturbs(send.to, send.scheduledAt ?? now, quietHours);
  if (disturbance === null) return null;
  switch (quietHours.mode) {
    case "reject":
      return refuseQuietHours(disturbance, quietHours);
    case "defer":
      return { ...send, scheduledAt: disturbance.until };
  }
}

function credit({ cost }: Send, { wallet }: SendFacts) {
  if (wallet.balance >= cost) return null;
  return refuse.InsufficientCredit("The wallet does not cover the message. Top it up first.");
}
