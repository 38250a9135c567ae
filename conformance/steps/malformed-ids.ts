/** Texts that are no UUID, each for another reason. */
export const malformedIds: readonly string[] = [
  "not-a-uuid",
  "1",
  "0190a0b0-0000-7000-8000-00000000000",
  "0190a0b0-0000-7000-8000-00000000000g",
  "0190a0b0-0000-7000-8000-0000000000000",
];
