/** What an organization knows last of a recipient's will to get its messages. */
export interface Consent {
  readonly organizationId: string;
  /** The recipient's: E.164. */
  readonly phoneNumber: string;
  readonly state: ConsentState;
  /** How it came to be known, in the organization's words. */
  readonly source: string;
  /** When the recipient said so: milliseconds since 1970. */
  readonly capturedAt: number;
}

const consentStates = ["opted-in", "opted-out"] as const;

export type ConsentState = (typeof consentStates)[number];

export const isConsentState = (text: string): text is ConsentState => consentStates.some((state) => state === text);

/**
 * What is known once a further word of the recipient is: the latest word counts, so that a list of earlier consents
 * brings nobody back who has opted out since. Of two at one instant the one that came later to the server counts.
 */
export const consentAfter = (known: Consent | null, further: Consent): Consent =>
  known !== null && known.capturedAt > further.capturedAt ? known : further;
