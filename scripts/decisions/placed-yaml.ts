import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** The value of a YAML text, and where its parts stand. */
export interface PlacedYaml {
  readonly value: unknown;
  /** `file:line:column` of the key (or list item) at a path, or of the last part of the path that is there. */
  readonly placeOf: (path: readonly (string | number)[]) => string;
}

/** Reads a YAML text; when it can't be read, where and why. `name` is how places call the file. */
export function placedYaml(
  name: string,
  text: string,
): PlacedYaml | { readonly broken: { readonly where: string; readonly message: string } } {
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  // The first only: what follows it is mostly its consequence.
  if (problem !== undefined) return { broken: { where: at(problem.pos[0]), message: problem.message } };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return { value, placeOf: (path) => at(offsetOf(document.contents, path)) };
  } catch {
    return { broken: { where: name, message: "The file's aliases expand too far." } };
  }
}

function offsetOf(root: unknown, path: readonly (string | number)[]): number {
  let node: unknown = root;
  let offset = startOf(root) ?? 0;
  for (const name of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name);
      offset = startOf(pair?.key) ?? offset;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
