/** What is told of an organization's state. */
export interface State {
  readonly wallet_micros: number;
  /** Of all that it has. */
  readonly digest: string;
  /** What the digest is of, by name; not there where the target does not tell. */
  readonly contents?: Readonly<Record<string, string>>;
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
const changeOf = (name: string, before: string, after: string): string =>
  isDigest(before) && isDigest(after) ? `${name} (by its digest)` : `${name} ${before} → ${after}`;

/** Whether a text looks like a digest: a long number in base 16 that is none in base 10. */
const isDigest = (text: string): boolean => /^[\da-f]{8,}$/i.test(text) && /[a-f]/i.test(text);

const partsOf = ({ wallet_micros, contents = {} }: State): ReadonlyMap<string, string> =>
  new Map([["wallet_micros", String(wallet_micros)], ...Object.entries(contents)]);
