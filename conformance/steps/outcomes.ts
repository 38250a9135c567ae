import { components } from "../../generated/schemas.ts";

const listed = components.DeliveryOutcome?.enum;

/** What can come of an attempt. */
export const outcomes: readonly string[] = Array.isArray(listed)
  ? listed.filter((value) => typeof value === "string")
  : [];
