import type { Delivery } from "../exchange/delivery.ts";
import { type Exchange, headerOf } from "../exchange/exchange.ts";
import { parseSignature } from "../receiver/signature.ts";

/** Milliseconds: times in signatures and dates are whole seconds. */
const second = 1_000;

/**
 * Whether a delivery may have been signed before the secret of this rotation held, as what a server sends a new endpoint
 * by itself and is under way while its secret is rotated: it bears no time after the rotation, by the target's clock where
 * its answer has a date, else by the kit's with the `clockSkew` that is allowed for, in milliseconds.
 */
export function mayBeOlder(delivery: Pick<Delivery, "headers">, rotation: Exchange, clockSkew: number): boolean {
  const parsed = parseSignature(delivery);
  if (!parsed.ok) return false;
  const date = Date.parse(headerOf(rotation, "date") ?? "");
  const rotated = Number.isNaN(date) ? rotation.answeredAt + clockSkew : date;
  return parsed.signedAt <= rotated + second;
}
