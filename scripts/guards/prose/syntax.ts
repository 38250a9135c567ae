/** A node of the syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Collects a value of each node of a tree for which there is one. */
export function collect<T>(root: Node, read: (node: Node) => T | null): readonly T[] {
  const found: T[] = [];
  // A loop without iterators: large trees are the slow part of the lint.
  const visit = (node: Node): void => {
    const value = read(node);
    if (value !== null) found.push(value);
    for (const key in node) {
      const below = node[key];
      if (typeof below !== "object" || below === null) continue;
      if (Array.isArray(below)) {
        for (const item of below) if (isNode(item)) visit(item);
      } else if (isNode(below)) visit(below);
    }
  };
  visit(root);
  return found;
}

/** The name of an identifier or the last name of a property access; null for any other node. */
export function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Identifier") return String(node.name);
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  return node.type === "MemberExpression" ? nameOf(node.property) : null;
}

/** The text of a literal, a template or a sum of them, with each inserted value as one word; null for any other node. */
export function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type === "TemplateLiteral" && Array.isArray(node.quasis))
    return node.quasis.map((quasi: { value: { cooked: string | null } }) => quasi.value.cooked ?? "").join("Value");
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

/** Returns a function that finds the line of an offset in a text; the first line is 1. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
