import { type EventType, eventTypes } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { createEndpoint, type Endpoint, isSameUrl } from "../../steps/endpoint.ts";
import { judgeInstant } from "../../steps/judge-instant.ts";
import { isSameId } from "../../steps/settle.ts";
import { timeOfItsOwn } from "../../steps/time-of-its-own.ts";

/** What a new endpoint subscribes to here: more than one type. */
const events: readonly EventType[] = eventTypes.slice(0, 2);

/** Further rotations of one endpoint: a secret that comes back, or is written wrong now and then, shows among them. */
const further = ["a second rotation", "a third rotation", "a fourth rotation"];

/** The answer to the rotation of an endpoint's secret, field by field. */
export const rotateAnswer = check({
  id: "webhooks.rotate-answer",
  title: "A rotation that carries no body is answered with the endpoint whole and with its new secret",
  rules: [
    ...(["WHR-01", "WHR-02", "WHR-03", "WHR-04", "WHR-05", "WHR-06", "WHR-07", "WHR-08", "WHR-09"] as const),
    ...(["WHR-10", "WHR-11", "WHR-19", "WHR-20", "WHR-21", "VER-01"] as const),
  ],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const other = await createEndpoint(t, main);
    const created = await createEndpoint(t, main, { events });
    await createEndpoint(t, main);
    const path = { id: created.id };
    const bare = await t.call("rotateEndpointSecret", { path }, main);
    t.accepted("WHR-11", bare);
    // Whether a body may be left out is a rule of its own.
    const first = isSuccess(bare) ? bare : await t.call("rotateEndpointSecret", { path, body: {} }, main);
    t.accepted("WHR-01", first);
    t.control(first, "rotating an own endpoint's secret");
    judgeEndpoint(t, created, first);
    judgeSecret(t, first);

    const rotations = [first];
    for (const what of further) {
      const again = t.control(await t.call("rotateEndpointSecret", { path }, main), what);
      judgeEndpoint(t, created, again);
      judgeSecret(t, again);
      t.verify("WHR-04", !rotations.some((one) => secretOf(one) === secretOf(again)), {
        expected: "a secret other than all before",
        actual: secretOf(again) === undefined ? "none" : "one of them",
        exchanges: [...rotations, again],
      });
      rotations.push(again);
    }
    const beside = t.control(
      await t.call("rotateEndpointSecret", { path: { id: other.id } }, main),
      "another endpoint",
    );
    t.verify("WHR-04", !rotations.some((one) => secretOf(one) === secretOf(beside)), {
      expected: "a secret other than all of another endpoint",
      actual: secretOf(beside) === undefined ? "none" : "one of them",
      exchanges: [...rotations, beside],
    });
    // A secret is shown in one answer, also where several come at once; that all are answered so is not said.
    const atOnce = await Promise.all(further.map(() => t.call("rotateEndpointSecret", { path }, main)));
    const shown = atOnce.map(secretOf).filter((secret) => secret !== undefined);
    t.verify("WHR-04", new Set(shown).size === shown.length, {
      expected: "another secret in each answer to rotations that are asked for at once",
      actual: new Set(shown).size === shown.length ? "that" : "the same one in several",
      exchanges: atOnce,
    });
    await judgeTypes(t, created);
    for (const again of rotations.slice(1))
      t.equal("WHR-19", "created_at", endpointIn(again).created_at, endpointIn(first).created_at, first, again);

    const { api_version: version } = endpointIn(first);
    if (version === undefined) {
      throw new Blocked("the rotated endpoint names no version", "see WHR-09 first", "server");
    }
    for (const again of rotations.slice(1))
      t.equal("VER-01", "api_version", endpointIn(again).api_version, version, first, again);
    // What a creation answers is open; only where it shows a version can that be compared.
    const pinned = created.data.api_version;
    if (typeof pinned === "string") t.equal("VER-01", "api_version", version, pinned, created.exchange, first);
    if (main.tenant.manualClock) throw timeOfItsOwn();
    for (const exchange of rotations) judgeTimes(t, created, exchange);
  },
});

