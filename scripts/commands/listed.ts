/** Names of a list whose items are separated by commas or given one by one. */
export const listed = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
];
