import type { Json, ServiceName } from "../contract.ts";
import type { Area, Direction, Verdict } from "./change-kind.ts";
import type { ChangeId } from "./change-table.ts";

export type { Area, Direction, Verdict };

/** The gravest first. */
export const gravity: Readonly<Record<Verdict, number>> = { breaking: 0, risky: 1, safe: 2 };

/** What shows that a schema narrows. */
export type Evidence =
  /** A value that one side admits and the other refuses. */
  | {
      readonly kind: "value";
      readonly value: Json;
      /** Which side refuses the value; the other admits it. */
      readonly refusedBy: "base" | "head";
      /** JSON Pointer to the part of the value that is refused. */
      readonly at: string;
      readonly keyword: string;
    }
  /** No value can be shown; why. */
  | { readonly kind: "unproven"; readonly why: string };

/** Where a declaration stands; a committed contract names files, without lines. */
export interface ChangePlace {
  readonly side: "base" | "head";
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What an author did at one place of a document or contract, whatever follows from it. */
export interface Edit {
  /**
   * JSON Pointer to what was edited. Of a schema: into the service's document, to the schema itself, through the text of
   * the named schema that holds it (`/components/schemas/Order/properties/labels`). Of anything else: as in `pointer`,
   * without the service.
   */
  readonly at: string;
  /** The schema's keyword that differs, `properties` for a member that came or went; else the id of the change. */
  readonly keyword: string;
  /**
   * What stands there no longer: the keyword's value; of an enum the values that went; of alternatives their names; of a
   * member whether it was `optional` or `required`. Empty where nothing did.
   */
  readonly before: readonly Json[];
  /** What stands there instead. */
  readonly after: readonly Json[];
}

/** One difference between two contracts. */
export interface Change {
  readonly id: ChangeId;
  readonly direction: Direction;
  readonly area: Area;
  readonly verdict: Verdict;
  readonly service: ServiceName;
  /** `METHOD /path` as the head has it, or the base when the head has it no longer; null when no operation is meant. */
  readonly operation: string | null;
  /**
   * JSON Pointer into the head's contract, or into the base's for what was removed. In a list the token is the item's
   * own name in place of its index (`parameters/query:limit`, `buckets/makes`, `security/ApiKey+OAuth`), and behind
   * `schema` the tokens lead through the value that it describes (`schema/labels/*`). So it stays what it is when a
   * neighbour is added or moved, or a schema is written otherwise.
   */
  readonly pointer: string;
  /** What its author did; changes with one edit are told as one. */
  readonly edit: Edit;
  /** Hexadecimal; equal for the same edit, whatever place it was made at, and another for any other edit. */
  readonly fingerprint: string;
  readonly place: ChangePlace | null;
  /** One sentence: what changed, who breaks and why. */
  readonly message: string;
  /** Ids of the rules that speak about what changed, on either side. */
  readonly rules: readonly string[];
  readonly evidence: Evidence | null;
}

/** A change before its edit has a fingerprint. */
export type PlainChange = Omit<Change, "fingerprint">;
