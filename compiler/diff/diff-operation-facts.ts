import type { Operation } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import type { ChangeId } from "./change-table.ts";
import { matchOperations } from "./diff-operations.ts";
import { type DocumentContext, type DocumentSide, factsOf, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { pointerOf } from "./json-at.ts";
import { textPairs } from "./pairs.ts";

/** Names that one concept has on each side, so that a renamed bucket or error row is no change. */
export interface Renames {
  readonly buckets: ReadonlyMap<string, string>;
  readonly errors: ReadonlyMap<string, string>;
}

/** What the contract says of operations beyond their OpenAPI document. */
export function diffOperationFacts(context: DocumentContext, renames: Renames): readonly Draft[] {
  const { both } = matchOperations(context.base.surface.operations, context.head.surface.operations);
  return both.flatMap(([base, head]) => {
    const before = factsOf(context.base, base);
    const after = factsOf(context.head, head);
    if (before === undefined || after === undefined) return [];
    const whereAt: WhereAt = (...names) => ({
      ...whereOf(context, { base, head }, ""),
      pointer: pointerOf("operations", after.id, ...names),
    });
    return [
      ...diffScope(before, after, whereAt("scope")),
      ...diffCaller(context, before, after, whereAt("caller")),
      ...diffDraws(before, after, whereAt, renames),
      ...diffErrors(before, after, whereAt, renames),
      ...diffRest(before, after, whereAt),
    ];
  });
}

/** Where a fact of the operation stands in the contract, by the names that lead to it. */
type WhereAt = (...names: readonly string[]) => Where;

function diffScope(base: Operation, head: Operation, where: Where): readonly Draft[] {
  if (base.scope === head.scope) return [];
  if (base.scope === null) {
    return [
      draft(
        "operation-scope-added",
        where,
        `The operation needs the scope ${head.scope} now: a key without it is refused.`,
      ),
    ];
  }
  if (head.scope === null) {
    return [
      draft(
        "operation-scope-removed",
        where,
        `The operation needs the scope ${base.scope} no longer: no client breaks, but keys without it come in.`,
      ),
    ];
  }
  return [
    draft(
      "operation-scope-changed",
      where,
      `The operation needs the scope ${head.scope}, not ${base.scope}: a key that has only the old one is refused.`,
    ),
  ];
}

function diffCaller(context: DocumentContext, base: Operation, head: Operation, where: Where): readonly Draft[] {
  const admitted = (side: DocumentSide, { caller }: Operation): readonly string[] =>
    caller === null ? [] : (side.callers.get(caller) ?? [caller]);
  const { removed, added } = textPairs(admitted(context.base, base), admitted(context.head, head));
  return [
    ...(removed.length > 0
      ? [
          draft(
            "callers-narrowed",
            where,
            `${removed.join(", ")} may call the operation no longer: such callers are refused.`,
          ),
        ]
      : []),
    ...(added.length > 0
      ? [
          draft(
            "callers-widened",
            where,
            `${added.join(", ")} may call the operation now: no client breaks, but callers come in who could not.`,
          ),
        ]
      : []),
  ];
}

function diffDraws(base: Operation, head: Operation, whereAt: WhereAt, { buckets, errors }: Renames): readonly Draft[] {
  const before = new Map(base.draws.map((draw) => [buckets.get(draw.bucket) ?? draw.bucket, draw]));
  const after = new Map(head.draws.map((draw) => [draw.bucket, draw]));
  const removed = [...before.values()].filter((draw) => !after.has(buckets.get(draw.bucket) ?? draw.bucket));
  const added = head.draws.filter(({ bucket }) => !before.has(bucket));
  const [gone] = removed;
  const [fresh] = added;
  if (gone !== undefined && fresh !== undefined && removed.length === 1 && added.length === 1) {
    return [
      draft(
        "operation-limit-changed",
        whereAt("draws"),
        `Calls draw from the limit ${fresh.bucket}, not ${gone.bucket}: a client is refused at another pace, and shares it with other calls.`,
      ),
    ];
  }
  return [
    ...added.map(({ bucket }) =>
      draft(
        "operation-limit-added",
        whereAt("draws", bucket),
        `Calls draw from the limit ${bucket} now: a client that calls faster is refused.`,
      ),
    ),
    ...removed.map(({ bucket }) =>
      draft(
        "operation-limit-removed",
        whereAt("draws", bucket),
        `Calls draw from the limit ${bucket} no longer: no client is refused for it.`,
      ),
    ),
    ...head.draws
      .filter((draw) => before.has(draw.bucket) && before.get(draw.bucket)?.records !== draw.records)
      .map(({ bucket, records }) =>
        draft(
          "operation-limit-changed",
          whereAt("draws", bucket),
          `A call draws ${records === null ? "one unit" : `one unit for each item of ${records}`} from the limit ${bucket}: a client is refused at another pace.`,
        ),
      ),
    ...head.draws
      .filter(({ bucket, records, tooMany }) => {
        const old = before.get(bucket);
        return old !== undefined && old.records === records && rowName(old.tooMany, errors) !== tooMany;
      })
      .map(({ bucket, tooMany }) =>
        draft(
          "operation-limit-changed",
          whereAt("draws", bucket),
          `More records than the limit ${bucket} ever holds are refused with ${tooMany}: a client that branches on the row before is mistaken.`,
        ),
      ),
  ];
}

const rowName = (name: string | null, errors: Renames["errors"]): string | null =>
  name === null ? null : (errors.get(name) ?? name);

function diffErrors(base: Operation, head: Operation, whereAt: WhereAt, { errors }: Renames): readonly Draft[] {
  const { removed, added } = textPairs(
    base.errors.map((name) => errors.get(name) ?? name),
    head.errors,
  );
  const at = (name: string): Where => {
    const where = whereAt("errors", name);
    return { ...where, about: [...where.about, name] };
  };
  return [
    ...removed.map((name) =>
      draft(
        "operation-error-removed",
        at(name),
        `The operation answers ${name} no longer: a client that acts on it never does, or meets another error.`,
      ),
    ),
    ...added.map((name) =>
      draft(
        "operation-error-added",
        at(name),
        `The operation may answer ${name}: a client that tells errors apart may meet one that it does not know.`,
      ),
    ),
    ...(sameMeaning(refusalsOf(base, errors), refusalsOf(head, new Map()))
      ? []
      : [
          draft(
            "refusal-changed",
            whereAt("refusals"),
            "Some invalid values are refused with another error: a client that tells them apart by it is misled.",
          ),
        ]),
  ];
}

const refusalsOf = ({ refusals }: Operation, errors: ReadonlyMap<string, string>): readonly string[] =>
  refusals.flatMap(({ pointer, keywords, row }) =>
    keywords.map((keyword) => `${pointer} ${keyword} ${errors.get(row) ?? row}`),
  );

const sameMeaning = (base: readonly string[], head: readonly string[]): boolean =>
  canonicalJson([...new Set(base)].sort()) === canonicalJson([...new Set(head)].sort());

function diffRest(base: Operation, head: Operation, whereAt: WhereAt): readonly Draft[] {
  const secrets = textPairs(base.secrets, head.secrets);
  const told = (id: ChangeId, is: boolean, fact: string, message: string): readonly Draft[] =>
    is ? [draft(id, whereAt(fact), message)] : [];
  return [
    ...told(
      "idempotency-ended",
      base.idempotencyHeader !== null && base.idempotencyHeader !== head.idempotencyHeader,
      "idempotencyHeader",
      "Idempotency keys are not honoured any more: a client that tries again does its work twice.",
    ),
    ...told(
      "idempotency-added",
      head.idempotencyHeader !== null && base.idempotencyHeader !== head.idempotencyHeader,
      "idempotencyHeader",
      "Idempotency keys are honoured now: a client that reuses one gets the earlier answer.",
    ),
    ...secrets.added.map((pointer) =>
      draft(
        "secret-added",
        whereAt("secrets", pointer),
        `${pointer} is a secret now: nobody breaks; it is to be guarded.`,
      ),
    ),
    ...secrets.removed.map((pointer) =>
      draft(
        "secret-removed",
        whereAt("secrets", pointer),
        `${pointer} is a secret no longer: what guarded it may stop to.`,
      ),
    ),
    ...told(
      "reference-choice-changed",
      base.success.reference !== head.success.reference || base.success.question !== head.success.question,
      "success",
      `The reference server answers ${head.success.reference}${head.success.question === null ? "" : ` (${head.success.question})`}, not ${base.success.reference}: a client that was tried on it alone may count on the old status.`,
    ),
    ...told(
      "reference-choice-changed",
      !sameMeaning(narrowingsOf(base), narrowingsOf(head)),
      "narrowings",
      "The reference server demands something else beyond the contract: a client that was tried on it alone may be refused.",
    ),
  ];
}

const narrowingsOf = ({ narrowings }: Operation): readonly string[] =>
  narrowings.map(({ pointer, question, required, schema }) => canonicalJson({ pointer, question, required, schema }));
