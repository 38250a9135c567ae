import { type EnumMember, listServices, type Operation, type Program } from "@typespec/compiler";
import { getHttpService } from "@typespec/http";
import { type ExtensionKey, getOperationId, setExtension, setOperationId } from "@typespec/openapi";
import { ofOperations } from "./extensions.ts";
import type { DrawFacts } from "./facts.ts";
import { type Vocabulary, vocabularyOf } from "./vocabulary.ts";

/**
 * Gives each operation of a service its own name as id, and what the decorators say of it as extensions: every emitter
 * shows them. Once all is checked, since rules stand in other files than the operations they are about.
 */
export function describeOperations(program: Program): void {
  const vocabulary = vocabularyOf(program);
  for (const { type: namespace } of listServices(program)) {
    const [{ operations }] = getHttpService(program, namespace);
    for (const { operation } of operations) {
      if (getOperationId(program, operation) === undefined) setOperationId(program, operation, operation.name);
      for (const [name, value] of extensionsOf(operation, vocabulary)) {
        if (value !== undefined) setExtension(program, operation, name, value);
      }
    }
  }
}

/** Undefined where there is nothing to say. */
function extensionsOf(
  operation: Operation,
  vocabulary: Vocabulary,
): readonly (readonly [name: ExtensionKey, value: unknown])[] {
  const scope = vocabulary.operationScopes.get(operation)?.value;
  const draws = vocabulary.draws.get(operation)?.map(({ value }) => drawOf(value, vocabulary));
  const status = vocabulary.referenceStatuses.get(operation)?.value.status;
  const rules = vocabulary.rules.filter(({ target }) => target === operation).map(({ value }) => value.id);
  return [
    [ofOperations.scope, scope && textOf(scope.scope)],
    [ofOperations.scopeQuestion, scope?.open ?? undefined],
    [ofOperations.scopeExemption, vocabulary.scopeExemptions.get(operation)?.value],
    [ofOperations.callerQuestion, vocabulary.openCallers.get(operation)],
    [ofOperations.draws, draws],
    [ofOperations.changes, vocabulary.changes.get(operation)],
    [ofOperations.listQuestion, vocabulary.openLists.get(operation)],
    [ofOperations.idempotencyHeader, vocabulary.idempotent.get(operation)],
    [ofOperations.reference, status === undefined ? undefined : { status }],
    [ofOperations.rules, rules.length > 0 ? rules : undefined],
  ];
}

/** The bucket with its sizes, whether an organization may have others, and for one of records where they stand and which row refuses too many. */
function drawOf({ bucket, records, tooMany }: DrawFacts, { buckets, ladders }: Vocabulary): object {
  const plain = buckets.get(bucket)?.value;
  const ladder = ladders.get(bucket)?.value;
  const size = plain && { capacity: plain.capacity };
  const tiers = ladder && {
    tiers: ladder.fromCents.map((fromCents, i) => ({ tier: i + 1, fromCents, capacity: ladder.capacities[i] })),
  };
  const { periodSeconds, unit, adjustable } = plain ?? ladder ?? {};
  const counted = records === null ? {} : { records: `/${records}`, tooMany: tooMany?.name ?? null };
  return {
    name: bucket.name,
    ...size,
    ...tiers,
    periodSeconds,
    unit,
    ...(adjustable ? { adjustable } : {}),
    ...counted,
  };
}

const textOf = (member: EnumMember): string => String(member.value ?? member.name);
