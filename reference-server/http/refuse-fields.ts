import { refuse } from "../../generated/error-rows.ts";
import { type FieldFault, type FieldNaming, fieldDetails } from "./field-details.ts";

/** What a handler answers to fields that break what no schema says; at least one. */
export const refuseFields = (faults: readonly FieldFault[], naming: FieldNaming) =>
  refuse.ValidationFailed("The request has invalid fields.", fieldDetails(faults, naming));
