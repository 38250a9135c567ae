/** A valid value changed in the smallest way along one dimension. */
export interface NearMiss {
  /** What was changed, to go after "with": "its last character changed". */
  readonly dimension: string;
  /**
   * The value, changed so. Of several, an obedient server may take some for the valid one, as a decoder that overlooks
   * spare bits does, but never all of them.
   */
  readonly values: readonly string[];
  /** Some definition of the valid value admits the change: to take it is only worth a warning. */
  readonly arguable: boolean;
}

/** A near miss that no obedient server takes for the valid value. */
export const miss = (dimension: string, ...values: readonly string[]): NearMiss => ({
  dimension,
  values,
  arguable: false,
});

/** A near miss that an obedient server might take. */
export const arguableMiss = (dimension: string, ...values: readonly string[]): NearMiss => ({
  dimension,
  values,
  arguable: true,
});

/** What is left without the valid value itself and without dimensions that the value does not have. */
export const changesOf = (value: string, misses: readonly NearMiss[]): readonly NearMiss[] =>
  misses
    .map((each) => ({ ...each, values: [...new Set(each.values)].filter((changed) => changed !== value) }))
    .filter((each) => each.values.length > 0);
