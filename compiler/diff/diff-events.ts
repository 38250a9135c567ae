import type { DeliveryHeader, JsonSchema } from "../contract.ts";
import { type Draft, draft } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { judge } from "./judge.ts";
import { pairs, textPairs } from "./pairs.ts";

/** Events, the headers of their deliveries, and scopes: what the contract lists beside its operations. */
export function diffEvents({ base, head, includes }: FactContext): readonly Draft[] {
  const events = textPairs(base.eventTypes, head.eventTypes);
  const headers = pairs(base.deliveryHeaders, head.deliveryHeaders, ({ name }) => name.toLowerCase());
  const about = ["EventType", "DeliveryHeaders"];
  return [
    ...events.removed.map((event) =>
      draft(
        "event-removed",
        factAt("base", pointerOf("eventTypes", event), about),
        `${event} is sent no longer: a receiver that waits for it waits for ever.`,
      ),
    ),
    ...events.added.map((event) =>
      draft(
        "event-added",
        factAt("head", pointerOf("eventTypes", event), about),
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
    ...headers.both.flatMap(([before, after]) => {
      const where = factAt("head", `${headerAt(after)}/pattern`, about);
      const judged = {
        narrowed: "delivery-header-narrowed",
        widened: "delivery-header-widened",
        subject: `The delivery header ${after.name}`,
        variance: "response",
      } as const;
      const meant = (header: DeliveryHeader) => ({ schema: textOf(header), components: {} });
      return before.pattern === after.pattern ? [] : judge(meant(before), meant(after), judged, where, includes);
    }),
  ];
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
