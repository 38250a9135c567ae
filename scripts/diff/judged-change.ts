import type { Change, Verdict } from "../../compiler/diff/change.ts";
import type { SourceLine } from "../../compiler/openapi/source-line.ts";
import type { Acceptance } from "./accepted-changes.ts";

/** A change as the project judges it; `verdict` is what counts. */
export interface JudgedChange extends Change {
  /** Null where the verdict is the one that the kind of change has by itself. */
  readonly override: {
    readonly from: Verdict;
    readonly reason: string | null;
    /** `file:line:column`, or the flag. */
    readonly where: string;
  } | null;
  /** The acceptance that is about the change; it counts while it has not expired. */
  readonly acceptance:
    | (Pick<Acceptance, "reason" | "owner" | "expires" | "where"> & { readonly expired: boolean })
    | null;
  /** The lines of the documents in which what was edited stands; null where it does not, or where they have no lines. */
  readonly lines: { readonly base: SourceLine | null; readonly head: SourceLine | null };
  /** Ids of the kit's checks that decide the touched rules; null when the kit can't be read. */
  readonly checks: readonly string[] | null;
}

export const isAccepted = ({ acceptance }: JudgedChange): boolean => acceptance !== null && !acceptance.expired;

/** What a change is about: its operation, else the part of the contract. */
export const subjectOf = ({ operation, area, service }: Change): string =>
  operation ?? `${area}${service === "api" ? "" : ` (${service})`}`;

/** Who meets a change on the wire; null where its kind does not tell. */
export function whoSees({ direction, area, pointer }: Change): string | null {
  if (direction === "neutral") return null;
  const isDelivered = area === "events" || inDelivery.test(pointer);
  if (direction === "request") return isDelivered ? "who answers deliveries" : "who sends requests";
  return isDelivered ? "who receives deliveries" : "who reads answers";
}

/** Webhooks of a document, and callbacks of its operations; in a contract the service stands before. */
const inDelivery = /^(?:\/[^/]+)?\/webhooks\/|\/paths\/[^/]*\/[^/]*\/callbacks\//;
