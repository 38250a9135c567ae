import { type Document, isAlias, isNode, isPair, isScalar, isSeq, type Node, type Pair, visit } from "yaml";

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

/** An alias whose anchor stands nowhere before it; null where there is none. */
export function unsetAlias(
  document: Document,
): { readonly name: string; readonly names: readonly string[]; readonly offset: number } | null {
  const anchors = new Set<string>();
  let found: ReturnType<typeof unsetAlias> = null;
  visit(document, {
    Node(_, node, path) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        return;
      }
      if (anchors.has(node.source)) return;
      found = { name: node.source, names: namesOf(path), offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

function spans({ key, value }: Pair, offset: number): boolean {
  const start = isNode(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[2] : isNode(key) ? key.range?.[2] : undefined;
  return start !== undefined && end !== undefined && start <= offset && offset <= end;
}

const namesOf = (path: readonly Ancestor[]): readonly string[] =>
  path.flatMap((at, index) => {
    if (isPair(at)) return isScalar(at.key) ? [String(at.key.value)] : [];
    const next = path[index + 1];
    return isSeq(at) && next !== undefined ? [String(at.items.indexOf(next))] : [];
  });
