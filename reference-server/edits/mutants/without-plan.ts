import type { Mutant } from "../edit.ts";
import { mutantOf } from "./mutant.ts";

/** Servers that look for a plan at some calls and not at others. */
export const withoutPlanMutants: readonly Mutant[] = [
  mutantOf("BIL-96", "enabling", "asks for a plan where auto top-up is enabled alone", [
    {
      file: "routes/billing.ts",
      find: "const refusal = refuseAutoWithoutPlan(organization);",
      replace: "const refusal = body.enabled ? refuseAutoWithoutPlan(organization) : null;",
    },
    {
      file: "routes/billing.ts",
      find: 'isAgain && (isEnabled || choices.disabledAgain === "conflict")',
      replace: "isAgain && isEnabled",
    },
  ]),
];
