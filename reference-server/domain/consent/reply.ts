import type { Consent, ConsentState } from "./consent.ts";

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

/**
 * What is known once a recipient has replied; null where a reply changes nothing: it restores only what a reply before
 * it has withdrawn.
 */
export function consentAfterReply(
  known: Consent | null,
  { organizationId, from, text, at }: { organizationId: string; from: string; text: string; at: number },
): Consent | null {
  const state = saidBy(text);
  if (state === null || (state === "opted-in" && known?.state !== "opted-out")) return null;
  return { organizationId, phoneNumber: from, state, source: "reply", capturedAt: at };
}
