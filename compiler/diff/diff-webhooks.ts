import type { Json, JsonSchema } from "../contract.ts";
import { asText } from "./as-sent.ts";
import type { ChangeId } from "./change-table.ts";
import { diffMedia } from "./diff-media.ts";
import { answerOf } from "./diff-responses.ts";
import { diffSchema } from "./diff-schema.ts";
import type { DocumentContext, DocumentSide } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpMedia, HttpOperation, HttpParameter } from "./http-surface.ts";
import { meaningOf, pointerOf, tokensOf } from "./json-at.ts";
import { type Pairs, pairs } from "./pairs.ts";
import { rewritten, shapesOf, type Written, writingText } from "./writing.ts";

/**
 * Requests that the server makes: webhooks of a document, or callbacks of one operation. Directions are turned round:
 * what they carry is read by receivers, and what answers them is written by receivers. `where` is where all of them stand.
 */
export function diffWebhooks(
  context: DocumentContext,
  base: readonly HttpOperation[],
  head: readonly HttpOperation[],
  where: Where,
): readonly Draft[] {
  const at = (
    id: ChangeId,
    one: HttpOperation,
    own: readonly HttpOperation[],
    others: readonly HttpOperation[],
  ): Where => ({
    ...where,
    pointer: `${context.prefix}${one.pointer}`,
    ...wholeEdit(id, one, own, others),
  });
  const found = readdressed(pairs(base, head, ({ key }) => key));
  return [
    ...found.removed.map((one) =>
      draft(
        "webhook-removed",
        at("webhook-removed", one, base, head),
        `The ${named(one)} is sent no longer: a receiver that waits for it waits for ever.`,
      ),
    ),
    ...found.added.map((one) =>
      draft(
        "webhook-added",
        at("webhook-added", one, head, base),
        `The ${named(one)} is sent now: a receiver may meet a request that it does not know.`,
      ),
    ),
    ...found.both.flatMap(([before, after]) => diffWebhook(context, before, after, where)),
  ];
}

/** With the one that came in place of the one that went, where it has the same name and method, and no other does. */
function readdressed({ removed, added, both }: Pairs<HttpOperation>): Pairs<HttpOperation> {
  const callOf = (one: HttpOperation): string => `${standingOf(one).name} ${one.method}`;
  const moved = removed.flatMap((one) => {
    const [gone, come] = [removed, added].map((list) => list.filter((other) => callOf(other) === callOf(one)));
    const [other] = come ?? [];
    return gone?.length === 1 && come?.length === 1 && other !== undefined ? [[one, other] as const] : [];
  });
  const known = new Set(moved.flat());
  return {
    removed: removed.filter((one) => !known.has(one)),
    added: added.filter((one) => !known.has(one)),
    both: [...both, ...moved],
  };
}

/**
 * The edit by which a request came or went with all that the other side has none of: with every one in its list, or with
 * those of its name. Nothing where the other side has some of its name.
 */
function wholeEdit(
  id: ChangeId,
  one: HttpOperation,
  own: readonly HttpOperation[],
  others: readonly HttpOperation[],
): Pick<Where, "edit"> {
  const { list, name } = standingOf(one);
  const isWhole = others.length === 0;
  if (!isWhole && others.some((other) => standingOf(other).name === name)) return {};
  const names = isWhole ? [...new Set(own.map((each) => standingOf(each).name))].sort() : [name];
  const [before, after] = id === "webhook-removed" ? [names, []] : [[], names];
  return { edit: { at: isWhole ? list : `${list}${pointerOf(name)}`, keyword: id, before, after } };
}

/** The list that a webhook or callback stands in, and its name there. */
function standingOf({ pointer }: HttpOperation): { readonly list: string; readonly name: string } {
  const tokens = tokensOf(pointer);
  // A callback has an address below its name; both have methods at the end.
  const index = tokens.length - (tokens.at(-4) === "callbacks" ? 3 : 2);
  return { list: pointerOf(...tokens.slice(0, index)), name: tokens[index] ?? "" };
}

/** Ends a sentence, or begins it behind "The". */
const named = ({ method, path }: HttpOperation): string => `webhook ${path} (${method.toUpperCase()})`;

function diffWebhook(
  context: DocumentContext,
  base: HttpOperation,
  head: HttpOperation,
  where: Where,
): readonly Draft[] {
  const whereAt = (pointer: string): Where => ({ ...where, pointer: `${context.prefix}${pointer}` });
  const payload = {
    removed: "webhook-payload-removed",
    added: "webhook-payload-added",
    changed: null,
    rangeNarrowed: "webhook-payload-narrowed",
    narrowed: "webhook-payload-narrowed",
    widened: "webhook-payload-widened",
    isEncoded: false,
    subject: `The payload of the ${named(head)}`,
    voice: "delivery",
    whenRemoved: "a receiver that reads it finds nothing it can read",
    whenAdded: "a receiver may get it, and not be able to read it",
    adjusted: { base: asIs, head: asIs },
  } as const;
  return [
    ...diffMedia(context, payloadOf(base, head), payloadOf(head, base), payload, whereAt),
    ...diffParametersSent(context, base, head, whereAt(`${head.pointer}/parameters`)),
    ...diffWriting(context, base, head, whereAt),
    ...diffAnswers(context, base, head, whereAt),
    ...diffRest(context, base, head, whereAt(head.pointer)),
    ...diffWebhooks(context, base.callbacks, head.callbacks, where),
  ];
}

/** What one carries, unless it is to be ignored there or in the other. */
const payloadOf = (one: HttpOperation, other: HttpOperation): readonly HttpMedia[] =>
  one.body === null || one.body.isUnread || other.body?.isUnread === true ? [] : one.body.content;

const asIs = (schema: JsonSchema): JsonSchema => schema;

