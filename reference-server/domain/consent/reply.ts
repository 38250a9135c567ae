import type { Consent, ConsentState } from "./consent.ts";
import { consentBy, type DoubleOptIn, type EndedDoubleOptIn, isOpen } from "./double-opt-in.ts";

/** Words that withdraw consent, and those that restore it (open question Q123). */
const words: Readonly<Record<ConsentState, readonly string[]>> = {
  "opted-out": ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
  "opted-in": ["START", "YES", "UNSTOP"],
};

/** What a recipient's text says of consent, when it is one of these words and nothing else; null otherwise. */
function saidBy(text: string): ConsentState | null {
  const word = text.trim().replace(/[.!]$/, "").toUpperCase();
  return (["opted-out", "opted-in"] as const).find((state) => words[state].includes(word)) ?? null;
}

/** What an organization knows of a recipient who replies. */
export interface Known {
  /** Null when nothing is on file. */
  readonly consent: Consent | null;
  /** The pending one; null when there is none. */
  readonly doubleOptIn: DoubleOptIn | null;
}

/** What a reply changes; null for what it leaves as it is. */
export interface Replied {
  readonly consent: Consent | null;
  /** As it is from now on. */
  readonly doubleOptIn: EndedDoubleOptIn | null;
}

export interface Reply {
  readonly organizationId: string;
  /** E.164. */
  readonly from: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * A reply withdraws consent, and has nobody wait for it any more; it confirms a double opt-in while there is time, and
 * else restores only what a reply before it has withdrawn: by itself it gives no consent.
 */
export function afterReply({ consent, doubleOptIn }: Known, { organizationId, from, text, at }: Reply): Replied {
  const state = saidBy(text);
  if (state === "opted-in" && doubleOptIn !== null && isOpen(doubleOptIn, at))
    return { consent: consentBy(doubleOptIn, at), doubleOptIn: { ...doubleOptIn, state: "confirmed" } };
  if (state === null || (state === "opted-in" && consent?.state !== "opted-out"))
    return { consent: null, doubleOptIn: null };
  const declined = state === "opted-out" ? doubleOptIn : null;
  return {
    consent: { organizationId, phoneNumber: from, state, source: "reply", capturedAt: at },
    doubleOptIn: declined && { ...declined, state: "expired" },
  };
}
