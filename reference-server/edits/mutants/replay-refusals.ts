import { referenceChoices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { DeliveryOutcome } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { Event } from "../../domain/events/event.ts";
import { retainedAt } from "../../domain/events/retention.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import type { Ports } from "../ports.ts";
import { idIn, seeing } from "../seen.ts";
import { receiverOf, replaying } from "../unit-changes.ts";
import { inPlaceOf, isRefusal, onAnswer, onRequest, refused, refusedWith, withBody } from "../wire.ts";
import { bodyOf, withId, withKey } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { id: replay } = operations.replayDelivery;

/** A mutant that replays no delivery of a certain outcome. */
const refusing = (outcome: DeliveryOutcome, does: string): Mutant =>
  wireMutant(
    "WHP-21",
    outcome,
    does,
    seeing(
      (seen) => (serve) => async (request) =>
        request.operation === replay && seen.records.get(idIn(request))?.outcome === outcome
          ? refused(refuse.Conflict("The delivery is over."))
          : serve(request),
    ),
  );

/** Whether an attempt's event is past retention, and one like it that is not. */
async function retained(
  { world }: Ports,
  tx: UnitOfWork,
  { organizationId, eventId, eventType: type }: DeliveryAttempt,
) {
  const now = timeOf(tx.organization?.clock ?? { mode: "real" }, world.now());
  const event = await tx.events.find(eventId);
  const isGone = event === null || event.createdAt < retainedAt(now, referenceChoices).eventsBefore;
  const again: Event = { id: eventId, organizationId, type, data: {}, createdAt: now };
  return { now, isGone, again };
}

interface Told extends Awaited<ReturnType<typeof retained>> {
  readonly tx: UnitOfWork;
  /** When it was first said. */
  readonly first: number;
}

/** A mutant that answers differently once it has said of a delivery that it is past retention. */
const toldOnce = (name: string, does: string, later: (told: Told) => Partial<UnitOfWork>): Mutant =>
  mutantOf("WHP-28", name, does, [
    replaying((ports) => {
      const told = new Map<string, number>();
      return async (tx, attempt) => {
        const found = await retained(ports, tx, attempt);
        if (!found.isGone) return {};
        const first = told.get(attempt.id);
        told.set(attempt.id, first ?? found.now);
        return first === undefined ? {} : later({ ...found, tx, first });
      };
    }),
  ]);

/** A mutant that says that an event is past retention and sends something so many milliseconds later. */
const sentAllTheSame = (name: string, does: string, delay: number): Mutant =>
  mutantOf("WHP-29", name, does, [
    replaying((ports) => async (tx, attempt) => {
      const { now, isGone, again } = await retained(ports, tx, attempt);
      const event = { ...again, id: `${constants.eventIdPrefix}${crypto.randomUUID()}`, createdAt: now + delay };
      if (isGone) await tx.enqueue(event, { endpointId: attempt.endpointId });
      return {};
    }),
  ]);

/** A mutant that refuses an id of another organization's delivery in a way of its own. */
const foreign = (name: string, does: string, refusal: Parameters<typeof refusedWith>[1]): Mutant =>
  wireMutant(
    "TEN-03",
    name,
    does,
    seeing((seen) =>
      onAnswer(replay, (answer, request) =>
        isRefusal(answer, "NotFound") && seen.otherOwner(request) !== undefined ? refusedWith(answer, refusal) : answer,
      ),
    ),
  );

/** A mutant that finds another delivery of the caller's for an id; undefined for none. */
const finding = (
  name: string,
  does: string,
  find: (id: string, own: readonly { readonly id: string; readonly endpoint_id: string }[]) => string | undefined,
): Mutant =>
  wireMutant(
    "WHP-30",
    name,
    does,
    seeing((seen) =>
      onRequest(replay, (request) => {
        const id = idIn(request);
        const caller = seen.callerOf(request)?.organization;
        const own = [...seen.records.values()].filter((record) => seen.owners.get(record.id) === caller);
        const other = seen.records.has(id) ? undefined : find(id, own);
        return other === undefined ? request : withId(request, other);
      }),
    ),
  );

/** Servers that refuse a replay wrongly, or do not refuse it. */
export const replayRefusalMutants: readonly Mutant[] = [
  refusing("success", "replays nothing that the receiver took"),
  refusing("retry", "replays nothing that will be tried again"),
  refusing("dead", "replays nothing that it gave up"),
  wireMutant(
    "WHP-27",
    "not-found",
    "no longer finds a delivery whose event is past retention",
    inPlaceOf(replay, "EventExpired", refuse.NotFound("There is no such delivery.")),
  ),
  mutantOf("WHP-27", "never", "keeps events for ever", [
    storing(() => ({ retention: { prune: async () => 0, pruneOrganization: async () => undefined } })),
    replaying((ports) => async (tx, attempt) => {
      const { now } = await retained(ports, tx, attempt);
      const event = await tx.events.find(attempt.eventId);
      return { events: { find: async () => event && { ...event, createdAt: now } } };
    }),
  ]),
  wireMutant(
    "WHP-27",
    "conflict",
    "calls what is past retention a conflict",
    inPlaceOf(replay, "EventExpired", refuse.Conflict("The event of the delivery is no longer kept.")),
  ),
  wireMutant(
    "WHP-27",
    "details",
    "explains in details what is past retention",
    onAnswer(replay, (answer) =>
      isRefusal(answer, "EventExpired")
        ? refusedWith(
            answer,
            Object.assign(refuse.EventExpired("The event is gone."), { details: { event: "is no longer kept" } }),
          )
        : answer,
    ),
  ),
  toldOnce("once", "no longer finds a delivery once it has said that it is past retention", () => ({
    attempts: { find: async () => null },
  })),
  toldOnce("a-day", "says for a day that an event is past retention, and something else then", (told) =>
    told.now > told.first + 43_200_000
      ? { ...receiverOf(told.tx, false), events: { find: async () => told.again } }
      : {},
  ),
  toldOnce("revived", "accepts a replay that it refused before", ({ again }) => ({
    events: { find: async () => again },
    enqueue: async () => 1,
  })),
  sentAllTheSame("sent", "says that an event is past retention and sends something all the same", 0),
  sentAllTheSame("put-off", "says that an event is past retention and sends something an hour later", 3_600_000),
  wireMutant(
    "WHP-30",
    "expired",
    "takes what it never had for what it no longer has",
    inPlaceOf(replay, "NotFound", refuse.EventExpired("The event of the delivery is no longer kept.")),
  ),
  finding(
    "beginning",
    "compares all but the last digits of a delivery's id",
    (id, own) => own.find((record) => record.id.slice(0, 30) === id.slice(0, 30))?.id,
  ),
  finding(
    "endpoint",
    "takes the id of an endpoint for that of a delivery to it",
    (id, own) => own.find((record) => record.endpoint_id === id)?.id,
  ),
  wireMutant(
    "WHP-30",
    "invalid",
    "calls an unknown id invalid",
    inPlaceOf(replay, "NotFound", refuse.ValidationFailed("There is no such delivery.", { id: "is not known" })),
  ),
  wireMutant(
    "WHP-30",
    "accepted",
    "accepts a replay before it looks for the delivery",
    onAnswer(replay, (answer, request) =>
      isRefusal(answer, "NotFound")
        ? withBody(
            { ...answer, status: operations.replayDelivery.success.reference },
            {
              success: true,
              data: {
                delivery_id: idIn(request),
                endpoint_id: crypto.randomUUID(),
                event_type: eventType.lookupCompleted,
                new_event_id: `${constants.eventIdPrefix}${crypto.randomUUID()}`,
                audit_log_id: crypto.randomUUID(),
                enqueued_at: new Date().toISOString(),
              },
            },
          )
        : answer,
    ),
  ),
  wireMutant(
    "WHP-31",
    "not-found",
    "looks for a delivery whatever its id looks like",
    inPlaceOf(replay, "ValidationFailed400", refuse.NotFound("There is no such delivery.")),
  ),
  wireMutant(
    "WHP-31",
    "length",
    "looks at nothing of an id but its length",
    onAnswer(replay, (answer, { parameters }) =>
      isRefusal(answer, "ValidationFailed400") && parameters.id?.length === 36
        ? refusedWith(answer, refuse.NotFound("There is no such delivery."))
        : answer,
    ),
  ),
  wireMutant(
    "WHP-31",
    "no-details",
    "does not say what is wrong with an id",
    inPlaceOf(replay, "ValidationFailed400", refuse.ValidationFailed400("The path is not valid.", {})),
  ),
  wireMutant(
    "TEN-03",
    "any",
    "replays any organization's deliveries",
    seeing((seen) =>
      onRequest(replay, (request) => {
        const owner = seen.otherOwner(request);
        const key = owner === undefined ? undefined : seen.widestKeyOf(owner);
        return key === undefined ? request : withKey(request, key);
      }),
    ),
  ),
  foreign("conflict", "tells that a delivery is another organization's", refuse.Conflict("It is another's.")),
  foreign(
    "expired",
    "takes another organization's delivery for one that is past retention",
    refuse.EventExpired("The event of the delivery is no longer kept."),
  ),
  wireMutant(
    "WHP-35",
    "blanks",
    "calls a reason that consists of blanks structurally wrong",
    onAnswer(replay, (answer, request) => {
      const { reason } = Object(bodyOf(request));
      return typeof reason === "string" && reason !== "" && reason.trim() === ""
        ? refusedWith(answer, refuse.InvalidInput("Give a reason."))
        : answer;
    }),
  ),
  wireMutant(
    "WHP-35",
    "nul",
    "fails at a reason with a NUL character",
    onAnswer(replay, (answer, request) => {
      const { reason } = Object(bodyOf(request));
      return typeof reason === "string" && reason.includes("\u0000")
        ? refusedWith(answer, refuse.InternalError("It failed."))
        : answer;
    }),
  ),
];
