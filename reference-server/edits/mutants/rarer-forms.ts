import type { Mutant } from "../edit.ts";
import { mutant } from "./mutant.ts";

/** Servers with a fault in a form of a call that few clients meet. */
export const rarerFormMutants: readonly Mutant[] = [
  mutant(
    "NUM-03",
    "exact",
    "assigns no number for the last of the money",
    "domain/phone-numbers/phone-number.ts",
    "balance >= rent * count",
    "balance > rent * count",
  ),
];