/** Headers and parameters of a request, as the members of one object. */
function diffParametersSent(
  context: DocumentContext,
  base: HttpOperation,
  head: HttpOperation,
  where: Where,
): readonly Draft[] {
  const judged = {
    narrowed: "webhook-parameters-narrowed",
    widened: "webhook-parameters-widened",
    subject: `The headers and parameters of the ${named(head)}`,
    voice: "delivery",
  } as const;
  return diffSchema(asText(context), asMembers(base.parameters), asMembers(head.parameters), judged, where);
}

const asMembers = (parameters: readonly HttpParameter[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(parameters.map(({ key, schema }) => [key, schema])),
  required: parameters.filter(({ required }) => required).map(({ key }) => key),
});

/** How parameters that both have are written; of what shape they are is told with their schemas. */
function diffWriting(
  context: DocumentContext,
  base: HttpOperation,
  head: HttpOperation,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  return pairs(base.parameters, head.parameters, ({ key }) => key).both.flatMap(([before, after]) => {
    const found = rewritten(writtenOn(context.base, before), writtenOn(context.head, after));
    if (found === null) return [];
    const parameter = `${after.in} parameter "${after.name}"`;
    const message = `The ${parameter} of the ${named(head)} is written otherwise (${found.from} → ${found.to}): a receiver that reads it as before misreads it.`;
    return [draft("callback-changed", whereAt(after.pointer), message)];
  });
}

const writtenOn = (side: DocumentSide, { writing, schema }: HttpParameter): Written => ({
  writing,
  shapes: shapesOf(side.response(schema)),
});

/** What receivers may answer. */
function diffAnswers(
  context: DocumentContext,
  base: HttpOperation,
  head: HttpOperation,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  const kind = {
    removed: "webhook-answer-narrowed",
    added: "webhook-answer-widened",
    changed: null,
    rangeNarrowed: null,
    narrowed: "webhook-answer-narrowed",
    widened: "webhook-answer-widened",
    isEncoded: false,
    subject: `The answer to the ${named(head)}`,
    voice: "delivery-answer",
    whenRemoved: "a receiver that answers with it is misunderstood",
    whenAdded: "no receiver has to answer with it",
    adjusted: { base: asIs, head: asIs },
  } as const;
  const gone = base.responses.filter(({ status }) => answerOf(status, head.responses) === undefined);
  const added = head.responses.filter(({ status }) => answerOf(status, base.responses) === undefined);
  const both = pairs([...base.responses], [...head.responses], ({ status }) => status).both;
  return [
    ...gone.map(({ status, pointer }) =>
      draft(
        "webhook-answer-removed",
        whereAt(pointer),
        `The answer ${status} to the ${named(head)} is understood no longer: a receiver that gives it has failed.`,
      ),
    ),
    ...added.map(({ status, pointer }) =>
      draft(
        "webhook-answer-added",
        whereAt(pointer),
        `The answer ${status} to the ${named(head)} is understood now: nobody has to give it.`,
      ),
    ),
    ...both.flatMap(([before, after]) => diffMedia(context, before.content, after.content, kind, whereAt)),
  ];
}

/** What both have besides, most of it as a whole. */
function diffRest(context: DocumentContext, base: HttpOperation, head: HttpOperation, where: Where): readonly Draft[] {
  const drafts: Draft[] = [];
  const name = named(head);
  if (base.operationId !== head.operationId) {
    const message = `The id of the ${name} is ${head.operationId ?? "gone"}, not ${base.operationId ?? "absent"}: a receiver generated anew has another method name.`;
    drafts.push(draft("operation-renamed", { ...where, pointer: `${where.pointer}/operationId` }, message));
  }
  if (base.deprecated !== head.deprecated) {
    const id = head.deprecated ? "operation-deprecated" : "operation-deprecation-ended";
    const now = head.deprecated ? "deprecated now" : "deprecated no longer";
    drafts.push(draft(id, where, `The ${name} is ${now}: nobody breaks yet.`));
  }
  if (base.path !== head.path) {
    const message = `The ${name} goes to another address (${base.path} → ${head.path}): a client that gives the old one is not called.`;
    drafts.push(draft("callback-changed", where, message));
  }
  if (meaningOf(restOf(context.base, base, head)) !== meaningOf(restOf(context.head, head, base))) {
    const message = `The ${name} differs in more than what it holds: a receiver may not understand it.`;
    drafts.push(draft("callback-changed", where, message, uncompared));
  }
  return drafts;
}

/** What a request says besides its schemas, of the parts that the other one has too. */
function restOf(side: DocumentSide, one: HttpOperation, other: HttpOperation): Json {
  const { security, servers } = one;
  const others = payloadOf(other, one);
  const content = payloadOf(one, other).filter(({ type }) => others.some((also) => also.type === type));
  const responses = one.responses.filter(({ status }) => other.responses.some((also) => also.status === status));
  return {
    ...{ security, servers },
    encoded: Object.fromEntries(content.map(({ type, encoding }) => [type, encoding])),
    answers: Object.fromEntries(
      responses.map(({ status, headers, links }) => [
        status,
        {
          links,
          headers: headers.map((header) => ({
            key: header.key,
            required: header.required,
            ways: waysOf(side, header),
            schema: header.schema,
          })),
        },
      ]),
    ),
  };
}

/** How values of each shape that there may be are written. */
const waysOf = (side: DocumentSide, { writing, schema }: Pick<HttpParameter, "writing" | "schema">): Json =>
  [...shapesOf(side.response(schema))].map((shape) => `${shape} ${writingText(writing, shape)}`).sort();

const uncompared = {
  kind: "unproven",
  why: "security, addresses, encodings and answered headers of callbacks are compared as a whole",
} as const;
