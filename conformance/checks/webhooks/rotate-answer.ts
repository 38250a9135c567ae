import { type EventType, eventTypes } from "../../../generated/events.ts";
import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { isSameId } from "../deliveries/settle.ts";
import { createEndpoint } from "./endpoint.ts";

/** What a new endpoint subscribes to here: more than one type. */
const events: readonly EventType[] = eventTypes.slice(0, 2);

/** The answer to the rotation of an endpoint's secret, field by field. */
export const rotateAnswer: Check = {
  id: "webhooks.rotate-answer",
  title: "A rotation that carries no body is answered with the endpoint whole and with its new secret",
  rules: [
    ...(["WHR-01", "WHR-02", "WHR-03", "WHR-04", "WHR-05", "WHR-06", "WHR-07", "WHR-08", "WHR-09"] as const),
    ...(["WHR-10", "WHR-11", "VER-01"] as const),
  ],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    const created = await createEndpoint(t, main, { events });
    await createEndpoint(t, main);
    const path = { id: created.id };
    const bare = await t.call("rotateEndpointSecret", { path }, main);
    t.accepted("WHR-11", bare);
    // Whether a body may be left out is a rule of its own.
    const first = isSuccess(bare) ? bare : await t.call("rotateEndpointSecret", { path, body: {} }, main);
    t.accepted("WHR-01", first);
    t.control(first, "rotating an own endpoint's secret");
    const endpoint = objectOf(dataOf(first)) ?? {};
    const at = { exchanges: [first] };

    t.equal("WHR-01", "departures from the documented shape", departures(first, "/data"), [], first);
    t.verify("WHR-02", typeof endpoint.secret === "string" && departures(first, "/data/secret").length === 0, {
      ...at,
      expected: "secret, base64 that is not empty",
      actual: typeof endpoint.secret === "string" ? "another text" : kindOf(endpoint.secret),
    });
    t.equal("WHR-03", "secret_displayed_once", endpoint.secret_displayed_once, true, first);
    t.verify("WHR-05", isSameId(endpoint.id, created.id), {
      ...at,
      expected: `id ${created.id}`,
      actual: JSON.stringify(endpoint.id) ?? "none",
    });
    const known: readonly unknown[] = eventTypes;
    t.verify("WHR-06", Array.isArray(endpoint.events) && endpoint.events.every((type) => known.includes(type)), {
      ...at,
      expected: "events, a list of documented types",
      actual: JSON.stringify(endpoint.events) ?? "none",
    });
    t.verify("WHR-07", typeof endpoint.url === "string" && URL.canParse(endpoint.url), {
      ...at,
      expected: "url, an absolute URL",
      actual: JSON.stringify(endpoint.url) ?? "none",
    });
    t.verify("WHR-08", typeof endpoint.active === "boolean" && endpoint.deleted_at === null, {
      ...at,
      expected: "active, a boolean, and deleted_at null",
      actual: `active ${JSON.stringify(endpoint.active)}, deleted_at ${JSON.stringify(endpoint.deleted_at)}`,
    });
    const isDate = typeof endpoint.api_version === "string" && departures(first, "/data/api_version").length === 0;
    t.verify("WHR-09", isDate && /^\d{4}-\d\d-\d\d$/.test(String(endpoint.api_version)), {
      ...at,
      expected: "api_version, a date YYYY-MM-DD",
      actual: JSON.stringify(endpoint.api_version) ?? "none",
    });
    t.verify("WHR-10", Date.parse(String(endpoint.updated_at)) >= Date.parse(String(endpoint.created_at)), {
      ...at,
      expected: `updated_at not before created_at ${endpoint.created_at}`,
      actual: String(endpoint.updated_at),
    });

    const again = t.control(await t.call("rotateEndpointSecret", { path }, main), "a second rotation");
    const second = objectOf(dataOf(again)) ?? {};
    t.verify("WHR-04", typeof second.secret === "string" && second.secret !== endpoint.secret, {
      expected: "a secret other than the one before",
      actual: typeof second.secret === "string" ? "the same" : kindOf(second.secret),
      exchanges: [first, again],
    });
    if (endpoint.api_version === undefined) {
      throw new Blocked("the rotated endpoint names no version", "see WHR-09 first", "server");
    }
    t.equal("VER-01", "api_version", second.api_version, endpoint.api_version, first, again);
    // What a creation answers is open; only where it shows a version can that be compared.
    const pinned = created.data.api_version;
    if (typeof pinned !== "string") return;
    t.equal("VER-01", "api_version", endpoint.api_version, pinned, created.exchange, first);
  },
};

/** Where an answer departs from the contract's schema, at a place or below. */
const departures = (exchange: Exchange, place: string): readonly string[] =>
  answerViolations(exchange)
    .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
    .map(({ pointer, message }) => `${pointer} ${message}`);

const kindOf = (value: unknown): string => (value === undefined ? "none" : `a value of type ${typeof value}`);
