import { refuse } from "../../../generated/error-rows.ts";
import type { Consent } from "./consent.ts";

/** Null when the recipient has opted in. Who never did and who opted out are told apart by nothing. */
export const refuseWithoutConsent = (known: Consent | null) =>
  known?.state === "opted-in"
    ? null
    : refuse.ConsentRequired("The recipient has not consented to messages of this organization.");
