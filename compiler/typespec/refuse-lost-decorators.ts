import {
  type Enum,
  isTemplateDeclaration,
  type Model,
  type Namespace,
  type Scalar,
  type Union,
} from "@typespec/compiler";
import type { SpecSource } from "./spec-source.ts";

/**
 * The TypeSpec checker leaves out the decorators of a declaration that it first meets inside of a template's: what they
 * say would be missing without a word.
 */
export function refuseLostDecorators(source: SpecSource): void {
  for (const type of declaredIn(source.program.getGlobalNamespaceType())) {
    if (type.isFinished || type.decorators.length === 0) continue;
    source.fault(
      "decorators-lost",
      `The decorators of ${String(type.name)} were not applied: a template names it before it is declared.`,
      "Import its file in the entry file, above the first one with a template that names it.",
      type,
    );
  }
}

function* declaredIn(namespace: Namespace): Generator<Union | Enum | Model | Scalar> {
  yield* namespace.unions.values();
  yield* namespace.enums.values();
  for (const type of [...namespace.models.values(), ...namespace.scalars.values()]) {
    if (!isTemplateDeclaration(type)) yield type;
  }
  for (const inner of namespace.namespaces.values()) yield* declaredIn(inner);
}
