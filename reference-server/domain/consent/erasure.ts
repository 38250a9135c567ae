import type { Consent } from "./consent.ts";

/**
 * Whether it stays on record when the contact is erased (open question Q164): without it, a list of earlier consents
 * would bring back who has opted out.
 */
export const isKeptWhenErased = ({ state }: Pick<Consent, "state">): boolean => state === "opted-out";
