import { type NamespaceStatementNode, parse, SyntaxKind, type TypeSpecScriptNode } from "@typespec/compiler/ast";
import type { Place } from "../contract.ts";

/** One file of a spec; the path is relative to the project. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/**
 * What the files declare, by name: `ApiKey`, its property `ApiKey.prefix`, an operation, a member of an enum. A
 * namespace or an interface counts only if an operation stands in it: without one it is no thing to speak about.
 */
export function declarationsIn(sources: readonly SourceFile[]): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  for (const { file, text } of sources) {
    const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const add = (name: string, position: number): void => {
      if (found.has(name)) return;
      const line = lineStarts.findLastIndex((start) => start <= position);
      found.set(name, { file, line: line + 1, column: position - (lineStarts[line] ?? 0) + 1 });
    };
    collect(parse(text).statements, add);
  }
  return found;
}

type Statement = TypeSpecScriptNode["statements"][number];

type Add = (name: string, position: number) => void;

/** Adds the names of these statements; true when an operation is among them. */
function collect(statements: readonly Statement[], add: Add): boolean {
  const open: { readonly sv: string; readonly pos: number }[] = [];
  let operations = false;
  for (const statement of statements) {
    if (statement.kind === SyntaxKind.NamespaceStatement) {
      const { names, inner } = namespaceOf(statement);
      if (inner === null) open.push(...names);
      else if (collect(inner, add)) {
        operations = true;
        for (const { sv, pos } of names) add(sv, pos);
      }
    } else if (declare(statement, add)) operations = true;
  }
  if (operations) for (const { sv, pos } of open) add(sv, pos);
  return operations;
}

/** The names of `namespace A.B`, and what stands in its block; null when it holds for the rest of the file. */
function namespaceOf(statement: NamespaceStatementNode): {
  readonly names: readonly { readonly sv: string; readonly pos: number }[];
  readonly inner: readonly Statement[] | null;
} {
  const { id, statements } = statement;
  if (statements === undefined) return { names: [id], inner: null };
  if ("kind" in statements) {
    const { names, inner } = namespaceOf(statements);
    return { names: [id, ...names], inner };
  }
  return { names: [id], inner: statements };
}

/** Adds what one statement declares; true when that is an operation. */
function declare(statement: Statement, add: Add): boolean {
  switch (statement.kind) {
    case SyntaxKind.ModelStatement:
      add(statement.id.sv, statement.id.pos);
      for (const property of statement.properties)
        if (property.kind === SyntaxKind.ModelProperty) add(`${statement.id.sv}.${property.id.sv}`, property.id.pos);
      return false;
    case SyntaxKind.EnumStatement:
      add(statement.id.sv, statement.id.pos);
      for (const member of statement.members)
        if (member.kind === SyntaxKind.EnumMember) {
          add(member.id.sv, member.id.pos);
          add(`${statement.id.sv}.${member.id.sv}`, member.id.pos);
        }
      return false;
    case SyntaxKind.InterfaceStatement:
      if (statement.operations.length > 0 || statement.extends.length > 0) add(statement.id.sv, statement.id.pos);
      for (const operation of statement.operations) add(operation.id.sv, operation.id.pos);
      return statement.operations.length > 0;
    case SyntaxKind.OperationStatement:
      add(statement.id.sv, statement.id.pos);
      return true;
    case SyntaxKind.ScalarStatement:
    case SyntaxKind.UnionStatement:
    case SyntaxKind.AliasStatement:
      add(statement.id.sv, statement.id.pos);
      return false;
    default:
      return false;
  }
}
