import type { Choices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { Text } from "../carrier/carrier.ts";
import type { Event } from "../events/event.ts";
import type { Consent } from "./consent.ts";

const hour = 3_600_000;

/** A recipient who is asked by a text whether they consent. Only their answer makes it consent. */
export interface DoubleOptIn {
  readonly id: string;
  readonly organizationId: string;
  /** The recipient's: E.164. */
  readonly phoneNumber: string;
  /** Where the recipient asked for messages, in the organization's words. */
  readonly source: string;
  readonly state: DoubleOptInState;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** From this instant on no answer confirms it. */
  readonly expiresAt: number;
}

const doubleOptInStates = ["pending", "confirmed", "expired"] as const;

export type DoubleOptInState = (typeof doubleOptInStates)[number];

export const isDoubleOptInState = (text: string): text is DoubleOptInState =>
  doubleOptInStates.some((state) => state === text);

/** One that is over. */
export interface EndedDoubleOptIn extends DoubleOptIn {
  readonly state: Exclude<DoubleOptInState, "pending">;
}

export interface DoubleOptInWish extends Pick<DoubleOptIn, "id" | "organizationId" | "phoneNumber" | "source"> {
  /** The organization's present. */
  readonly now: number;
}

export const newDoubleOptIn = (
  { now, ...wish }: DoubleOptInWish,
  { doubleOptInHours }: Pick<Choices, "doubleOptInHours">,
): DoubleOptIn => ({
  ...wish,
  state: "pending",
  createdAt: now,
  expiresAt: now + Number(doubleOptInHours) * hour,
});

/** Whether an answer at this time of its organization still confirms it. */
export const isOpen = ({ state, expiresAt }: DoubleOptIn, now: number): boolean =>
  state === "pending" && now < expiresAt;

/** What a confirmation puts on file. */
export const consentBy = ({ organizationId, phoneNumber, source }: DoubleOptIn, at: number): Consent => ({
  organizationId,
  phoneNumber,
  source,
  state: "opted-in",
  capturedAt: at,
});

/** What the recipient is asked. */
export const confirmationText = ({ id, phoneNumber }: DoubleOptIn): Text => ({
  id,
  to: phoneNumber,
  body: "Reply YES to get the messages that you asked for, or STOP to get none.",
});

const typeOf = {
  confirmed: eventType.consentPendingConfirmed,
  expired: eventType.consentPendingExpired,
} as const satisfies Record<EndedDoubleOptIn["state"], Event["type"]>;

/** The event that tells how it ended; null where none is sent. */
export function endEvent(
  { id, organizationId, phoneNumber, state }: EndedDoubleOptIn,
  event: Pick<Event, "id" | "createdAt">,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (choices.keyEvents === "not-sent") return null;
  return { ...event, organizationId, type: typeOf[state], data: { id, phone_number: phoneNumber } };
}

/** Null when the recipient may be asked: who has opted out is sent no text, not this one either. */
export const refuseToAsk = (known: Consent | null) =>
  known?.state === "opted-out"
    ? refuse.ValidationFailed("The recipient has opted out.", {
        phone_number:
          "has opted out and is sent no text; have the recipient reply START, or record a consent given since",
      })
    : null;
