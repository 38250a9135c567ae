import type { Check } from "../check/check.ts";

/** Every check of the kit. */
export const allChecks: readonly Check[] = [];
