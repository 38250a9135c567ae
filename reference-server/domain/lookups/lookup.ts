import type { Choices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { Event } from "../events/event.ts";
import { newEventId } from "../events/new-event.ts";
import type { LedgerEntry, Wallet } from "../wallet/wallet.ts";
import type { World } from "../world.ts";
import type { LineType } from "./line-type.ts";

/** A number that was looked up. It never changes. */
export interface Lookup {
  readonly id: string;
  readonly organizationId: string;
  /** E.164 */
  readonly phoneNumber: string;
  readonly lineType: LineType;
  /** Milliseconds since 1970. */
  readonly lookedUpAt: number;
}

/** Null when the wallet covers a lookup of this price, in millionths of a US dollar. */
export const refuseUncovered = ({ balance }: Pick<Wallet, "balance">, price: number) =>
  balance >= price ? null : refuse.InsufficientCredit("The wallet does not cover a lookup. Top it up first.");

/** What is charged for a lookup, in millionths of a US dollar, and when. */
export interface LookupCharge {
  readonly id: string;
  readonly price: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The charge for a lookup, or what gives it back. */
export const lookupEntry = (kind: "charge" | "refund", { id, price, at }: LookupCharge): LedgerEntry => ({
  kind,
  amount: price,
  reference: `lookup ${id}`,
  at,
});

/** The event that tells of a finished lookup; null where none is sent. */
export function lookupEvent(
  lookup: Lookup,
  world: Pick<World, "newId">,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (choices.keyEvents === "not-sent") return null;
  const { id, organizationId, phoneNumber, lineType, lookedUpAt } = lookup;
  const data = { id, phone_number: phoneNumber, line_type: lineType };
  return { id: newEventId(world), organizationId, type: eventType.lookupCompleted, data, createdAt: lookedUpAt };
}

export const unsupportedRegion = () =>
  refuse.LookupUnsupportedRegion("Only numbers of the United States and Canada can be looked up.");

export const lookupFailed = () =>
  refuse.LookupFailed("The lookup could not be completed, and its charge was returned. Try again later.");

/** One answer for an unknown lookup and another organization's. */
export const lookupNotFound = () => refuse.NotFound("There is no such lookup.");
