import type { DecoratorContext, Enum, EnumMember, Operation } from "@typespec/compiler";
import { $lib } from "./library.ts";
import { declared, of } from "./vocabulary.ts";

/** Scopes, and which operation needs which. */
export const scopeDecorators = {
  scopes(context: DecoratorContext, target: Enum): void {
    of(context).scopes.push(target);
  },
  referenceScope(context: DecoratorContext, target: EnumMember, questionId: string): void {
    of(context).referenceScopes.set(target, questionId);
  },
  scope(context: DecoratorContext, target: Operation, scope: EnumMember, open?: string): void {
    if (!of(context).scopes.includes(scope.enum)) {
      $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
      return;
    }
    of(context).operationScopes.set(target, declared(context, target, { scope, open: open ?? null }));
  },
  scopeExempt(context: DecoratorContext, target: Operation, reason: string): void {
    of(context).scopeExemptions.set(target, declared(context, target, reason));
  },
};
