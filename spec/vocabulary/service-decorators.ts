import type { DecoratorContext, Enum, EnumMember, Interface, Namespace, Operation } from "@typespec/compiler";
import { $lib } from "./library.ts";
import { of } from "./vocabulary.ts";

/** Services, and who may call them. */
export const serviceDecorators = {
  serviceName(context: DecoratorContext, target: Namespace, name: string): void {
    if (!/^[a-z][a-z0-9]*$/.test(name)) {
      $lib.reportDiagnostic(context.program, {
        code: "service-name",
        target: context.getArgumentTarget(0) ?? target,
      });
      return;
    }
    of(context).serviceNames.set(target, name);
  },
  forTests(context: DecoratorContext, target: Namespace): void {
    of(context).forTests.add(target);
  },
  callers(context: DecoratorContext, target: Enum): void {
    of(context).callers.push(target);
  },
  admits(context: DecoratorContext, target: EnumMember, ...who: readonly string[]): void {
    of(context).admitted.set(target, who);
  },
  calledBy(context: DecoratorContext, target: Operation | Interface | Namespace, caller: EnumMember): void {
    if (!of(context).callers.includes(caller.enum)) {
      $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
      return;
    }
    of(context).calledBy.set(target, caller);
  },
};
