import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Replay } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { idIn, type Seen, seeing } from "../seen.ts";
import { inPlaceOf, isRefusal, onAnswer, onData, onRequest, refused, refusedWith, type WireRequest } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { admitting } from "./admitting.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { replayDelivery, listDeliveryAttempts } = operations;

/** A mutant that answers replays with other data. */
const answering = (
  breaks: RuleId,
  name: string,
  does: string,
  change: (replay: Replay, seen: Seen) => unknown,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    // What the server answers is what the contract says: nothing has changed it yet.
    seeing((seen) => onData(replayDelivery.id, (data) => change(data as unknown as Replay, seen))),
  );

/** A mutant that takes bodies of which the condition holds for others. */
const taking = (
  breaks: RuleId,
  name: string,
  does: string,
  condition: (body: unknown) => boolean,
  becomes: unknown = {},
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onRequest(replayDelivery.id, (request) =>
      request.bytes.length > 0 && condition(bodyOf(request)) ? withRequestBody(request, becomes) : request,
    ),
  );

/** A mutant that refuses, of a caller that may replay, what it should not. */
const refusing = (
  breaks: RuleId,
  name: string,
  does: string,
  field: string,
  condition: (body: unknown) => boolean,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    seeing((seen) => (serve) => async (request) => {
      const mayReplay = seen.callerOf(request)?.scopes.includes(replayDelivery.scope) === true;
      return request.operation === replayDelivery.id && mayReplay && condition(bodyOf(request))
        ? refused(refuse.ValidationFailed("The request has invalid fields.", { [field]: "is not valid" }))
        : serve(request);
    }),
  );

const reasonIn = (body: unknown): unknown => Object(body).reason;

/** A mutant that answers refusals of fields, of which the condition holds of the request, in another way. */
const refusedFields = (
  breaks: RuleId,
  name: string,
  does: string,
  condition: (request: WireRequest) => boolean,
  refusal: Parameters<typeof refusedWith>[1],
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onAnswer(replayDelivery.id, (answer, request) =>
      isRefusal(answer, "ValidationFailed") && condition(request) ? refusedWith(answer, refusal) : answer,
    ),
  );

