import { createHash } from "node:crypto";
import type { World } from "../world.ts";
import type { Consent } from "./consent.ts";

/** How long a recipient can submit a form, in milliseconds. */
const life = 7 * 24 * 3_600_000;

/** Bytes of randomness in the address of a form: nobody guesses one, so that a plain hash is enough to keep it. */
const tokenBytes = 24;

/** A page on which one recipient can consent, once. */
export interface HostedForm {
  readonly id: string;
  readonly organizationId: string;
  /** The recipient's: E.164. */
  readonly phoneNumber: string;
  /** Where the recipient gets the page, in the organization's words. */
  readonly source: string;
  /** Who wants to send, as the recipient knows them. */
  readonly senderName: string;
  /** Of what stands in the page's address: SHA-256 in hexadecimal. */
  readonly tokenHash: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** From this instant on nobody can submit it. */
  readonly expiresAt: number;
  /** Null until it is. */
  readonly submittedAt: number | null;
}

export type HostedFormWish = Pick<
  HostedForm,
  "id" | "organizationId" | "phoneNumber" | "source" | "senderName" | "tokenHash"
>;

/** A form that is made now, in its organization's time. */
export const newHostedForm = (wish: HostedFormWish, now: number): HostedForm => ({
  ...wish,
  createdAt: now,
  expiresAt: now + life,
  submittedAt: null,
});

/** What stands in the address of a form, and nowhere else. */
export const newFormToken = (world: Pick<World, "randomBytes">): string =>
  Buffer.from(world.randomBytes(tokenBytes)).toString("base64url");

export const hashFormToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The limit on how often one form is opened or submitted. */
export const formBucket = (id: string): string => `hosted form ${id}`;

/** What becomes of who opens it at this time of its organization. */
export function formState({ submittedAt, expiresAt }: HostedForm, now: number): "open" | "submitted" | "expired" {
  if (submittedAt !== null) return "submitted";
  return now < expiresAt ? "open" : "expired";
}

/** What a submission puts on file. */
export const consentOf = ({ organizationId, phoneNumber, source }: HostedForm, at: number): Consent => ({
  organizationId,
  phoneNumber,
  source,
  state: "opted-in",
  capturedAt: at,
});
