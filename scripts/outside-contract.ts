import { errorRows } from "../generated/error-rows.ts";
import type { WireAnswer } from "../reference-server/edits/wire.ts";

/** Whether it answers by a row that the reference adds to the document's, such as that of a body that is too large. */
export const isOutsideContract = ({ status, bytes }: WireAnswer): boolean =>
  Object.values(errorRows).some(
    ({ extension, referenceStatus, code }) =>
      extension && referenceStatus === status && bytes.toString().includes(code),
  );
