import type { DecoratorContext, Enum, Model, ModelProperty, Type } from "@typespec/compiler";
import { setExtension } from "@typespec/openapi";
import { deliveryBody, openEnum } from "./extensions.ts";
import type { SignatureSchemeFacts, StatesFacts, TransitionFacts } from "./facts.ts";
import { add, of } from "./vocabulary.ts";

/** Events, open sets of values, and states. */
export const eventDecorators = {
  eventTypes(context: DecoratorContext, target: Enum): void {
    of(context).eventTypes.push(target);
  },
  openEnum(context: DecoratorContext, target: Enum): void {
    of(context).openEnums.add(target);
    setExtension(context.program, target, openEnum, true);
  },
  deliveryHeaders(context: DecoratorContext, target: Model): void {
    of(context).deliveryHeaders.push(target);
  },
  signedBy(context: DecoratorContext, target: ModelProperty, scheme: SignatureSchemeFacts): void {
    of(context).signatures.set(target, scheme);
  },
  deliveryBody(context: DecoratorContext, target: Model, open?: string): void {
    setExtension(context.program, target, deliveryBody, open ?? true);
  },
  states(context: DecoratorContext, target: Type, entity: string, facts: StatesFacts): void {
    add(context, of(context).states, target, { entity, ...facts });
  },
  transition(context: DecoratorContext, target: Type, entity: string, move: TransitionFacts): void {
    add(context, of(context).transitions, target, { entity, ...move });
  },
};
