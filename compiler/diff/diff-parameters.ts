import { asText } from "./as-sent.ts";
import { diffSchema } from "./diff-schema.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpParameter } from "./http-surface.ts";
import { withLooseParameters } from "./loose-parameters.ts";
import type { Meant } from "./meant.ts";
import { pairs } from "./pairs.ts";
import { rewritten, shapesOf } from "./writing.ts";

/** Path parameters are matched by their position, header names whatever their case. */
export function diffParameters(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const at = (parameter: HttpParameter) => whereOf(context, operations, parameter.pointer);
  const [before, after] = [operations.base?.parameters ?? [], operations.head?.parameters ?? []];
  const found = pairs(
    withLooseParameters(before, after, context.base.surface.components),
    withLooseParameters(after, before, context.head.surface.components),
    (one) => one.key,
  );
  // The path itself says that something stands there, declared or not.
  const declared = (one: HttpParameter, how: string) =>
    draft("path-parameter-declared", at(one), `${named(one)} is declared ${how}: requests are the same.`);
  return [
    ...found.removed.map((one) =>
      one.in === "path"
        ? declared(one, "no longer")
        : one.required
          ? draft("parameter-removed", at(one), `${named(one)} removed: what every client had to send has no effect.`)
          : draft(
              "optional-parameter-removed",
              at(one),
              `${named(one)} removed: what a client sends in it has no effect, or is refused.`,
            ),
    ),
    ...found.added.map((one) =>
      one.in === "path"
        ? declared(one, "now")
        : one.required
          ? draft(
              "parameter-added-required",
              at(one),
              `${named(one)} is new and required: every client that does not send it is refused.`,
            )
          : draft("parameter-added-optional", at(one), `${named(one)} is new and optional: nobody has to send it.`),
    ),
    ...found.both.flatMap(([base, head]) => diffParameter(context, operations, base, head)),
  ];
}

function diffParameter(
  context: DocumentContext,
  operations: OperationPair,
  base: HttpParameter,
  head: HttpParameter,
): readonly Draft[] {
  const where = whereOf(context, operations, head.pointer);
  const name = named(head);
  const drafts: Draft[] = [];
  if (!base.required && head.required) {
    drafts.push(
      draft("parameter-made-required", where, `${name} is required now: a client that leaves it out is refused.`),
    );
  }
  if (base.required && !head.required) {
    drafts.push(draft("parameter-made-optional", where, `${name} may be left out now: nobody breaks.`));
  }
  drafts.push(...diffWriting(context, base, head, where));
  if (base.deprecated !== head.deprecated) {
    const id = head.deprecated ? "parameter-deprecated" : "parameter-deprecation-ended";
    drafts.push(
      draft(id, where, `${name} is ${head.deprecated ? "deprecated now" : "deprecated no longer"}: nobody breaks yet.`),
    );
  }
  const judged = {
    narrowed: "parameter-narrowed",
    widened: "parameter-widened",
    subject: name,
    voice: "request",
  } as const;
  const isRequired = base.required && head.required;
  const schemaChanges = diffSchema(asWritten(context, base, head), base.schema, head.schema, judged, {
    ...where,
    pointer: `${where.pointer}/schema`,
  });
  // Nobody leaves out what is required, so its default is never met.
  const isIdle = (made: Draft): boolean =>
    isRequired && made.edit.keyword === "default" && made.pointer === `${where.pointer}/schema`;
  return [...drafts, ...schemaChanges.filter((made) => !isIdle(made))];
}

/** What is written by a style is compared as text; what is a content of its own, as it is. */
export const asWritten = (
  context: DocumentContext,
  base: Pick<HttpParameter, "writing">,
  head: Pick<HttpParameter, "writing">,
): DocumentContext => (base.writing.media === null && head.writing.media === null ? asText(context) : context);

function diffWriting(
  context: DocumentContext,
  base: HttpParameter,
  head: HttpParameter,
  where: Where,
): readonly Draft[] {
  const found = rewritten(
    { writing: base.writing, shapes: shapesOf(context.base.request(base.schema)) },
    { writing: head.writing, shapes: shapesOf(context.head.request(head.schema)) },
  );
  const name = named(head);
  const otherwise =
    found === null
      ? []
      : [
          draft(
            "parameter-serialization-changed",
            where,
            `${name} is written otherwise (${found.from} → ${found.to}): values written as before are misread.`,
          ),
        ];
  const hasNoReserved = (): boolean =>
    [context.base.request(base.schema), context.head.request(head.schema)].every(
      (schema) => context.includes(schema, withoutReserved).kind === "included",
    );
  const lenient: readonly Leniency[] = [
    {
      was: base.writing.reserved,
      is: head.writing.reserved,
      what: "reserved characters as they are",
      isIdle: hasNoReserved,
    },
    { was: base.writing.empty, is: head.writing.empty, what: "no value behind its name" },
  ];
  const loosened = lenient.flatMap(({ was, is, what, isIdle }) => {
    if (was === is || isIdle?.() === true) return [];
    const message = is
      ? `${name} may be sent with ${what} now: nobody has to.`
      : `${name} may be sent with ${what} no longer: a client that does so is refused or misread.`;
    return [draft(is ? "parameter-writing-loosened" : "parameter-writing-tightened", where, message)];
  });
  return [...otherwise, ...loosened];
}

/** A way to write values that one side admits and the other does not. */
interface Leniency {
  readonly was: boolean;
  readonly is: boolean;
  readonly what: string;
  /** Returns true if no value can be written that way. */
  readonly isIdle?: () => boolean;
}

/** Values whose texts have no character that RFC 3986 reserves. */
const withoutReserved: Meant = {
  schema: { $ref: "#/components/schemas/Value" },
  components: {
    Value: {
      anyOf: [
        { type: ["null", "boolean", "number"] },
        { type: "string", pattern: "^[^:/?#\\[\\]@!$&'()*+,;=]*$" },
        { type: "string", format: "uuid" },
        { type: "string", format: "date" },
        { type: "array", items: { $ref: "#/components/schemas/Value" } },
      ],
    },
  },
};

const named = ({ name, in: place }: HttpParameter): string =>
  place === "path"
    ? `Path parameter {${name}}`
    : `${place[0]?.toUpperCase() ?? ""}${place.slice(1)} parameter "${name}"`;
