import type { RuleId } from "../../../generated/rules.ts";
import type { MadeAttempt } from "../../delivery/make-attempt.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant } from "../edit.ts";
import { knowingOriginals, remembered, settling } from "../port-changes.ts";
import { mutantOf } from "./mutant.ts";

/** A mutant that keeps another record of attempts, by what it remembers of those before. */
const recording = (
  breaks: RuleId,
  name: string,
  does: string,
  make: () => (attempt: DeliveryAttempt) => DeliveryAttempt,
): Mutant =>
  mutantOf(breaks, name, does, [
    remembered(() => {
      const changed = make();
      return settling(({ attempt, nextDueAt }) => ({ attempt: changed(attempt), nextDueAt }));
    }),
  ]);

/** A mutant that makes something else of the attempts of replays. */
const ofReplays = (
  breaks: RuleId,
  name: string,
  does: string,
  change: (made: MadeAttempt, original: Event) => MadeAttempt,
): Mutant =>
  mutantOf(breaks, name, does, [
    knowingOriginals((originalOf) =>
      settling((made, { event }) => {
        const original = originalOf(event);
        return original === undefined ? made : change(made, original);
      }),
    ),
  ]);

/** Servers that break a rule by what they record of an attempt among others. */
export const settledAttemptMutants: readonly Mutant[] = [
  ofReplays("WHL-06", "replay", "counts the attempts of a replay from zero", ({ attempt, ...due }) => ({
    ...due,
    attempt: { ...attempt, attempt: attempt.attempt - 1 },
  })),
  recording("WHL-06", "event", "counts the attempts of an event at all endpoints together", () => {
    const made = new Map<string, number>();
    return (attempt) => {
      const number = (made.get(attempt.eventId) ?? 0) + 1;
      made.set(attempt.eventId, number);
      return { ...attempt, attempt: number };
    };
  }),
  ofReplays("WHL-07", "replay", "calls every attempt of a replay the first", ({ attempt, ...due }) => ({
    ...due,
    attempt: { ...attempt, attempt: 1 },
  })),
  ofReplays(
    "EVT-13",
    "replay",
    "records retries of a replay under the original's event id",
    ({ attempt, ...due }, { id }) => ({
      ...due,
      attempt: { ...attempt, eventId: attempt.attempt > 1 ? id : attempt.eventId },
    }),
  ),
  ofReplays("WHP-34", "once", "tries a replay once only", ({ attempt, nextDueAt }) =>
    nextDueAt === null ? { attempt, nextDueAt } : { attempt: { ...attempt, outcome: "dead" }, nextDueAt: null },
  ),
  mutantOf("WHP-34", "dead", "tries the replay of what is dead once only", [
    knowingOriginals((originalOf) => {
      const dead = new Set<string>();
      return settling(({ attempt, nextDueAt }, { event }) => {
        if (attempt.outcome === "dead") dead.add(event.id);
        const isLast = nextDueAt !== null && dead.has(originalOf(event)?.id ?? "");
        return isLast ? { attempt: { ...attempt, outcome: "dead" }, nextDueAt: null } : { attempt, nextDueAt };
      });
    }),
  ]),
  recording("WHL-51", "first", "dates every attempt as the first of its delivery", () => {
    const first = new Map<string, number>();
    return (attempt) => {
      const occurredAt = first.get(attempt.deliveryId) ?? attempt.occurredAt;
      first.set(attempt.deliveryId, occurredAt);
      return { ...attempt, occurredAt };
    };
  }),
  recording("WHL-14", "endpoint", "records for each endpoint the headers that the first one of an event got", () => {
    const first = new Map<string, DeliveryAttempt["requestHeaders"]>();
    return (attempt) => {
      const place = `${attempt.eventId} ${attempt.attempt}`;
      const requestHeaders = first.get(place) ?? attempt.requestHeaders;
      first.set(place, requestHeaders);
      return { ...attempt, requestHeaders };
    };
  }),
  recording("WHL-12", "organization", "records the size that an event of this type had in another organization", () => {
    const known = new Map<string, DeliveryAttempt>();
    return (attempt) => {
      const other = known.get(attempt.eventType);
      known.set(attempt.eventType, attempt);
      return other === undefined || other.organizationId === attempt.organizationId
        ? attempt
        : { ...attempt, requestBodyBytes: other.requestBodyBytes };
    };
  }),
];
