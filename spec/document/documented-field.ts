import type { Json } from "../../compiler/contract.ts";
import type { DocumentedMember } from "./envelope.ts";

/** A field of a resource or a query parameter. */
export interface DocumentedField extends DocumentedMember {
  /** Every value that there is, of the field or of its items. */
  readonly values?: readonly Json[];
  /** Values that the document has or does not rule out, where the shape does not say so already. */
  readonly allowed?: readonly Json[];
  /** Values of the shape, or near it, that the document rules out. */
  readonly ruledOut?: readonly Json[];
}
