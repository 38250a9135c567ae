import { constants } from "../../generated/constants.ts";
import { eventTypes } from "../../generated/events.ts";
import { type Decided, type Fact, type FactMaker, leastOfHistory } from "../evidence/apart.ts";
import { type Delivery, headerValues } from "../exchange/delivery.ts";

/** A delivery of which something was decided. */
export interface DecidedDelivery {
  readonly holds: boolean;
  readonly delivery: Delivery;
}

const ranks = { again: 0, type: 1, text: 2, before: leastOfHistory };

/** What held of deliveries, by those among them that came before to the same address with the same event id. */
export function deliveryFacts(decided: readonly DecidedDelivery[], fact: FactMaker): readonly Decided[] {
  const came = new Map<string, Delivery>();
  return decided
    .toSorted((a, b) => a.delivery.number - b.delivery.number)
    .map(({ holds, delivery }) => {
      const name = `${delivery.url} ${headerValues(delivery, constants.eventIdHeader)[0] ?? delivery.number}`;
      const before = came.get(name) ?? null;
      came.set(name, delivery);
      return { holds, facts: new Set(factsOf(delivery, before, fact)) };
    });
}

function* factsOf({ body }: Delivery, before: Delivery | null, fact: FactMaker): Generator<Fact> {
  yield before === null
    ? fact(ranks.again, "were the first with their event id at their address")
    : fact(ranks.again, "had an event id that had come to their address before");
  if (before?.answer?.kind === "respond")
    yield fact(ranks.before, `came after one of the same event that was answered ${before.answer.status}`);
  const text = body.toString();
  for (const type of eventTypes) if (text.includes(`"${type}"`)) yield fact(ranks.type, `named ${type}`);
  if (text.length < body.length) yield fact(ranks.text, "had text beyond ASCII");
}
