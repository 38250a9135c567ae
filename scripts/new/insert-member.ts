import { parseSync } from "oxc-parser";
import { type Addition, insertedAt } from "./addition.ts";

/** Where new members of a source go: into the object that a function returns, or into what a constant holds. */
export type Holder =
  /** The name of the function ends like this. */
  | { readonly returnedBy: RegExp }
  /** The constant's name, or the name of its type. */
  | { readonly constant: RegExp };

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** The source with one more member at the end of an object or a list, indented for it; null when there is no such holder. */
export function insertMember(source: string, holder: Holder, code: string): Pick<Addition, "text" | "line"> | null {
  const found = "returnedBy" in holder ? returned(source, holder.returnedBy) : held(source, holder.constant);
  if (found === null) return null;
  const end = found.end - 1;
  const lineStart = source.lastIndexOf("\n", found.start) + 1;
  const [indent = ""] = /^\s*/.exec(source.slice(lineStart)) ?? [];
  const inner = code.replaceAll(/^(?=.)/gm, `${indent}  `);
  const before = source.slice(0, end).trimEnd();
  const comma = /[,[{(]$/.test(before) ? "" : ",";
  const { text, line } = insertedAt(`${before}${comma}\n${indent}${source.slice(end)}`, before.length + 1, inner);
  // What closes the holder keeps its indentation.
  const closing = text.indexOf(source.slice(end), before.length + inner.length);
  return { text: text.slice(0, closing) + indent + text.slice(closing), line };
}

/** The object that the last statement of a function returns. */
function returned(source: string, name: RegExp): Node | null {
  for (const statement of statementsOf(source)) {
    if (statement.type !== "FunctionDeclaration" || !name.test(nameOf(statement.id))) continue;
    const last = listOf(asNode(statement.body)?.body).at(-1);
    const object = last?.type === "ReturnStatement" ? asNode(last.argument) : null;
    if (object?.type === "ObjectExpression") return object;
  }
  return null;
}

/** The object or list that a constant holds. */
function held(source: string, name: RegExp): Node | null {
  for (const { declarations } of statementsOf(source)) {
    for (const { id, init } of listOf(declarations)) {
      const variable = asNode(id);
      const value = asNode(init);
      const typed = asNode(variable?.typeAnnotation);
      const type = typed === null ? "" : source.slice(typed.start, typed.end);
      const isHolder = value?.type === "ObjectExpression" || value?.type === "ArrayExpression";
      if (isHolder && (name.test(nameOf(variable)) || name.test(type))) return value;
    }
  }
  return null;
}

/** The declarations of a source, exported or not. */
function statementsOf(source: string): readonly Node[] {
  const { program } = parseSync("file.ts", source, { preserveParens: false });
  return listOf(asNode(program)?.body).map((statement) => asNode(statement.declaration) ?? statement);
}

const asNode = (value: unknown): Node | null => (isNode(value) ? value : null);

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;

function nameOf(id: unknown): string {
  const name = asNode(id)?.name;
  return typeof name === "string" ? name : "";
}
