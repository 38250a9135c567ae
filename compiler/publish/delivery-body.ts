import { deliveryBody } from "../../spec/vocabulary/extensions.ts";
import type { Contract } from "../contract.ts";
import { mainService } from "../service-of.ts";

/** The component that says what a delivery holds. */
export interface DeliveryBody {
  readonly component: string;
  /** Question that it answers; null where the contract itself says what a delivery holds. */
  readonly question: string | null;
}

/** What deliveries hold, as the main service's document says; null where it does not. */
export function deliveryBodyOf(contract: Contract): DeliveryBody | null {
  for (const [component, schema] of Object.entries(mainService(contract).document.components.schemas)) {
    const question = schema[deliveryBody];
    if (question !== undefined) return { component, question: typeof question === "string" ? question : null };
  }
  return null;
}
