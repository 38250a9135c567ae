import type { Mutant } from "./edit.ts";
import { apiKeyMutants } from "./mutants/api-keys.ts";
import { authenticationMutants } from "./mutants/authentication.ts";
import { envelopeMutants } from "./mutants/envelope.ts";
import { limitMutants } from "./mutants/limits.ts";
import { tenancyMutants } from "./mutants/tenancy.ts";

/** Servers that break one rule each. */
export const mutants: readonly Mutant[] = [
  ...envelopeMutants,
  ...authenticationMutants,
  ...tenancyMutants,
  ...apiKeyMutants,
  ...limitMutants,
];
