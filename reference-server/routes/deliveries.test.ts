import { hash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bounds, buckets } from "../../generated/limits.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";
import { dataOf, type TestWebhooks, testWebhooks } from "../test-webhooks.ts";
import { startReceiver, type TestReceiver } from "../testing/test-receiver.ts";

let server: TestServer;
let receiver: TestReceiver;
beforeAll(async () => {
  server = await startTestServer();
  receiver = await startReceiver();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const unknownId = "00000000-0000-4000-8000-000000000000";
const start = "2030-01-01T00:00:00Z";

const fresh = async (arrangement: object = {}) =>
  testWebhooks(server, await server.organization({ clock: "manual", starts_at: start, ...arrangement }));

/** A record, as far as filters look at it. */
interface Shown {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly outcome: string;
  readonly response_status: number | null;
  readonly occurred_at: string;
}

/** Several outcomes, statuses and types at two endpoints, many of them at the same instant. */
async function manyAttempts(): Promise<{ hooks: TestWebhooks; all: readonly Shown[] }> {
  const hooks = await fresh();
  const types = ["lookup.completed", "wallet.balance_low"];
  const [one, other] = [await hooks.endpoint(undefined, types), await hooks.endpoint(undefined, types)];
  await hooks.force(one.id, [{ status: 200 }, { status: 500 }, { no_answer: "timeout" }, { status: 410 }], true);
  await hooks.force(other.id, [{ status: 302 }, { no_answer: "reset" }, { status: 204 }], true);
  for (let count = 0; count < 4; count++) {
    await hooks.emit({ count }, types[count % 2]);
    await hooks.advance(2);
  }
  await hooks.advance(86_400 * 2);
  const all = await hooks.feed("?limit=200");
  expect(all.length).toBeGreaterThan(10);
  return { hooks, all };
}

const queryOf = (filters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(filters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
};

/** Every page in turn. */
async function pages(hooks: TestWebhooks, filters: Parameters<typeof queryOf>[0]) {
  const seen: { readonly ids: string[]; readonly meta: { readonly total: number; readonly offset: number } }[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await hooks.list(`?${queryOf({ ...filters, cursor })}`);
    expect(body.success).toBe(true);
    seen.push({ ids: body.data.map(({ id }: Shown) => id), meta: body.meta });
    cursor = body.meta.next_cursor;
    if (cursor === undefined) return seen;
  }
}

describe("the feed", () => {
  it("is empty at first, with all of meta", async () => {
    const { body } = await (await fresh()).list();
    expect(body).toEqual({ success: true, data: [], meta: { total: 0, limit: bounds.deliveryPageDefault, offset: 0 } });
  });

  it("shows what was sent and what came back", async () => {
    const hooks = await fresh();
    const { id, url } = await hooks.endpoint(receiver.url);
    const { event_id: eventId } = await hooks.emit({ line_type: "MOBILE" });
    const before = receiver.received.length;
    await hooks.advance();
    const [request] = receiver.received.slice(before);
    if (!request) throw new Error("nothing came");
    const names = ["Content-Type", "User-Agent", "X-Svc-Event-ID", "X-Svc-Event-Type", "X-Svc-Signature"];
    const [attempt] = await hooks.feed();
    expect(attempt).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ endpoint_id: id, event_id: eventId, event_type: "lookup.completed", url, attempt: 1, outcome: "success" },
      ...{ response_status: 200, response_time_ms: expect.any(Number), response_body_excerpt: "ok" },
      request_body_sha256: hash("sha256", request.body),
      request_body_bytes: request.body.length,
      request_headers: Object.fromEntries(names.map((name) => [name, request.headers[name.toLowerCase()]])),
      ...{ error: null, occurred_at: "2030-01-01T00:00:00.000Z" },
    });
  });

  it("comes newest first, in pages of any size, and reaches each record once", async () => {
    const { hooks, all } = await manyAttempts();
    const times = all.map(({ occurred_at: at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(new Set(times).size).toBeLessThan(times.length);
    for (const limit of [1, 2, 3, 7, all.length - 1, all.length, bounds.deliveryPageMax]) {
      const seen = await pages(hooks, { limit });
      expect(seen.flatMap(({ ids }) => ids)).toEqual(all.map(({ id }) => id));
      expect(seen.map(({ meta }) => meta)).toMatchObject(
        seen.map((_, page) => ({ total: all.length, limit, offset: page * limit })),
      );
    }
  });

  it("keeps its pages apart while attempts arrive", async () => {
    const { hooks, all } = await manyAttempts();
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { body } = await hooks.list(`?${queryOf({ limit: 3, cursor })}`);
      ids.push(...body.data.map(({ id }: Shown) => id));
      await hooks.emit();
      await hooks.advance(0.001);
      cursor = body.meta.next_cursor;
      if (cursor === undefined) break;
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it("keeps what meets every filter, and nothing else", async () => {
    const { hooks, all } = await manyAttempts();
    const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, ...values);
    const times = all.map(({ occurred_at: at }) => at);
    const statuses = [100, 200, 204, 302, 410, 500, 599];
    const filters = fc.record({
      endpoint_id: maybe(...new Set(all.map(({ endpoint_id: id }) => id)), unknownId),
      event_type: maybe("lookup.completed", "wallet.balance_low", "brand.vetted"),
      outcome: maybe("success", "retry", "dead"),
      since: maybe(...times),
      until: maybe(...times),
      http_status_min: maybe(...statuses),
      http_status_max: maybe(...statuses),
    });
    const lawful = filters.filter(
      ({ since, until, http_status_min: min, http_status_max: max }) =>
        !(since && until && since > until) && !(min && max && min > max),
    );
    await fc.assert(
      fc.asyncProperty(lawful, async (chosen) => {
        const wanted = all.filter(
          (shown) =>
            (["endpoint_id", "event_type", "outcome"] as const).every(
              (name) => chosen[name] === undefined || shown[name] === chosen[name],
            ) &&
            shown.occurred_at >= (chosen.since ?? "") &&
            shown.occurred_at <= (chosen.until ?? "9") &&
            (chosen.http_status_min === undefined || (shown.response_status ?? 0) >= chosen.http_status_min) &&
            (chosen.http_status_max === undefined || (shown.response_status ?? 1000) <= chosen.http_status_max),
        );
        const { body } = await hooks.list(`?${queryOf({ ...chosen, limit: 200 })}`);
        expect(body.data.map(({ id }: Shown) => id)).toEqual(wanted.map(({ id }) => id));
        expect(body.meta.total).toBe(wanted.length);
      }),
      { numRuns: 60 },
    );
  });

  it("reads the time in every form of RFC 3339", async () => {
    const { hooks, all } = await manyAttempts();
    const at = all.at(-1)?.occurred_at ?? "";
    const local = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30");
    for (const form of [at, at.replace("Z", "000z").replace("T", "t"), local])
      expect((await hooks.feed(`?${queryOf({ until: form })}`)).length).toBe(
        all.filter(({ occurred_at: other }) => other === at).length,
      );
    expect((await hooks.list("?since=2016-12-31T23:59:60Z")).status).toBe(200);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=1.5", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["limit=1&limit=2", "limit"],
    ["endpoint_id=7", "endpoint_id"],
    ["event_type=lookup.complete", "event_type"],
    ["event_type=Lookup.Completed", "event_type"],
    ["event_type=", "event_type"],
    ["outcome=failed", "outcome"],
    ["since=yesterday", "since"],
    ["since=2030-01-01", "since"],
    ["until=2030-02-30T00:00:00Z", "until"],
    ["until=2030-01-01T00:00:00", "until"],
    ["http_status_min=99", "http_status_min"],
    ["http_status_min=200.5", "http_status_min"],
    ["http_status_max=600", "http_status_max"],
    ["http_status_min=500&http_status_max=499", "http_status_max", "http_status_min"],
    ["since=2030-01-01T00:00:01Z&until=2030-01-01T00:00:00Z", "until"],
    ["cursor=", "cursor"],
    ["cursor=garbage", "cursor"],
    [`cursor=${"A".repeat(5_000)}`, "cursor"],
  ])("?%s is refused by name", async (query, ...fields) => {
    const hooks = await fresh();
    const { details } = refused(await hooks.list(`?${query}`), 422, "VALIDATION_FAILED");
    expect(Object.keys(details).toSorted()).toEqual(fields);
  });

  it("takes its own cursors alone: untouched, for the same organization and filters", async () => {
    const { hooks, all } = await manyAttempts();
    const [{ endpoint_id: endpointId } = { endpoint_id: "" }] = all;
    const cursorOf = async (query: string): Promise<string> => (await hooks.list(query)).body.meta.next_cursor;
    const plain = await cursorOf("?limit=2");
    const filtered = await cursorOf(`?limit=2&endpoint_id=${endpointId}`);
    const refusedWith = async (by: TestWebhooks, query: string) =>
      expect(refused(await by.list(query), 422, "VALIDATION_FAILED").details).toHaveProperty("cursor");
    expect((await hooks.list(`?limit=5&cursor=${plain}`)).status).toBe(200);
    await refusedWith(await fresh(), `?cursor=${plain}`);
    await refusedWith(hooks, `?cursor=${plain}&endpoint_id=${endpointId}`);
    await refusedWith(hooks, `?cursor=${filtered}`);
    await refusedWith(hooks, `?cursor=${filtered}&endpoint_id=${endpointId}&outcome=dead`);
    for (const place of [0, 20, 40, plain.length - 1])
      await refusedWith(
        hooks,
        `?cursor=${plain.slice(0, place)}${plain[place] === "A" ? "B" : "A"}${plain.slice(place + 1)}`,
      );
    await refusedWith(hooks, `?cursor=${plain}A`);
  });

  it("is not limited, and is read while replays are", async () => {
    const hooks = await fresh({ limits: { deliveryReplays: { capacity: 1, period_seconds: 3600 } } });
    await hooks.replay(unknownId);
    refused(await hooks.replay(unknownId), 429, "RATE_LIMITED");
    const answers = await Promise.all(Array.from({ length: 200 }, () => hooks.list()));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe("replaying a delivery", () => {
  /** An organization with one attempt, which met this answer. */
  async function attempted(forced?: object, arrangement?: object) {
    const hooks = await fresh(arrangement);
    const endpoint = await hooks.endpoint(receiver.url);
    if (forced !== undefined) await hooks.force(endpoint.id, [forced]);
    await hooks.emit({ line_type: "MOBILE", name: "Zoë" });
    await hooks.advance();
    const [attempt] = await hooks.feed();
    return { hooks, endpoint, attempt };
  }

  it.each([
    ["success", { status: 200 }],
    ["retry", { status: 500 }],
    ["dead", { status: 410 }],
  ])("that ended in %s sends equal data as a new event", async (outcome, forced) => {
    const { hooks, endpoint, attempt } = await attempted(forced);
    expect(attempt.outcome).toBe(outcome);
    const before = receiver.received.length;
    const replay = dataOf(await hooks.replay(attempt.id, { reason: "receiver was down" }), 202);
    expect(replay).toEqual({
      delivery_id: attempt.id,
      endpoint_id: endpoint.id,
      event_type: attempt.event_type,
      new_event_id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      audit_log_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enqueued_at: start.replace("Z", ".000Z"),
    });
    expect(replay.new_event_id).not.toBe(attempt.event_id);
    await hooks.advance();
    const sent = receiver.received.slice(before).map(({ body }) => JSON.parse(body.toString()));
    expect(sent).toMatchObject([{ id: replay.new_event_id, data: { line_type: "MOBILE", name: "Zoë" } }]);
    const feed: readonly Shown[] = await hooks.feed();
    expect(feed.filter(({ event_id: id }) => id === replay.new_event_id)).toHaveLength(1);
    expect(feed.find(({ id }) => id === attempt.id)).toEqual(attempt);
  });

  it("needs no subscription any more, and makes a new event each time", async () => {
    const { hooks, endpoint, attempt } = await attempted();
    await hooks.change(endpoint.id, { events: ["brand.vetted"] });
    const bodies = [undefined, {}, { reason: "" }, { reason: "x\u0000y ü" }, { reason: "x".repeat(500) }];
    const replays = [];
    for (const body of bodies) replays.push(dataOf(await hooks.replay(attempt.id, body), 202));
    for (const member of ["new_event_id", "audit_log_id"])
      expect(new Set(replays.map((replay) => replay[member])).size).toBe(bodies.length);
    await hooks.advance();
    expect(await hooks.feed()).toHaveLength(1 + bodies.length);
  });

  it.each([
    ["a reason that is no text", { reason: 7 }, "reason"],
    ["a reason that is null", { reason: null }, "reason"],
    ["a reason that is too long", { reason: "x".repeat(501) }, "reason"],
    ["a list", [], "body"],
    ["a text", '"x"', "body"],
    ["null", "null", "body"],
  ])("with %s is refused by name and enqueues nothing", async (_case, body, field) => {
    const { hooks, attempt } = await attempted();
    const before = await hooks.digest();
    const { details } = refused(await hooks.replay(attempt.id, body), 422, "VALIDATION_FAILED");
    expect(Object.keys(details)).toEqual([field]);
    expect(await hooks.digest()).toBe(before);
  });

  it("of nobody and of somebody else are one answer", async () => {
    const { hooks } = await attempted();
    const { attempt: theirs } = await attempted();
    const errors = [];
    for (const id of [theirs.id, unknownId])
      errors.push({ ...refused(await hooks.replay(id), 404, "NOT_FOUND"), request_id: "" });
    expect(errors[0]).toEqual(errors[1]);
    const { details } = refused(await hooks.replay("malformed"), 400, "VALIDATION_FAILED");
    expect(Object.keys(details)).toEqual(["id"]);
  });

  it("to an endpoint that is not active is a conflict, to a deleted one not found", async () => {
    const { hooks, endpoint, attempt } = await attempted();
    await hooks.change(endpoint.id, { active: false });
    refused(await hooks.replay(attempt.id), 409, "CONFLICT");
    await hooks.call("DELETE", `/webhooks/${endpoint.id}`);
    refused(await hooks.replay(attempt.id), 404, "NOT_FOUND");
  });

  it("ends with the retention of the event, for good, and enqueues nothing", async () => {
    const { hooks, endpoint, attempt } = await attempted();
    const days = 86_400;
    await hooks.advance(30 * days);
    expect((await hooks.replay(attempt.id)).status).toBe(202);
    await hooks.advance(0.001);
    const before = await hooks.digest();
    expect(refused(await hooks.replay(attempt.id), 410, "EVENT_EXPIRED")).not.toHaveProperty("details");
    expect(await hooks.digest()).toBe(before);
    await hooks.change(endpoint.id, { active: false });
    refused(await hooks.replay(attempt.id), 410, "EVENT_EXPIRED");
    await hooks.advance(60 * days - 1);
    refused(await hooks.replay(attempt.id), 410, "EVENT_EXPIRED");
    expect((await hooks.feed()).some(({ id }: Shown) => id === attempt.id)).toBe(true);
    await hooks.advance(1);
    refused(await hooks.replay(attempt.id), 404, "NOT_FOUND");
    expect((await hooks.feed()).some(({ id }: Shown) => id === attempt.id)).toBe(false);
  });

  it("is limited before anything else about it is looked at, on a bucket of its own", async () => {
    const { hooks, attempt } = await attempted();
    const { capacity, periodSeconds } = buckets.deliveryReplays;
    const before = await hooks.digest();
    const answers = await Promise.all(Array.from({ length: capacity + 20 }, () => hooks.replay(attempt.id)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(capacity);
    const throttled = answers.find(({ status }) => status === 429);
    if (!throttled) throw new Error("none was refused");
    expect(refused(throttled, 429, "RATE_LIMITED")).not.toHaveProperty("details");
    expect(throttled.headers.get("retry-after")).toBe(String(Math.ceil(periodSeconds / capacity)));
    refused(await hooks.replay(unknownId), 429, "RATE_LIMITED");
    refused(await hooks.replay(attempt.id, { reason: 7 }), 422, "VALIDATION_FAILED");
    const key = { label: "x", scopes: ["apikeys:read"] };
    expect((await hooks.call("POST", "/api-keys", key)).status).toBe(201);
    expect(await hooks.digest()).not.toBe(before);
    await hooks.advance(Math.ceil(periodSeconds / capacity));
    expect((await hooks.replay(attempt.id)).status).toBe(202);
    expect((await hooks.feed()).length).toBe(1 + capacity);
  });
});
