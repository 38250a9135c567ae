import type { Contract, DeliveryHeader, JsonSchema } from "../contract.ts";
import { sameJson } from "../schema/canonical-json.ts";
import type { Edit } from "./change.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { inOpenEnum, judge, type Meant } from "./judge.ts";
import { pairs, textPairs } from "./pairs.ts";
import { textEdits } from "./text-edits.ts";

/** Events, the headers of their deliveries, and scopes: what the contract lists beside its operations. */
export function diffEvents({ base, head, includes }: FactContext): readonly Draft[] {
  const events = textPairs(base.eventTypes, head.eventTypes);
  const headers = pairs(base.deliveryHeaders, head.deliveryHeaders, ({ name }) => name.toLowerCase());
  const about = ["EventType", "DeliveryHeaders"];
  const listed = listedBy(head.eventTypes, head) ?? listedBy(base.eventTypes, base);
  const edit = listed === null ? null : componentEdit(listed, base, head);
  const at = (side: "base" | "head", event: string): Where => ({
    ...factAt(side, pointerOf("eventTypes", event), about),
    ...(edit === null ? {} : { edit }),
  });
  return [
    ...events.removed.map((event) =>
      draft(
        "event-removed",
        at("base", event),
        `${event} is sent no longer: a receiver that waits for it waits for ever.`,
      ),
    ),
    ...events.added.map((event) =>
      draft(
        "event-added",
        at("head", event),
        `${event} is sent now: a receiver of all events may meet one that it does not know.`,
      ),
    ),
    ...headers.removed.map((header) =>
      draft(
        "delivery-header-removed",
        factAt("base", headerAt(header), about),
        `Deliveries lack ${header.name}: a receiver that reads it fails.`,
      ),
    ),
    ...headers.added.map((header) =>
      draft(
        "delivery-header-added",
        factAt("head", headerAt(header), about),
        `Deliveries have ${header.name} now: nobody has to read it.`,
      ),
    ),
    ...headers.both.flatMap(([before, after]) => diffHeader(before, after, { base, head, includes }, about)),
  ];
}

function diffHeader(
  base: DeliveryHeader,
  head: DeliveryHeader,
  context: FactContext,
  about: readonly string[],
): readonly Draft[] {
  const edit = head.component === null ? null : componentEdit(head.component, context.base, context.head);
  const where = { ...factAt("head", `${headerAt(head)}/pattern`, about), ...(edit === null ? {} : { edit }) };
  const judged = {
    narrowed: "delivery-header-narrowed",
    widened: "delivery-header-widened",
    subject: `The delivery header ${head.name}`,
    voice: "delivery",
  } as const;
  const found =
    base.pattern === head.pattern ? [] : judge(meantBy(base), meantBy(head), judged, where, context.includes);
  const told = [
    ...found.map((made) => (base.open ? inOpenEnum(made, judged, where.pointer) : made)),
    ...diffScheme(base, head, { ...where, pointer: `${headerAt(head)}/scheme` }),
  ];
  if (base.open === head.open) return told;
  const opened = draft(
    head.open ? "enum-opened" : "enum-closed",
    { ...where, pointer: `${headerAt(head)}/open` },
    head.open
      ? `${judged.subject} may have other values in later versions: a receiver that handles the listed ones only fails on them.`
      : `${judged.subject} gets no other values: a receiver that allows for them still works.`,
  );
  return [...told, opened];
}

/** A contract that was compiled before schemes were told has none: what it says first of one is no change. */
function diffScheme(base: DeliveryHeader, head: DeliveryHeader, where: Where): readonly Draft[] {
  if (base.scheme === undefined) return [];
  if (sameJson(base.scheme && { ...base.scheme }, head.scheme && { ...head.scheme })) return [];
  const says = `The delivery header ${head.name} signs in another way: a receiver that checks it as before takes no delivery.`;
  return [draft("signature-scheme-changed", where, says)];
}

const meantBy = (header: DeliveryHeader): Meant => ({ schema: textOf(header), components: {} });

/** The component that lists these values, among those of any service: what they are called there. */
function listedBy(values: readonly string[], { services }: Contract): string | null {
  for (const { document } of services) {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (sameJson(schema.enum ?? null, values)) return name;
    }
  }
  return null;
}

/** The edit of a named schema that both sides have, in whatever service; null where its texts are the same. */
function componentEdit(name: string, base: Contract, head: Contract): Edit | null {
  const [before, after] = [base, head].map(({ services }) =>
    services.map(({ document }) => document.components.schemas[name]).find((schema) => schema !== undefined),
  );
  const [first] = before === undefined || after === undefined ? [] : textEdits(before, after);
  if (first === undefined) return null;
  const { at, place: _, ...edit } = first;
  return { ...edit, at: `${pointerOf("components", "schemas", name)}${at}` };
}

const headerAt = ({ name }: DeliveryHeader): string => pointerOf("deliveryHeaders", name.toLowerCase());

const textOf = ({ pattern }: DeliveryHeader): JsonSchema =>
  pattern === null ? { type: "string" } : { type: "string", pattern };

export function diffScopes({ base, head }: FactContext): readonly Draft[] {
  const found = pairs(base.scopes, head.scopes, ({ value }) => value);
  return [
    ...found.removed.map((scope) =>
      draft(
        "scope-removed",
        factAt("base", pointerOf("scopes", scope.value), ["Scope", "ScopeName"]),
        `The scope ${scope.value} is gone: a client that asks for it is refused.`,
      ),
    ),
    ...found.added.map((scope) =>
      draft(
        "scope-added",
        factAt("head", pointerOf("scopes", scope.value), ["Scope", "ScopeName"]),
        `The scope ${scope.value} is new: nobody has to have it.`,
      ),
    ),
  ];
}
