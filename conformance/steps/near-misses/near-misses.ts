import { nameNearMisses } from "./name-near-misses.ts";
import type { NearMiss } from "./near-miss.ts";
import { secretNearMisses } from "./secret-near-misses.ts";
import { uuidNearMisses } from "./uuid-near-misses.ts";

/** What a valid value is made of, which says along which dimensions it can be missed. */
export type Shape =
  /** A secret or another opaque text; `mark` is what every one of its kind begins with. */
  | { readonly kind: "secret"; readonly mark: string }
  | { readonly kind: "uuid" }
  /** A name of parts, such as a scope or an event type. */
  | { readonly kind: "name" };

/** A valid value, changed in the smallest way along each dimension. `random` gives numbers from 0 up to 1. */
export function nearMisses(value: string, shape: Shape, random: () => number): readonly NearMiss[] {
  switch (shape.kind) {
    case "secret":
      return secretNearMisses(value, shape.mark, random);
    case "uuid":
      return uuidNearMisses(value, random);
    case "name":
      return nameNearMisses(value);
  }
}
