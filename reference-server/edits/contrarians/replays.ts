import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { noteOriginals, originalOf } from "../port-changes.ts";
import { receiverOf, replaying, replayingAs } from "../unit-changes.ts";
import { onAnswer, parsed, refusedWith } from "../wire.ts";

const routes = "routes/deliveries.ts";
const request = "domain/deliveries/delivery-request.ts";
const begin = "const now = callerTime(caller, world.now());";

/** Servers that treat replays in other lawful ways. */
export const replayContrarians: readonly Contrarian[] = [
  {
    id: "Q14-replay",
    does: "adds members that the contract does not name to the answer of a replay",
    answers: "Q14",
    changes: [
      {
        file: routes,
        find: "audit_log_id: auditId,",
        replace: 'audit_log_id: auditId, ...{ status: "enqueued", links: {} },',
      },
    ],
  },
  {
    id: "Q70-one-line",
    does: "refuses a reason that has a line break",
    answers: "Q70",
    changes: [
      {
        wire: onAnswer("replayDelivery", (answer, { bytes }) =>
          String(Object(parsed(bytes)).reason).includes("\n")
            ? refusedWith(answer, refuse.ValidationFailed("The reason has to be one line.", { reason: "one line" }))
            : answer,
        ),
      },
    ],
  },
  {
    id: "Q17-upper",
    does: "writes the ids in the answer of a replay in upper case",
    answers: "Q17",
    changes: [
      { file: routes, find: "delivery_id: found.attempt.id,", replace: "delivery_id: found.attempt.id.toUpperCase()," },
      {
        file: routes,
        find: "new_event_id: eventId,",
        replace: `new_event_id: "${constants.eventIdPrefix}" + eventId.slice(4).toUpperCase(),`,
      },
    ],
  },
  {
    id: "Q67-first",
    does: "knows a delivery by the id of its first attempt alone",
    answers: "Q67",
    // No attempt of a replay has the number 1 there.
    excludes: ["Q132-on"],
    changes: [
      replaying(() => (_tx, attempt) => (attempt.attempt === 1 ? {} : { attempts: { find: async () => null } })),
    ],
  },
  {
    id: "Q68-whole",
    does: "sends the whole body of the original again, its id and its time too",
    answers: "Q68",
    changes: [
      noteOriginals,
      { file: request, find: "        id: event.id,", replace: `        id: ${originalOf}?.id ?? event.id,` },
      {
        file: request,
        find: "timestamp(event.createdAt, timestampPrecision)",
        replace: `timestamp(${originalOf}?.createdAt ?? event.createdAt, timestampPrecision)`,
      },
    ],
  },
  {
    id: "Q68-sorted",
    does: "writes the members of a replay's data in another order",
    answers: "Q68",
    changes: [
      replayingAs((event) => ({ ...event, data: Object.fromEntries(Object.entries(event.data).toReversed()) })),
    ],
  },
  {
    id: "Q69-silent",
    does: "accepts a replay to an endpoint that is not active and never sends it",
    answers: "Q69",
    changes: [replaying(() => (tx) => receiverOf(tx, true))],
  },
  {
    id: "Q70-demanding",
    does: "needs a body for a replay and takes short reasons only",
    answers: "Q70",
    changes: [
      {
        file: routes,
        find: begin,
        replace: `if (body === undefined) return refuseFields([{ pointer: "", says: "is required" }], choices);\n      if ((body?.reason ?? "").length > 60) return refuseFields([{ pointer: "/reason", says: "must have at most 60 characters" }], choices);\n      ${begin}`,
      },
    ],
  },
  {
    id: "Q70-null",
    does: "takes null as no reason, and as no body",
    answers: "Q70",
    changes: [
      {
        file: "http/validate-request.ts",
        find: "const violations = [...query, ...body];",
        replace:
          'const sent = exchange.input.body as { reason?: unknown } | null | undefined;\n    const isNull = routeOf(exchange).operation.id === "replayDelivery" && (sent === null || sent?.reason === null);\n    const violations = isNull ? query : [...query, ...body];',
      },
    ],
  },
  {
    id: "Q71-hours",
    does: "keeps an event for a fifth of the time",
    answers: "Q71",
    changes: [
      {
        file: "domain/events/retention.ts",
        find: "Number(choices.eventRetentionDays) * day",
        replace: "Number(choices.eventRetentionDays) * 0.2 * day",
      },
    ],
  },
  {
    id: "Q71-records",
    does: "keeps the record of an attempt for a week only",
    answers: "Q71",
    changes: [{ file: "domain/events/retention.ts", find: "const recordDays = 90;", replace: "const recordDays = 7;" }],
  },
  {
    id: "Q72-existence",
    does: "looks for the delivery before it looks at the limit",
    answers: "Q72",
    changes: [
      {
        file: "http/rate-limit.ts",
        find: "const { id } = caller.organization;",
        replace:
          'const { id } = caller.organization;\n    const { id: delivery } = (exchange.input.path ?? {}) as { id?: string };\n    if (draws.some(({ bucket }) => bucket === "deliveryReplays") && delivery && (await store.atomically(id, (tx) => tx.attempts.find(delivery))) === null)\n      return refuse.NotFound("There is no such delivery.");',
      },
    ],
  },
];