/** Servers that answer a replay wrongly, or take the wrong ones. */
export const replayAnswerMutants: readonly Mutant[] = [
  answering("WHP-01", "no-audit", "answers a replay without its audit record", ({ audit_log_id: _, ...data }) => data),
  wireMutant(
    "WHP-01",
    "once",
    "replays no replay",
    seeing((seen) => (serve) => {
      const replays = new Set<unknown>();
      const noting = onData(replayDelivery.id, (data) => {
        replays.add(data.new_event_id);
        return data;
      })(serve);
      return async (request) => {
        const event = seen.records.get(idIn(request))?.event_id;
        return request.operation === replayDelivery.id && replays.has(event)
          ? refused(refuse.Conflict("This is a replay already."))
          : noting(request);
      };
    }),
  ),
  answering("WHP-01", "epoch", "answers the time of a replay in milliseconds since 1970", (replay) => ({
    ...replay,
    enqueued_at: Date.parse(replay.enqueued_at),
  })),
  answering("WHP-01", "list", "answers a list of replays", (replay) => [replay]),
  answering("WHP-02", "internal", "answers an id that nothing else has as that of the delivery", (replay) => ({
    ...replay,
    delivery_id: replay.new_event_id.slice(4),
  })),
  answering("WHP-02", "fresh", "answers the id of the new delivery", (replay) => ({
    ...replay,
    delivery_id: crypto.randomUUID(),
  })),
  answering("WHP-03", "delivery", "answers the delivery's id as that of the endpoint", (replay) => ({
    ...replay,
    endpoint_id: replay.delivery_id,
  })),
  answering("WHP-03", "first", "answers the endpoint that its organization created first", (replay, seen) => {
    const owner = seen.endpoints.get(replay.endpoint_id)?.org_id;
    const first = [...seen.endpoints.values()].find(({ org_id }) => org_id === owner);
    return { ...replay, endpoint_id: first?.id };
  }),
  answering("WHP-04", "replayed", "answers a type of its own for replays", (replay) => ({
    ...replay,
    event_type: "delivery.replayed",
  })),
  answering("WHP-04", "subscribed", "answers the first type that the endpoint subscribes to", (replay, seen) => ({
    ...replay,
    event_type: seen.endpoints.get(replay.endpoint_id)?.events[0],
  })),
  answering("WHP-05", "bare", "answers the UUID of the new event alone", (replay) => ({
    ...replay,
    new_event_id: replay.new_event_id.slice(4),
  })),
  answering("WHP-05", "no-hyphens", "leaves the hyphens out of the new event's id", (replay) => ({
    ...replay,
    new_event_id: replay.new_event_id.replaceAll("-", ""),
  })),
  answering("WHP-06", "original", "answers the original's event id", (replay, seen) => ({
    ...replay,
    new_event_id: seen.records.get(replay.delivery_id)?.event_id,
  })),
  answering("WHP-06", "original-upper", "answers the original's event id in upper case", (replay, seen) => ({
    ...replay,
    new_event_id: `${constants.eventIdPrefix}${seen.records.get(replay.delivery_id)?.event_id.slice(4).toUpperCase()}`,
  })),
  answering("WHP-07", "prefixed", "marks the ids of audit records as such", (replay) => ({
    ...replay,
    audit_log_id: `aud_${replay.audit_log_id}`,
  })),
  answering("WHP-07", "no-hyphens", "leaves the hyphens out of ids of audit records", (replay) => ({
    ...replay,
    audit_log_id: replay.audit_log_id.replaceAll("-", ""),
  })),
  answering("WHP-08", "local", "writes the local time of a place in the east as UTC", (replay) => ({
    ...replay,
    enqueued_at: new Date(Date.parse(replay.enqueued_at) + 7_200_000).toISOString(),
  })),
  answering("WHP-08", "original", "answers the time of the original", (replay, seen) => ({
    ...replay,
    enqueued_at: seen.records.get(replay.delivery_id)?.occurred_at,
  })),
  refusing("WHP-09", "reason-needed", "wants a reason", "reason", (body) => reasonIn(body) === undefined),
  refusing("WHP-10", "codes", "takes reasons from a list of its own alone", "reason", (body) => {
    const reason = reasonIn(body);
    return typeof reason === "string" && !["outage", "bug", "other"].includes(reason);
  }),
  wireMutant("WHP-10", "once", "takes no reason for a delivery that was replayed before", (serve) => {
    const before = new Set<string>();
    return async (request) => {
      const isReplay = request.operation === replayDelivery.id;
      if (isReplay && reasonIn(bodyOf(request)) !== undefined && before.has(idIn(request)))
        return refused(refuse.Conflict("The delivery was replayed with another reason."));
      if (isReplay) before.add(idIn(request));
      return serve(request);
    };
  }),
  taking("WHP-11", "written-out", "takes numbers and booleans as reasons", (body) =>
    ["number", "boolean"].includes(typeof reasonIn(body)),
  ),
  taking("WHP-11", "falsy", "takes a reason that is 0 or false as none", (body) =>
    [0, false].some((none) => none === reasonIn(body)),
  ),
  taking("WHP-11", "list", "takes a list of reasons", (body) => Array.isArray(reasonIn(body))),
  refusedFields(
    "WHP-11",
    "unnamed",
    "does not name the reason that it refuses",
    () => true,
    refuse.ValidationFailed("The request has invalid fields.", { body: "is not valid" }),
  ),
  refusedFields(
    "WHP-11",
    "input",
    "refuses a reason that is no text as it does broken JSON",
    (request) => reasonIn(bodyOf(request)) !== undefined,
    refuse.InvalidInput("The reason is not valid."),
  ),
  taking("WHP-12", "list", "takes a list as a body", Array.isArray),
  taking("WHP-12", "text", "takes a text as a body", (body) => typeof body === "string"),
  taking("WHP-12", "empty-text", "takes an empty text as no body", (body) => body === ""),
  refusedFields(
    "WHP-12",
    "input",
    "refuses a body that is no object as it does broken JSON",
    (request) => Object(bodyOf(request)) !== bodyOf(request) || Array.isArray(bodyOf(request)),
    refuse.InvalidInput("The body is not valid."),
  ),
  wireMutant("WHP-20", "one-audit", "keeps one audit record for each delivery", (serve) => {
    const audits = new Map<unknown, unknown>();
    return onData(replayDelivery.id, (data) => {
      const audit = audits.get(data.delivery_id) ?? data.audit_log_id;
      audits.set(data.delivery_id, audit);
      return { ...data, audit_log_id: audit };
    })(serve);
  }),
  mutantOf("WHP-20", "idempotent", "tells of the first replay again", [
    {
      wire: (serve) => {
        const told = new Map<unknown, object>();
        return onData(replayDelivery.id, (data) => {
          const { new_event_id, enqueued_at } = data;
          const first = told.get(data.delivery_id) ?? { new_event_id, enqueued_at };
          told.set(data.delivery_id, first);
          return { ...data, ...first };
        })(serve);
      },
    },
  ]),
  wireMutant(
    "WHP-32",
    "reads",
    "lets readers of the feed replay",
    admitting(replayDelivery.id, (scopes) => scopes.includes(listDeliveryAttempts.scope)),
  ),
  wireMutant(
    "WHP-32",
    "any",
    "lets every key replay",
    admitting(replayDelivery.id, () => true),
  ),
  wireMutant(
    "WHP-32",
    "not-found",
    "hides deliveries from keys that may not replay",
    inPlaceOf(replayDelivery.id, "Forbidden", refuse.NotFound("There is no such delivery.")),
  ),
];