const endpointIn = (exchange: Exchange): Readonly<Record<string, unknown>> => objectOf(dataOf(exchange)) ?? {};
const secretOf = (exchange: Exchange): unknown => endpointIn(exchange).secret;

function judgeEndpoint(t: CheckContext, created: Endpoint, exchange: Exchange): void {
  const endpoint = endpointIn(exchange);
  const at = { exchanges: [created.exchange, exchange] };
  t.equal("WHR-01", "departures from the documented shape", departures(exchange, "/data"), [], exchange);
  t.verify(
    "WHR-01",
    [created.url, created.data.url].some((url) => isSameUrl(endpoint.url, url)),
    {
      ...at,
      expected: `the endpoint with url ${created.url}`,
      actual: JSON.stringify(endpoint.url) ?? "none",
    },
  );
  t.verify(
    "WHR-01",
    [created.events, created.data.events].some((types) => isSameSet(endpoint.events, types)),
    {
      ...at,
      expected: `the endpoint with events ${created.events.join(", ")}`,
      actual: JSON.stringify(endpoint.events) ?? "none",
    },
  );
  t.verify("WHR-05", isSameId(endpoint.id, created.id), {
    ...at,
    expected: `id ${created.id}`,
    actual: JSON.stringify(endpoint.id) ?? "none",
  });
  judgeEvents(t, exchange);
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
  const isDate = typeof endpoint.api_version === "string" && departures(exchange, "/data/api_version").length === 0;
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
}

/** Decides whether the times of an endpoint are those of what was done with it, by the kit's clock. */
function judgeTimes(t: CheckContext, created: Endpoint, exchange: Exchange): void {
  const { created_at, updated_at } = endpointIn(exchange);
  const { sentAt: from, answeredAt: until } = created.exchange;
  const exchanges = [created.exchange, exchange];
  judgeInstant(t, "WHR-20", { name: "created_at", value: created_at, from, until, question: null, exchanges });
  const times = { name: "updated_at", value: updated_at, from, until: exchange.answeredAt };
  judgeInstant(t, "WHR-21", { ...times, question: "Q80", exchanges });
}

function judgeSecret(t: CheckContext, exchange: Exchange): void {
  const { secret, secret_displayed_once: once } = endpointIn(exchange);
  t.verify("WHR-02", typeof secret === "string" && departures(exchange, "/data/secret").length === 0, {
    expected: "secret, base64 that is not empty",
    actual: typeof secret === "string" ? "another text" : kindOf(secret),
    exchanges: [exchange],
  });
  t.equal("WHR-03", "secret_displayed_once", once, true, exchange);
}

/** An endpoint that subscribes to all there is shows how each type is written. */
async function judgeTypes(t: CheckContext, { owner }: Endpoint): Promise<void> {
  const { id } = await createEndpoint(t, owner, { events: eventTypes });
  const called = await t.call("rotateEndpointSecret", { path: { id } }, owner);
  judgeEvents(t, t.control(called, "rotating the secret of an endpoint with every subscription"));
}

function judgeEvents(t: CheckContext, exchange: Exchange): void {
  const known: readonly unknown[] = eventTypes;
  const { events: shown } = endpointIn(exchange);
  t.verify("WHR-06", Array.isArray(shown) && shown.every((type) => known.includes(type)), {
    expected: "events, a list of documented types",
    actual: JSON.stringify(shown) ?? "none",
    exchanges: [exchange],
  });
}

/** In whatever order. */
function isSameSet(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return false;
  return one.every((each) => other.includes(each)) && other.every((each) => one.includes(each));
}

/** Where an answer departs from the contract's schema, at a place or below. */
const departures = (exchange: Exchange, place: string): readonly string[] =>
  answerViolations(exchange)
    .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
    .map(({ pointer, message }) => `${pointer} ${message}`);

const kindOf = (value: unknown): string => (value === undefined ? "none" : `a value of type ${typeof value}`);
