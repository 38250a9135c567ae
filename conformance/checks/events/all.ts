import type { Check } from "../../context/check.ts";
import { deliveryHeadersCheck } from "./delivery-headers.ts";
import { failingReceiverChecks } from "./failing-receiver.ts";
import { forcedOutcomes, receivedOutcomes } from "./recorded-outcomes.ts";
import { retryChecks } from "./retries.ts";
import { signedDeliveries } from "./signed-deliveries.ts";

/** Checks of what receivers are sent, and of what becomes of it. */
export const eventChecks: readonly Check[] = [
  ...[deliveryHeadersCheck, signedDeliveries, forcedOutcomes, receivedOutcomes],
  ...[...retryChecks, ...failingReceiverChecks],
];
