import type { Choices } from "../generated/choices.ts";
import { userAgent } from "./delivery/user-agent.ts";
import type { DeliveryManner } from "./domain/deliveries/delivery-request.ts";
import { type RetrySchedule, usualSchedule } from "./domain/deliveries/retry-schedule.ts";
import type { SignatureDialect } from "./domain/signatures/delivery-signature.ts";

/** What the choices make of requests to receivers. */
export const chosenManner = (choices: Choices): DeliveryManner => ({
  timestampPrecision: choices.timestampPrecision,
  body: choices.eventBody,
  dialect: dialects[choices.signatureDialect],
  userAgent,
});

/** What the choices make of failures. */
export const chosenSchedule = ({ retrySchedule, goneAnswer }: Choices): RetrySchedule => ({
  waits: usualSchedule.waits.slice(0, attempts[retrySchedule]),
  goneIsDead: goneAnswer === "dead",
});

const dialects: Readonly<Record<Choices["signatureDialect"], SignatureDialect>> = {
  "decoded-body-hex": { key: "decoded", content: "time-body", encoding: "hex" },
  "raw-body-hex": { key: "raw", content: "time-body", encoding: "hex" },
  "decoded-id-body-base64": { key: "decoded", content: "id-time-body", encoding: "base64" },
  "raw-id-body-base64": { key: "raw", content: "id-time-body", encoding: "base64" },
};

const attempts: Readonly<Record<Choices["retrySchedule"], number>> = { "eight-attempts": 8, "three-attempts": 3 };
