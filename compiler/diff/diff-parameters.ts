import { diffSchema } from "./diff-schema.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft } from "./draft.ts";
import type { HttpParameter } from "./http-surface.ts";
import { pairs } from "./pairs.ts";

/** Path parameters are matched by their position, header names whatever their case. */
export function diffParameters(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const at = (parameter: HttpParameter) => whereOf(context, operations, parameter.pointer);
  const found = pairs(operations.base?.parameters ?? [], operations.head?.parameters ?? [], (one) => one.key);
  return [
    ...found.removed.map((one) =>
      draft("parameter-removed", at(one), `${named(one)} is gone: a client that sends it loses its effect.`),
    ),
    ...found.added.map((one) =>
      one.required
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
  if (base.serialization !== head.serialization) {
    const message = `${name} is written otherwise (${base.serialization} → ${head.serialization}): values written as before are misread.`;
    drafts.push(draft("parameter-serialization-changed", where, message));
  }
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
    variance: "request",
  } as const;
  return [
    ...drafts,
    ...diffSchema(context, base.schema, head.schema, judged, { ...where, pointer: `${where.pointer}/schema` }),
  ];
}

const named = ({ name, in: place }: HttpParameter): string =>
  place === "path"
    ? `Path parameter {${name}}`
    : `${place[0]?.toUpperCase() ?? ""}${place.slice(1)} parameter "${name}"`;
