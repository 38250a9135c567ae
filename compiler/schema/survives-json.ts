/**
 * True when a value written as JSON and read again is the same value. -0, NaN, infinities, undefined, functions,
 * dates and cycles do not survive; a string with half a surrogate pair does not survive other people's decoders.
 */
export function encodesToItself(value: unknown): boolean {
  let read: unknown;
  try {
    const text = JSON.stringify(value);
    if (text === undefined) return false;
    read = JSON.parse(text);
  } catch {
    // A cycle, a bigint, or a toJSON that throws.
    return false;
  }
  return isSame(value, read);
}

function isSame(written: unknown, read: unknown): boolean {
  if (typeof written === "string") return written === read && written.isWellFormed();
  if (typeof written !== "object" || written === null) return Object.is(written, read);
  if (typeof read !== "object" || read === null || Array.isArray(written) !== Array.isArray(read)) return false;
  // A map or another instance loses what makes it one.
  if (!Array.isArray(written) && !plainPrototypes.includes(Object.getPrototypeOf(written))) return false;
  const members = Object.entries(written);
  const readMembers = new Map<string, unknown>(Object.entries(read));
  return (
    members.length === readMembers.size &&
    lengthOf(written) === lengthOf(read) &&
    members.every(
      ([name, member]) => name.isWellFormed() && readMembers.has(name) && isSame(member, readMembers.get(name)),
    )
  );
}

const plainPrototypes: readonly unknown[] = [Object.prototype, null];

const lengthOf = (value: object): number => (Array.isArray(value) ? value.length : 0);
