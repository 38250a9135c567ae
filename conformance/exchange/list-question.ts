import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";

/** What only those operations answer that show metrics page by page. */
const ofMetrics: ErrorRowName = "CursorParametersChanged";

/**
 * Open question on whether an operation answers with a list; null where the document says so. Of metrics it shows that
 * they come in pages with a cursor, not where the buckets stand.
 */
export const listQuestion = ({ errors }: Pick<Operation, "errors">): string | null =>
  errors.includes(ofMetrics) ? "Q127" : null;
