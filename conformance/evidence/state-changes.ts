/** What is told of an organization's state. */
export interface State {
  readonly wallet_micros: number;
  /** Of all that it has. */
  readonly digest: string;
  /** What the digest is of, by name; not there where the target does not tell. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** Names of the parts that differ; null if a target names none and only the digest differs. */
export function changedParts(before: State, after: State): readonly string[] | null {
  if (before.digest !== after.digest && (before.contents === undefined || after.contents === undefined)) return null;
  const [had, has] = [partsOf(before), partsOf(after)];
  return [...new Set([...had.keys(), ...has.keys()])].filter((name) => had.get(name) !== has.get(name));
}

/**
 * What is another, such as "wallet_micros 500 → 400", "messages 1 → 2" and, of what is told by digests alone, "users (by its
 * digest)"; nothing where all is as it was.
 */
export function stateChanges(before: State, after: State): readonly string[] {
  const isToldByName = before.contents !== undefined && after.contents !== undefined;
  const [had, has] = [partsOf(before), partsOf(after)];
  const changed = [...new Set([...had.keys(), ...has.keys()])].filter((name) => had.get(name) !== has.get(name));
  const named = changed.map((name) => changeOf(name, had.get(name) ?? "nothing", has.get(name) ?? "nothing"));
  // A digest says that something is another and not what.
  return isToldByName || before.digest === after.digest ? named : [...named, "something besides money, by its digest"];
}

/** Digests say that something is another, and neither what nor how. */
function changeOf(name: string, before: string, after: string): string {
  if (isDigest(before) && isDigest(after)) return `${name} (by its digest)`;
  const [had, has] = [countOf(before), countOf(after)];
  return had === has && before !== after && had !== before
    ? `${name} (still ${has}, by its digest)`
    : `${name} ${had} → ${has}`;
}

/** How many there are, where a digest of them stands behind that. */
const countOf = (text: string): string => text.replace(/^(\d+) \([\da-f]{8,}\)$/i, "$1");

/** Whether a text looks like a digest: a long number in base 16 that is none in base 10. */
const isDigest = (text: string): boolean => /^[\da-f]{8,}$/i.test(text) && /[a-f]/i.test(text);

const partsOf = ({ wallet_micros, contents = {} }: State): ReadonlyMap<string, string> =>
  new Map([["wallet_micros", String(wallet_micros)], ...Object.entries(contents)]);
