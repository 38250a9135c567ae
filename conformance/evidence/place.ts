import type { Delivery } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { valueAt } from "./json-pointer.ts";

/** Where a breach shows in what was seen, with what is admitted there. */
export interface Place {
  /** Number of the exchange whose answer has it, or of the delivery; null for a value that the kit made of several. */
  readonly in: { readonly kind: "exchange" | "delivery"; readonly number: number } | null;
  readonly part: Part;
  /** In JSON or in words; null where nothing is admitted. */
  readonly admitted: string | null;
  /** In JSON or in words; null where nothing is there. */
  readonly seen: string | null;
}

export type Part =
  | { readonly kind: "status" }
  /** In lower case. */
  | { readonly kind: "header"; readonly name: string }
  /** JSON Pointer into the body, or into the value that was compared. */
  | { readonly kind: "member"; readonly pointer: string };

export const status: Part = { kind: "status" };

/** A header, by any spelling of its name. */
export const header = (name: string): Part => ({ kind: "header", name: name.toLowerCase() });

/** A member of a body of JSON. */
export const member = (pointer: string): Part => ({ kind: "member", pointer });

/** A part of an answer, with what stands there. */
export const atPart = (exchange: Exchange, part: Part, admitted: string | null): Place => ({
  ...{ in: { kind: "exchange", number: exchange.number }, part, admitted },
  seen: seenAt(exchange, part),
});

/** A header of a delivery; `seen` is null where there is none. */
export const atDeliveryHeader = (
  { number }: Pick<Delivery, "number">,
  name: string,
  admitted: string | null,
  seen: string | null,
): Place => ({ in: { kind: "delivery", number }, part: header(name), admitted, seen });

/** A member of a body or of a value that was compared; undefined stands for nothing. */
export const atMember = (where: Place["in"], pointer: string, admitted: unknown, seen: unknown): Place => ({
  in: where,
  part: member(pointer),
  admitted: jsonText(admitted),
  seen: jsonText(seen),
});

function seenAt({ outcome }: Exchange, part: Part): string | null {
  if (outcome.kind === "lost") return null;
  switch (part.kind) {
    case "status":
      return String(outcome.status);
    case "header":
      return outcome.headers[part.name] ?? null;
    case "member":
      return jsonText(valueAt(outcome.json, part.pointer));
  }
}

/** Characters of a value that a place tells. */
const valueLimit = 4000;

/** A value in JSON; null for undefined. */
export function jsonText(value: unknown): string | null {
  const text = value === undefined ? null : (JSON.stringify(value) ?? String(value));
  return text === null || text.length <= valueLimit
    ? text
    : `${text.slice(0, valueLimit)}… (${text.length - valueLimit} characters more)`;
}

/** The same without secrets. */
export const redactedPlace = (place: Place, redact: (text: string) => string): Place => ({
  ...place,
  admitted: place.admitted === null ? null : redact(place.admitted),
  seen: place.seen === null ? null : redact(place.seen),
});
