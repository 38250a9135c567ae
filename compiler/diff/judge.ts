import type { Json, JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import type { Evidence } from "./change.ts";
import type { ChangeId } from "./change-table.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { haveOneForm, isWrittenAlike } from "./same-schema.ts";

export interface Meant {
  readonly schema: JsonSchema;
  readonly components: Components;
}

/** Whether every value of one schema is a value of the other. */
export type Includes = (
  inner: Meant,
  outer: Meant,
) =>
  | { readonly kind: "included" }
  | {
      readonly kind: "not-included";
      /** Admitted by the inner schema, refused by the outer. */
      readonly counterexample: Json;
      readonly pointer: string;
      readonly keyword: string;
      readonly why: string;
    }
  | { readonly kind: "unknown"; readonly why: string };

/** The ids for a schema that admits less or more than before. */
export interface Judged {
  readonly narrowed: ChangeId;
  readonly widened: ChangeId;
  /** What is lost when the one way round fails; begins a sentence. */
  readonly subject: string;
  /** `request`: who sends what was admitted breaks; `response`: who reads what was promised. */
  readonly variance: "request" | "response";
}

/**
 * What became of a schema: nothing, when both admit the same; else it is narrower, wider, or both. Where inclusion
 * can't be decided, the dangerous one is reported with the reason.
 */
export function judge(base: Meant, head: Meant, judged: Judged, where: Where, includes: Includes): readonly Draft[] {
  if (isWrittenAlike(base, head) || haveOneForm(base, head)) return [];
  const request = judged.variance === "request";
  const forward = boundedly(includes)(base, head);
  const backward = boundedly(includes)(head, base);
  const lost = request ? "a client that sends such a value is refused" : "a client gains certainty and loses nothing";
  const gained = request
    ? "no request that worked stops working"
    : "a client that relies on what was promised meets a value that it never had to handle";
  const drafts: Draft[] = [];
  if (forward.kind === "not-included") {
    const message = `${judged.subject} no longer admits some values (${reason(forward)}): ${lost}.`;
    drafts.push(draft(judged.narrowed, where, message, value(forward, "head")));
  } else if (forward.kind === "unknown" && (request || backward.kind === "included")) {
    drafts.push(undecided(judged.narrowed, judged.subject, "admits all that it did", forward.why, where));
  }
  if (backward.kind === "not-included") {
    const message = `${judged.subject} admits more values (${reason(backward)}): ${gained}.`;
    drafts.push(draft(judged.widened, where, message, value(backward, "base")));
  } else if (backward.kind === "unknown" && (!request || forward.kind === "included")) {
    drafts.push(undecided(judged.widened, judged.subject, "admits nothing new", backward.why, where));
  }
  return drafts;
}

/** Schemas that unfold deeper than the stack are undecided, not a fault. */
const boundedly =
  (includes: Includes): Includes =>
  (inner, outer) => {
    try {
      return includes(inner, outer);
    } catch (problem) {
      if (problem instanceof RangeError) return { kind: "unknown", why: "the schema unfolds too deep" };
      throw problem;
    }
  };

const undecided = (id: ChangeId, subject: string, claim: string, why: string, where: Where): Draft =>
  draft(id, where, `${subject} differs, and it can't be shown that it ${claim}.`, { kind: "unproven", why });

const reason = ({ pointer, keyword }: { readonly pointer: string; readonly keyword: string }): string =>
  `"${keyword}" at ${pointer === "" ? "the value itself" : pointer}`;

const value = (
  found: { readonly counterexample: Json; readonly pointer: string; readonly keyword: string },
  refusedBy: "base" | "head",
): Evidence => ({ kind: "value", value: found.counterexample, refusedBy, at: found.pointer, keyword: found.keyword });
