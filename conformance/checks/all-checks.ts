import type { Check } from "../check/check.ts";
import { apiKeyChecks } from "./api-keys/all.ts";
import { limitChecks } from "./limits/all.ts";

/** Every check of the kit. */
export const allChecks: readonly Check[] = [...apiKeyChecks, ...limitChecks];
