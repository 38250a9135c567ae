import { type Document, isNode, isPair, isScalar, isSeq, type Node, type Pair, visit } from "yaml";

type Ancestor = Document | Node | Pair;

/** The names and indices that lead to the innermost part of a YAML document that an offset into its text lies in. */
export function namesAround(document: Document, offset: number): readonly string[] {
  let found: readonly string[] = [];
  visit(document, {
    Pair(_, pair, path) {
      if (!spans(pair, offset)) return visit.SKIP;
      found = namesOf([...path, pair]);
      return;
    },
  });
  return found;
}

function spans({ key, value }: Pair, offset: number): boolean {
  const start = isNode(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[2] : isNode(key) ? key.range?.[2] : undefined;
  return start !== undefined && end !== undefined && start <= offset && offset <= end;
}

/** The names and indices on a way into a document. */
export const namesOf = (path: readonly Ancestor[]): readonly string[] =>
  path.flatMap((at, index) => {
    if (isPair(at)) return isScalar(at.key) ? [String(at.key.value)] : [];
    const next = path[index + 1];
    return isSeq(at) && next !== undefined ? [String(at.items.indexOf(next))] : [];
  });
