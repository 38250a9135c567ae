import { type Alias, type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, visit } from "yaml";
import { namesOf } from "./yaml-names.ts";

/** What the aliases of a document stand for. */
export type Anchored = ReadonlyMap<Alias, Node>;

/** An alias that can't be followed; `offset` is where it stands in the text. */
export interface AliasFault {
  readonly kind: "unset" | "circular" | "unfolds";
  readonly name: string;
  readonly names: readonly string[];
  readonly offset: number;
}

/**
 * What each alias stands for, or the first that can't be followed: its anchor stands nowhere before it, it stands within
 * what it names, or with it the document has more than `most` parts, each alias counted as all that it stands for.
 */
export function followAliases(document: Document, most: number): Anchored | AliasFault {
  const anchors = new Map<string, Node>();
  const anchored = new Map<Alias, Node>();
  const sizes = new Map<Node, number>();
  let fault: AliasFault | null = null;
  let parts = 0;
  visit(document, {
    Node(_, node, path) {
      parts += 1;
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      const target = anchors.get(node.source);
      const faultOf = (kind: AliasFault["kind"]): symbol => {
        fault = { kind, name: node.source, names: namesOf([...path, node]), offset: node.range?.[0] ?? 0 };
        return visit.BREAK;
      };
      if (target === undefined) return faultOf("unset");
      if (path.some((ancestor) => ancestor === target)) return faultOf("circular");
      anchored.set(node, target);
      parts += sizeOf(target, anchored, sizes);
      return parts > most ? faultOf("unfolds") : undefined;
    },
  });
  return fault ?? anchored;
}

/** The parts that a node has when its aliases are unfolded; those stand before it, so that each is known. */
function sizeOf(node: Node, anchored: Anchored, sizes: Map<Node, number>): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  const inner = (part: unknown): number => (isNode(part) ? sizeOf(part, anchored, sizes) : 0);
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 1);
  const target = isAlias(node) ? anchored.get(node) : undefined;
  const size = isMap(node)
    ? sum(node.items.map(({ key, value }) => inner(key) + inner(value)))
    : isSeq(node)
      ? sum(node.items.map((item) => inner(item)))
      : 1 + inner(target);
  sizes.set(node, size);
  return size;
}

/** The node that names and indices lead to, through aliases and what is merged by `<<`; null where there is none. */
export function nodeAt(document: Document, anchored: Anchored, names: readonly string[]): Node | null {
  const followed = (node: unknown): Node | null => {
    let at = node;
    while (isAlias(at)) at = anchored.get(at);
    return isNode(at) ? at : null;
  };
  const member = (node: Node | null, name: string): Node | null => {
    if (isSeq(node)) return followed(node.items[Number(name)]);
    if (!isMap(node)) return null;
    const named = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (named !== undefined) return isNode(named.value) ? named.value : null;
    const sources = node.items
      .filter(({ key }) => isScalar(key) && key.source === "<<")
      .map(({ value }) => followed(value))
      .flatMap((merged) => (isSeq(merged) ? merged.items.map(followed) : [merged]));
    return sources.reduce<Node | null>((found, source) => found ?? (source && member(source, name)), null);
  };
  return names.reduce<Node | null>((node, name) => member(followed(node), name), followed(document.contents));
}
