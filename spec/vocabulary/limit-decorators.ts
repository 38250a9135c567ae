import type { DecoratorContext, EnumMember, Model, Operation, Union, UnionVariant } from "@typespec/compiler";
import type { BucketFacts, LadderFacts } from "./facts.ts";
import { $lib } from "./library.ts";
import { declared, of } from "./vocabulary.ts";

/** What keeps a variant from being a constant; null when it is one. */
function faultOfConstant(
  variant: UnionVariant,
  units: ReadonlyMap<UnionVariant, string>,
): "default" | "name" | "unit" | "text" | null {
  if (typeof variant.name !== "string") return "name";
  switch (variant.type.kind) {
    case "Number":
      return units.has(variant) ? null : "unit";
    case "String":
      return units.has(variant) ? "text" : null;
    default:
      return "default";
  }
}

const rises = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? number));

/** Limits, and the values that have a name. */
export const limitDecorators = {
  tokenBucket(context: DecoratorContext, target: EnumMember, bucket: BucketFacts): void {
    if (!(bucket.capacity > 0 && bucket.periodSeconds > 0)) {
      $lib.reportDiagnostic(context.program, { code: "bucket-size", target: context.getArgumentTarget(0) ?? target });
    }
    of(context).buckets.set(target, declared(context, target, bucket));
  },
  ladder(context: DecoratorContext, target: EnumMember, fromCents: readonly number[], bucket: LadderFacts): void {
    const { capacities, periodSeconds } = bucket;
    const isMatched = fromCents.length === capacities.length && fromCents[0] === 0;
    if (!isMatched || !rises(fromCents) || !rises(capacities) || !((capacities[0] ?? 0) > 0 && periodSeconds > 0)) {
      $lib.reportDiagnostic(context.program, {
        code: "ladder-order",
        target: context.getArgumentTarget(0) ?? target,
      });
    }
    of(context).ladders.set(target, declared(context, target, { fromCents, ...bucket }));
  },
  draws(context: DecoratorContext, target: Operation, bucket: EnumMember, records?: string, tooMany?: Model): void {
    const { buckets, ladders } = of(context);
    if (!buckets.has(bucket) && !ladders.has(bucket)) {
      $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
      return;
    }
    const { draws } = of(context);
    // Decorators are applied from the last to the first.
    const added = declared(context, target, { bucket, records: records ?? null, tooMany: tooMany ?? null });
    draws.set(target, [added, ...(draws.get(target) ?? [])]);
  },
  constants(context: DecoratorContext, target: Union): void {
    for (const variant of target.variants.values()) {
      const messageId = faultOfConstant(variant, of(context).units);
      if (messageId !== null) {
        $lib.reportDiagnostic(context.program, { code: "constant", messageId, target: variant });
      }
    }
    of(context).constants.push(target);
  },
  unit(context: DecoratorContext, target: UnionVariant, unit: string): void {
    of(context).units.set(target, unit);
  },
};
