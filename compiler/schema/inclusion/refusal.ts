import type { Json } from "../json-schema.ts";

/** A value that shows where values of one schema are refused by another. */
export interface Refusal {
  /** Valid under the first schema, refused under the second. */
  readonly counterexample: Json;
  /** JSON Pointer to what is refused in it. */
  readonly pointer: string;
  /** The pointer with `*` for any item, or any undeclared member: one place, whatever the value. */
  readonly place: string;
  readonly keyword: string;
  readonly why: string;
}

/** A further place where inclusion fails, or where it could not be shown that it holds. */
export type FurtherPlace =
  | ({ readonly kind: "shown" } & Refusal)
  | {
      readonly kind: "unproved";
      readonly place: string;
      readonly keyword: string;
      readonly why: string;
      /** Another keyword is shown at the place, which may be all that differs there. */
      readonly isBesideShown?: true;
      /** The work did not suffice to prove it. */
      readonly isUnfinished?: true;
    };
