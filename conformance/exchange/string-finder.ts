/** Finds which of many strings a text contains. The time that takes grows with the text, not with how many there are. */
export interface StringFinder {
  /** Throws when the string is shorter than `shortestString`. */
  add(string: string): void;
  /** The strings that stand anywhere in the text, in the order in which they were added. */
  foundIn(text: string): readonly string[];
}

/** Characters of the shortest string that can be found. */
export const shortestString = 8;

/** Any odd multiplier that spreads characters over 32 bits. */
const base = 0x01000193;
const leaving = power(base, shortestString);

/**
 * Hashes the last characters of each string and slides a window of as many over the text, whose hash is kept up by one
 * character at a time (Rabin and Karp). The last ones, since secrets of one kind begin alike.
 */
export function newStringFinder(): StringFinder {
  const order = new Map<string, number>();
  const byHash = new Map<number, string[]>();
  // A bit for each hash that is known, by its lower half: most windows are passed over at that.
  const known = new Uint32Array(2 ** 11);
  return {
    add(string) {
      if (string.length < shortestString) throw new RangeError(`A string to find has ${shortestString} characters.`);
      if (order.has(string)) return;
      order.set(string, order.size);
      let hash = 0;
      for (let at = string.length - shortestString; at < string.length; at += 1) hash = then(hash, string, at);
      byHash.set(hash, [...(byHash.get(hash) ?? []), string]);
      known[wordOf(hash)] = (known[wordOf(hash)] ?? 0) | (1 << (hash & 31));
    },
    foundIn(text) {
      const found = new Set<string>();
      let hash = 0;
      for (let at = 0; at < text.length; at += 1) {
        hash = then(hash, text, at);
        if (at >= shortestString) hash = (hash - Math.imul(text.charCodeAt(at - shortestString), leaving)) | 0;
        if (((known[wordOf(hash)] ?? 0) & (1 << (hash & 31))) === 0) continue;
        for (const string of byHash.get(hash) ?? []) if (text.endsWith(string, at + 1)) found.add(string);
      }
      return [...found].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    },
  };
}

const then = (hash: number, text: string, at: number): number => (Math.imul(hash, base) + text.charCodeAt(at)) | 0;

const wordOf = (hash: number): number => (hash & 0xffff) >>> 5;

function power(of: number, exponent: number): number {
  let result = 1;
  for (let times = 0; times < exponent; times += 1) result = Math.imul(result, of);
  return result;
}
