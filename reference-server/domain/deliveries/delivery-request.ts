import { hash } from "node:crypto";
import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import type { deliveryHeaders } from "../../../generated/events.ts";
import type { DeliveryBody } from "../../../generated/models/shared.ts";
import { timestamp } from "../clock.ts";
import { type SignatureDialect, signatureHeader, usualDialect } from "../signatures/delivery-signature.ts";
import type { Delivery } from "./delivery.ts";

/** How requests are made, as far as the contract leaves it open. */
export interface DeliveryManner {
  readonly timestampPrecision: Choices["timestampPrecision"];
  /** The event with its envelope, or its data alone. */
  readonly body: "enveloped" | "bare";
  readonly dialect: SignatureDialect;
  /** Names the sender. */
  readonly userAgent: string;
}

export const usualManner: Omit<DeliveryManner, "userAgent"> = {
  timestampPrecision: "milliseconds",
  body: "enveloped",
  dialect: usualDialect,
};

type HeaderName = (typeof deliveryHeaders)[number]["name"];

/** What is sent: its digest, size and signature are those of these very bytes. */
export interface DeliveryRequest {
  readonly url: string;
  readonly body: Uint8Array;
  /** Lower-case hexadecimal. */
  readonly bodySha256: string;
  readonly headers: Readonly<Record<HeaderName, string>>;
}

/** The request of an attempt that begins at `now`: milliseconds since 1970, in the organization's time. */
export function deliveryRequest(delivery: Delivery, now: number, manner: DeliveryManner): DeliveryRequest {
  const { event, endpoint } = delivery;
  const body = Buffer.from(JSON.stringify(bodyOf(delivery, manner)));
  const signed = { eventId: event.id, seconds: Math.floor(now / 1000), body };
  return {
    url: endpoint.url,
    body,
    bodySha256: hash("sha256", body),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": manner.userAgent,
      [constants.eventIdHeader]: event.id,
      [constants.eventTypeHeader]: event.type,
      [constants.signatureHeader]: signatureHeader(signed, [endpoint.secret], manner.dialect),
    },
  };
}

/** Made of what never changes, so that every attempt of a delivery has the same body. */
function bodyOf({ event, endpoint }: Delivery, { body, timestampPrecision }: DeliveryManner): unknown {
  switch (body) {
    case "bare":
      return event.data;
    case "enveloped":
      return {
        id: event.id,
        type: event.type,
        created_at: timestamp(event.createdAt, timestampPrecision),
        api_version: endpoint.apiVersion,
        org_id: event.organizationId,
        data: event.data,
      } satisfies DeliveryBody;
  }
}
