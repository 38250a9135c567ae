/** A name that an object has twice: its second place. */
interface RepeatedKey {
  /** The names and indices that lead to it. */
  readonly names: readonly string[];
  /** Of its first character in the text. */
  readonly offset: number;
}

/** An object or list that is open where the text is read. */
interface Open {
  /** Null for a list. */
  readonly keys: Set<string> | null;
  /** The member or index that is read. */
  name: string;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** The first name that an object of a sound JSON text has twice, which `JSON.parse` passes over; null where none has. */
export function repeatedKey(text: string): RepeatedKey | null {
  const open: Open[] = [];
  let isKeyNext = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inner = open.at(-1);
    switch (token) {
      case "{":
      case "[":
        open.push(token === "{" ? { keys: new Set(), name: "" } : { keys: null, name: "0" });
        isKeyNext = token === "{";
        break;
      case "}":
      case "]":
        open.pop();
        isKeyNext = false;
        break;
      case ",":
        isKeyNext = inner?.keys != null;
        if (inner?.keys === null) inner.name = String(Number(inner.name) + 1);
        break;
      default: {
        if (!isKeyNext || inner?.keys == null) break;
        isKeyNext = false;
        inner.name = token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
        if (inner.keys.has(inner.name)) return { names: open.map(({ name }) => name), offset: index };
        inner.keys.add(inner.name);
      }
    }
  }
  return null;
}
