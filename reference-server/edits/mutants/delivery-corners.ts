import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Mutant } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { following, getRequest, locationOf, redirectOf } from "../followed-redirects.ts";
import { delivering, knowingOriginals, receiving, remembered, settling } from "../port-changes.ts";
import { idIn, seeing } from "../seen.ts";
import { enqueueing, keepingEndpoints, replaying } from "../unit-changes.ts";
import { isRefusal, onAnswer, refusedWith, withBody } from "../wire.ts";
import { bodyOf, withId } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Endpoints that a key makes although there are too many, from none of its own on. */
const ofOneKey = 20;

/** Servers that deliver wrongly what comes seldom. */
export const deliveryCornerMutants: readonly Mutant[] = [
  mutantOf("WHP-14", "retried", "sends a replay that is tried again without its data", [
    knowingOriginals((originalOf) =>
      delivering(
        () => (delivery) =>
          delivery.attempts > 0 && originalOf(delivery.event) !== undefined
            ? { ...delivery, event: { ...delivery.event, data: {} } }
            : delivery,
      ),
    ),
  ]),
  mutantOf("WHP-18", "second", "makes one replay of a delivery and says so of more", [
    remembered(() => {
      const replayed = new Set<string>();
      return replaying(() => (tx, attempt) => ({
        async enqueue(event, to) {
          if (replayed.has(attempt.id)) return 1;
          replayed.add(attempt.id);
          return tx.enqueue(event, to);
        },
      }));
    }),
  ]),
  mutantOf("WHP-13", "rotated", "sends no replays once the endpoint's secret is another one", [
    remembered(() => {
      const rotations = new Map<string, number>();
      const changed = keepingEndpoints(() => (endpoints) => ({
        async update(endpoint) {
          const before = await endpoints.find(endpoint.id);
          if (before?.secret !== endpoint.secret) rotations.set(endpoint.id, (rotations.get(endpoint.id) ?? 0) + 1);
          await endpoints.update(endpoint);
        },
      }));
      const lost = replaying(() => (tx, attempt) => ({
        enqueue: async (event, to) => ((rotations.get(attempt.endpointId) ?? 0) > 0 ? 1 : tx.enqueue(event, to)),
      }));
      return { ports: (ports) => lost.ports(changed.ports(ports)) };
    }),
  ]),
  mutantOf("WHL-09", "redirect", "takes a redirect for no answer", [
    receiving((answer) =>
      answer.kind === "answered" && redirects.includes(answer.status)
        ? { kind: "unanswered", error: "unexpected redirect", milliseconds: answer.milliseconds }
        : answer,
    ),
  ]),
  wireMutant(
    "WHL-08",
    "nul",
    "does not keep the record of an answer that holds a NUL",
    onRecords((record) => (record.response_body_excerpt?.includes("\0") ? [] : record)),
  ),
  mutantOf("WHL-13", "line-ends", "writes the line ends of excerpts in its own way", [
    settling(({ attempt, nextDueAt }) => ({
      attempt: { ...attempt, responseBodyExcerpt: attempt.responseBodyExcerpt.replaceAll("\r\n", "\n") },
      nextDueAt,
    })),
  ]),
  mutantOf("EVT-12", "body", "takes a failure that has something to say for a success", [
    settling(({ attempt, nextDueAt }) =>
      attempt.outcome !== "success" && attempt.responseBodyExcerpt !== ""
        ? { attempt: { ...attempt, outcome: "success" }, nextDueAt: null }
        : { attempt, nextDueAt },
    ),
  ]),
  mutantOf("EVT-14", "slow", "sends once more what was taken late", [
    settling(({ attempt, nextDueAt }) =>
      attempt.outcome === "success" && attempt.responseTimeMs > 250 && attempt.attempt === 1
        ? { attempt, nextDueAt: attempt.occurredAt + 60_000 }
        : { attempt, nextDueAt },
    ),
  ]),
  mutantOf("WHE-14", "address", "sends events to the first of the endpoints at an address", [
    remembered(() => {
      const known = new Set<string>();
      return keepingEndpoints(() => (endpoints) => ({
        insert(endpoint) {
          const place = `${endpoint.organizationId} ${endpoint.url}`;
          const isFirst = !known.has(place);
          known.add(place);
          return endpoints.insert(isFirst ? endpoint : { ...endpoint, events: [] });
        },
      }));
    }),
  ]),
  mutantOf("WHE-14", "greeted", "greets endpoints with each of their types in place of the first event of it", [
    keepingEndpoints(() => (endpoints, tx) => ({
      async insert(endpoint) {
        await endpoints.insert(endpoint);
        const { id: endpointId, organizationId, createdAt, events } = endpoint;
        for (const type of events) {
          const id = `${constants.eventIdPrefix}${randomUUID()}`;
          await tx.enqueue({ id, organizationId, type, data: {}, createdAt }, { endpointId });
        }
      },
    })),
    enqueueing(() => {
      const known = new Set<string>();
      return async (event, to, tx) => {
        const kind = `${event.organizationId} ${event.type}`;
        if (to !== "subscribed" || known.has(kind)) return tx.enqueue(event, to);
        known.add(kind);
        return 1;
      };
    }),
  ]),
  wireMutant(
    "WHE-07",
    "waiting",
    "does not delete an endpoint at which an attempt is to be made again",
    seeing((seen) => (serve) => async (request) => {
      const isMeant = request.operation === "deleteWebhookEndpoint";
      const records = [...seen.records.values()].filter(({ endpoint_id: id }) => isMeant && id === idIn(request));
      if (!records.some(({ outcome }) => outcome === "retry")) return serve(request);
      const answer = await serve(withId(request, randomUUID()));
      return refusedWith(answer, refuse.Conflict("An attempt is to be made again."));
    }),
  ),
  wireMutant(
    "WHE-03",
    "key",
    "counts the endpoints that a key has made, and not those of its organization",
    seeing((seen) => (serve) => {
      const counts = new Map<string, number>();
      return async (request) => {
        const answer = await serve(request);
        if (request.operation !== "createWebhookEndpoint") return answer;
        const key = String(request.headers.authorization);
        const count = counts.get(key) ?? 0;
        if (answer.status < 300) counts.set(key, count + 1);
        if (!isRefusal(answer, "LimitExceeded") || count >= ofOneKey) return answer;
        const [known] = [...seen.endpoints.values()];
        return withBody({ ...answer, status: 201 }, { success: true, data: { ...known, id: randomUUID() } });
      };
    }),
  ),
  wireMutant(
    "WHP-10",
    "short",
    "wants more than a letter for a reason",
    onAnswer("replayDelivery", (answer, request) => {
      const { reason } = Object(bodyOf(request));
      return typeof reason === "string" && reason.length === 1
        ? refusedWith(answer, refuse.ValidationFailed("The reason is too short.", { reason: "is too short" }))
        : answer;
    }),
  ),
  mutantOf("WHL-09", "followed", "follows redirects and records the last status", [
    following({ follows: redirectOf, records: "last" }),
  ]),
  mutantOf("WHL-09", "followed-by-get", "follows 301, 302 and 303 with GET and records the last status", [
    following({
      follows: (response) => (response.status <= 303 ? redirectOf(response) : null),
      next: getRequest,
      records: "last",
    }),
  ]),
  mutantOf("WHL-09", "followed-unsigned", "follows redirects without the signature and records the last status", [
    following({
      follows: redirectOf,
      next: ({ headers: { [constants.signatureHeader]: _, ...headers }, body }) => ({ method: "POST", headers, body }),
      records: "last",
    }),
  ]),
  mutantOf("WHL-09", "created", "fetches the location of a 201 and records its status", [
    following({
      follows: (response) => (response.status === 201 ? locationOf(response) : null),
      next: getRequest,
      records: "last",
    }),
  ]),
  mutantOf("WHL-15", "followed", "follows redirects and records the address of the last request", [
    remembered(() => {
      const last = new Map<string | undefined, string>();
      const sent = following({
        follows: redirectOf,
        records: "last",
        note: ({ headers }, url) => void last.set(headers[constants.eventIdHeader], url),
      });
      const recorded = settling(({ attempt, ...made }) => ({
        ...made,
        attempt: { ...attempt, url: last.get(attempt.eventId) ?? attempt.url },
      }));
      return { ports: (ports) => recorded.ports(sent.ports(ports)) };
    }),
  ]),
  mutantOf("WHE-19", "location", "sends deliveries to the location of a success too", [
    following({
      follows: (response) => (response.status < 300 ? locationOf(response) : null),
      records: "first",
    }),
  ]),
  mutantOf("WHE-19", "refresh", "fetches the address that a Refresh header names", [
    following({
      follows: (response) => /url=(\S+)/.exec(response.headers.get("refresh") ?? "")?.[1] ?? null,
      next: getRequest,
      records: "first",
    }),
  ]),
  mutantOf("WHL-16", "challenged", "records a 401 with a challenge as no response", [
    following({
      follows: (response) => {
        if (response.headers.has("www-authenticate")) throw new Error("no credentials");
        return null;
      },
      records: "first",
    }),
  ]),
];
