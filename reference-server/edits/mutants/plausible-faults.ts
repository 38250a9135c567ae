import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Mutant } from "../edit.ts";
import { onRecords, recordsIn, withRecords } from "../feed-records.ts";
import { knowingOriginals, remembered, sending, settling, withHeader } from "../port-changes.ts";
import { enqueueing } from "../unit-changes.ts";
import { dataOf, onAnswer, parsed, refusedWith, type Wire } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Overlooks one filter of the feed where others are given. */
export const overlooking =
  (name: string, ...beside: readonly string[]): Wire =>
  (serve) =>
  (request) => {
    const [path = "", query = ""] = request.path.split("?");
    const parameters = new URLSearchParams(query);
    const applies = [name, ...beside].every((each) => parameters.has(each));
    if (request.operation !== "listDeliveryAttempts" || !applies) return serve(request);
    parameters.delete(name);
    return serve({ ...request, path: `${path}?${parameters}` });
  };

const spoilt = (signature = ""): string =>
  signature.replace(/v1=(.)/g, (_, first) => `v1=${first === "0" ? "1" : "0"}`);

/** Servers with faults that a careless change may bring. */
export const plausibleMutants: readonly Mutant[] = [
  mutantOf("EVT-13", "third", "sends the third attempt under a new id", [
    sending((request, { attempts }) =>
      attempts >= 2
        ? withHeader(request, constants.eventIdHeader, `${constants.eventIdPrefix}${crypto.randomUUID()}`)
        : request,
    ),
  ]),
  mutantOf("EVT-06", "third", "does not sign the third attempt", [
    sending((request, { attempts }) =>
      attempts >= 2 ? withHeader(request, constants.signatureHeader, undefined) : request,
    ),
  ]),
  mutantOf("EVT-08", "third", "signs the third attempt with another key", [
    sending((request, { attempts }) =>
      attempts >= 2
        ? withHeader(request, constants.signatureHeader, spoilt(request.headers[constants.signatureHeader]))
        : request,
    ),
  ]),
  mutantOf("WHL-12", "capped", "counts no more bytes than two bytes can hold", [
    settling(({ attempt, nextDueAt }) => ({
      attempt: { ...attempt, requestBodyBytes: Math.min(attempt.requestBodyBytes, 65_535) },
      nextDueAt,
    })),
  ]),
  wireMutant(
    "WHL-43",
    "endpoint-since",
    "overlooks the beginning where an endpoint is named",
    overlooking("since", "endpoint_id"),
  ),
  wireMutant(
    "WHL-43",
    "min-outcome",
    "overlooks the least status where an outcome is named",
    overlooking("http_status_min", "outcome"),
  ),
  wireMutant(
    "WHL-23",
    "hundred",
    "shows no more than a hundred records on a page, and goes on behind those that it was asked for",
    onAnswer("listDeliveryAttempts", (answer) =>
      recordsIn(answer).length > 100 ? withRecords(answer, recordsIn(answer).slice(0, 100)) : answer,
    ),
  ),
  wireMutant(
    "WHP-10",
    "ascii",
    "takes reasons in ASCII alone",
    onAnswer("replayDelivery", (answer, { bytes }) => {
      const { reason } = Object(parsed(bytes));
      const plain = typeof reason !== "string" || /^[\x20-\x7e]*$/.test(reason);
      return plain
        ? answer
        : refusedWith(answer, refuse.ValidationFailed("The reason has to be ASCII.", { reason: "ASCII" }));
    }),
  ),
  wireMutant(
    "WHP-35",
    "long",
    "calls a long reason structurally wrong",
    onAnswer("replayDelivery", (answer, { bytes }) => {
      const { reason } = Object(parsed(bytes));
      const short = typeof reason !== "string" || reason.length <= 255;
      return short ? answer : refusedWith(answer, refuse.InvalidInput("The reason is too long."));
    }),
  ),
  mutantOf("EVT-13", "replay-header", "sends retries of a replay under the original's event id", [
    knowingOriginals((originalOf) =>
      sending((request, { attempts, event }) =>
        attempts > 0 ? withHeader(request, constants.eventIdHeader, originalOf(event)?.id ?? event.id) : request,
      ),
    ),
  ]),
  mutantOf("WHL-13", "json", "keeps excerpts that begin like JSON alone", [
    settling(({ attempt, nextDueAt }) => ({
      attempt: {
        ...attempt,
        responseBodyExcerpt: /^[{[]/.test(attempt.responseBodyExcerpt) ? attempt.responseBodyExcerpt : "",
      },
      nextDueAt,
    })),
  ]),
  mutantOf("WHL-09", "clamped", "records a status above 511 as 500", [
    settling(({ attempt, nextDueAt }) => ({
      attempt: { ...attempt, responseStatus: (attempt.responseStatus ?? 0) > 511 ? 500 : attempt.responseStatus },
      nextDueAt,
    })),
  ]),
  wireMutant("WHL-34", "event", "goes by when the event was first tried", (serve) => {
    const first = new Map<string, string>();
    return onRecords((record, { path }) => {
      const key = `${record.event_id} ${record.endpoint_id}`;
      if (record.attempt === 1) first.set(key, record.occurred_at);
      const since = new URLSearchParams(path.split("?")[1]).get("since");
      const at = first.get(key);
      return since !== null && at !== undefined && Date.parse(at) < Date.parse(since) ? [] : record;
    })(serve);
  }),
  mutantOf("WHL-14", "retry", "records the headers of the first attempt for all", [
    remembered(() => {
      const first = new Map<string, Readonly<Record<string, string>>>();
      return settling(({ attempt, nextDueAt }) => {
        const requestHeaders = first.get(attempt.deliveryId) ?? attempt.requestHeaders;
        first.set(attempt.deliveryId, requestHeaders);
        return { attempt: { ...attempt, requestHeaders }, nextDueAt };
      });
    }),
  ]),
  mutantOf("WHL-11", "replay", "records the digest of the original for a replay", [
    remembered(() => {
      const digests = new Map<string, string>();
      return knowingOriginals((originalOf) =>
        settling(({ attempt, nextDueAt }, { event }) => {
          const original = originalOf(event);
          if (original === undefined) digests.set(event.id, attempt.requestBodySha256);
          const requestBodySha256 = digests.get(original?.id ?? event.id) ?? attempt.requestBodySha256;
          return { attempt: { ...attempt, requestBodySha256 }, nextDueAt };
        }),
      );
    }),
  ]),
  wireMutant("WHL-29", "replays", "leaves replays out where a type is named", (serve) => {
    const replays = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === "replayDelivery") replays.add(dataOf(answer)?.new_event_id);
      const typed = request.operation === "listDeliveryAttempts" && request.path.includes("event_type=");
      return typed && recordsIn(answer).length > 0
        ? withRecords(
            answer,
            recordsIn(answer).filter(({ event_id }) => !replays.has(event_id)),
          )
        : answer;
    };
  }),
  mutantOf("WHE-14", "burst", "keeps one of the events of a type that happen at one instant", [
    enqueueing(() => {
      const last = new Set<string>();
      return async (event, to, tx) => {
        const key = `${event.organizationId} ${event.type} ${event.createdAt}`;
        if (last.has(key)) return 0;
        last.add(key);
        return tx.enqueue(event, to);
      };
    }),
  ]),
  wireMutant("WHE-07", "inactive", "does not find an endpoint to delete that is switched off", (serve) => {
    const active = new Map<unknown, boolean>();
    return async (request) => {
      const { operation, parameters, bytes } = request;
      const answer = await serve(request);
      if (operation === "changeEndpoint") active.set(parameters.endpoint_id, Object(parsed(bytes)).active ?? true);
      return operation === "deleteWebhookEndpoint" && active.get(parameters.id) === false
        ? refusedWith(answer, refuse.NotFound("There is no such endpoint."))
        : answer;
    };
  }),
];
