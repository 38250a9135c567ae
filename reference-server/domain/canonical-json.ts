/** JSON with the members of every object in order of their names. */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
  return text ?? "";
}
