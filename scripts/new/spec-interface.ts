import { type InterfaceStatementNode, parse, SyntaxKind } from "@typespec/compiler/ast";

/** An interface as a file of the spec declares it. */
export interface SpecInterface {
  readonly name: string;
  /** Path that its operations share, without a slash at the beginning; empty where they share none. */
  readonly route: string;
  readonly operations: readonly string[];
  /** Offset of the bracket that closes it. */
  readonly end: number;
}

/** The interfaces of a file of the spec. */
export const interfacesIn = (text: string): readonly SpecInterface[] =>
  parse(text).statements.flatMap((statement) =>
    statement.kind === SyntaxKind.InterfaceStatement
      ? [
          {
            name: statement.id.sv,
            route: routeOf(statement),
            operations: statement.operations.map(({ id }) => id.sv),
            end: statement.end - 1,
          },
        ]
      : [],
  );

function routeOf({ decorators }: InterfaceStatementNode): string {
  const [route] = decorators.flatMap(({ target, arguments: [path] }) =>
    target.kind === SyntaxKind.Identifier && target.sv === "route" && path?.kind === SyntaxKind.StringLiteral
      ? [path.value]
      : [],
  );
  return (route ?? "").replace(/^\//, "");
}
