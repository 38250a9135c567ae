import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../generated/events.ts";
import { bounds } from "../../generated/limits.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";
import { dataOf, nowhere, type TestWebhooks, testWebhooks } from "../test-webhooks.ts";
import { hang, startReceiver, status, type TestReceiver } from "../testing/test-receiver.ts";

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

/** Seconds from the beginning at which attempts were made, the first one first. */
const secondsOf = async (hooks: TestWebhooks): Promise<readonly number[]> =>
  (await hooks.feed())
    .map(({ occurred_at: at }: { occurred_at: string }) => (Date.parse(at) - Date.parse(start)) / 1000)
    .toReversed();

const schedule = [0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305];

describe("an event", () => {
  it("goes to active endpoints that subscribe to its type", async () => {
    const hooks = await fresh();
    expect((await hooks.emit()).deliveries).toBe(0);
    const [one, other] = [await hooks.endpoint(receiver.url), await hooks.endpoint(receiver.url)];
    await hooks.endpoint(receiver.url, ["brand.vetted"]);
    await hooks.change(other.id, { active: false });
    const before = receiver.received.length;
    const emitted = await hooks.emit({ nested: { list: [1, null, "ü\u0000"] } });
    expect(emitted).toEqual({ event_id: emitted.event_id, type: "lookup.completed", deliveries: 1 });
    expect(await hooks.advance()).toEqual({ now: start.replace("Z", ".000Z"), settled: true });
    const [delivery, ...more] = receiver.received.slice(before);
    expect(more).toEqual([]);
    expect(JSON.parse(String(delivery?.body)).data).toEqual({ nested: { list: [1, null, "ü\u0000"] } });
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "x-svc-event-id": emitted.event_id,
      "x-svc-event-type": "lookup.completed",
    });
    expect((await hooks.feed()).map((attempt: { endpoint_id: string }) => attempt.endpoint_id)).toEqual([one.id]);
  });

  it("can be of every type", async () => {
    const hooks = await fresh();
    await hooks.endpoint(receiver.url, eventTypes);
    for (const type of eventTypes) expect((await hooks.emit({}, type)).deliveries).toBe(1);
    await hooks.advance();
    expect(await hooks.feed()).toHaveLength(eventTypes.length);
  });

  it("of an unknown type, organization or form is refused", async () => {
    const hooks = await fresh();
    refused(await hooks.sandbox("POST", "/events", { type: "lookup.done" }), 422, "INVALID_ARRANGEMENT");
    refused(await hooks.sandbox("POST", "/events", { type: "brand.vetted", data: [] }), 422, "INVALID_ARRANGEMENT");
    const nobody = testWebhooks(server, { id: unknownId, key: "" });
    refused(await nobody.sandbox("POST", "/events", { type: "brand.vetted" }), 404, "SANDBOX_NOT_FOUND");
  });
});

describe("an endpoint", () => {
  it("changes as far as it is asked to", async () => {
    const hooks = await fresh();
    const made = await hooks.endpoint(nowhere, ["brand.vetted"]);
    await hooks.advance(10);
    const updated = "2030-01-01T00:00:10.000Z";
    expect(await hooks.change(made.id, { active: false })).toEqual({ ...made, active: false, updated_at: updated });
    expect(await hooks.change(made.id, { events: ["lookup.completed"] })).toMatchObject({
      active: false,
      events: ["lookup.completed"],
    });
    expect(await hooks.change(made.id, { active: true, events: ["brand.vetted"] })).toEqual({
      ...made,
      updated_at: updated,
    });
  });

  it("is not switched on beyond the limit, even at once", async () => {
    const hooks = await fresh();
    const made = [];
    for (let count = 0; count < bounds.activeWebhookEndpoints; count++) made.push((await hooks.endpoint()).id);
    for (const id of made.slice(0, 3)) await hooks.change(id, { active: false });
    await hooks.endpoint();
    const on = (id: string) => hooks.sandbox("PATCH", `/webhooks/${id}`, { active: true });
    const answers = await Promise.all(made.slice(0, 3).map(on));
    expect(answers.map(({ body }) => body.error?.code ?? null).toSorted()).toEqual(["ILLEGAL_TRANSITION", null, null]);
    expect((await on(String(made[9]))).status).toBe(200);
  });

  it("that is unknown, foreign or deleted, or a change that is none, is refused", async () => {
    const hooks = await fresh();
    const [theirs, deleted] = [await (await fresh()).endpoint(), await hooks.endpoint()];
    await hooks.call("DELETE", `/webhooks/${deleted.id}`);
    for (const id of [unknownId, theirs.id, deleted.id]) {
      refused(await hooks.sandbox("PATCH", `/webhooks/${id}`, { active: true }), 404, "SANDBOX_NOT_FOUND");
      refused(await hooks.sandbox("PUT", `/webhooks/${id}/answers`, { answers: [] }), 404, "SANDBOX_NOT_FOUND");
    }
    const { id } = await hooks.endpoint();
    for (const body of [{ events: [] }, { events: ["x"] }, { active: "yes" }])
      refused(await hooks.sandbox("PATCH", `/webhooks/${id}`, body), 422, "INVALID_ARRANGEMENT");
  });

  it("that is not active has its deliveries wait", async () => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint(receiver.url);
    await hooks.emit();
    await hooks.change(id, { active: false });
    await hooks.advance(60);
    expect(await hooks.feed()).toEqual([]);
    await hooks.change(id, { active: true });
    await hooks.advance();
    expect(await secondsOf(hooks)).toEqual([60]);
  });
});

describe("forced answers", () => {
  it("are met in order in place of the receiver, which gets nothing", async () => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint(receiver.url);
    const before = receiver.received.length;
    const answers = [
      { status: 503, body: "down" },
      ...["timeout", "refused", "reset"].map((why) => ({ no_answer: why })),
      { status: 200 },
    ];
    expect(await hooks.force(id, answers)).toEqual({ answers, repeat_last: false });
    await hooks.emit();
    await hooks.advance(86_400);
    expect(receiver.received.length).toBe(before);
    const shown = (await hooks.feed()).toReversed();
    expect(shown.map((attempt: { outcome: string }) => attempt.outcome)).toEqual([
      ...Array(4).fill("retry"),
      "success",
    ]);
    expect(shown[0]).toMatchObject({ response_status: 503, response_body_excerpt: "down", error: null, attempt: 1 });
    for (const attempt of shown.slice(1, 4))
      expect(attempt).toMatchObject({ response_status: null, response_body_excerpt: "", error: expect.any(String) });
    await hooks.emit();
    await hooks.advance();
    expect(receiver.received.length).toBe(before + 1);
  });

  it("may repeat the last one, until others are set", async () => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint(receiver.url);
    await hooks.force(id, [{ status: 200 }, { status: 500 }], true);
    for (let count = 0; count < 3; count++) await hooks.emit();
    await hooks.advance(1);
    const statuses = async () =>
      (await hooks.feed()).map((attempt: { response_status: number }) => attempt.response_status).toSorted();
    expect(await statuses()).toEqual([200, 500, 500]);
    await hooks.force(id, []);
    await hooks.advance(10);
    expect(await statuses()).toEqual([200, 200, 200, 500, 500]);
  });

  it.each([
    ["neither", {}],
    ["both", { status: 200, no_answer: "reset" }],
    ["a body without an answer", { no_answer: "reset", body: "x" }],
  ])("of %s are refused by place", async (_case, wrong) => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint();
    const answer = await hooks.sandbox("PUT", `/webhooks/${id}/answers`, { answers: [{ status: 200 }, wrong] });
    expect(Object.keys(refused(answer, 422, "INVALID_ARRANGEMENT").details)).toEqual(["answers.1"]);
  });
});

describe("the clock, advanced", () => {
  it("runs a delivery through all its retries, each at its time", async () => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint();
    await hooks.force(id, [{ status: 500 }], true);
    await hooks.emit();
    expect(await hooks.advance(4.999)).toMatchObject({ settled: true });
    expect(await secondsOf(hooks)).toEqual([0]);
    await hooks.advance(0.001);
    expect(await secondsOf(hooks)).toEqual([0, 5]);
    await hooks.advance(86_400 * 7);
    expect(await secondsOf(hooks)).toEqual(schedule);
    const shown = (await hooks.feed()).toReversed();
    expect(shown.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(shown.map(({ outcome }: { outcome: string }) => outcome)).toEqual([...Array(7).fill("retry"), "dead"]);
    expect(new Set(shown.map(({ event_id: event }: { event_id: string }) => event)).size).toBe(1);
  });

  it("runs real deliveries in the order in which they fall due, signed with its own time", async () => {
    const hooks = await fresh();
    const failing = await startReceiver(status(500));
    await hooks.endpoint(failing.url);
    await hooks.emit({ number: 1 });
    await hooks.advance(2);
    await hooks.emit({ number: 2 });
    await hooks.advance(86_400 * 2);
    const seen = failing.received.map(({ headers, body }) => ({
      number: JSON.parse(body.toString()).data.number,
      at: Number(/^t=(\d+)/.exec(String(headers["x-svc-signature"]))?.[1]) - Date.parse(start) / 1000,
    }));
    expect(seen.map(({ at }) => at)).toEqual(schedule.flatMap((at) => [at, at + 2]).toSorted((one, two) => one - two));
    expect(seen.filter(({ number }) => number === 2).map(({ at }) => at)).toEqual(schedule.map((at) => at + 2));
    await failing.close();
  });

  it("moves by all that was asked when there is no time for everything, and zero runs the rest", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = await startReceiver((response) => void released.then(() => response.writeHead(500).end()));
    const hurried = await startTestServer({ deliveries: { admitLoopback: true, advanceBound: 300 } });
    const hooks = testWebhooks(hurried, await hurried.organization({ clock: "manual", starts_at: start }));
    await hooks.endpoint(slow.url);
    await hooks.emit();
    expect(await hooks.advance(60)).toEqual({ now: "2030-01-01T00:01:00.000Z", settled: false });
    release();
    await expect.poll(async () => (await hooks.feed()).length).toBe(1);
    expect(await hooks.advance(0)).toEqual({ now: "2030-01-01T00:01:00.000Z", settled: true });
    expect(await secondsOf(hooks)).toEqual([0, 60]);
    await hurried.close();
    await slow.close();
  });

  it("moves once for each of several advances at once", async () => {
    const hooks = await fresh();
    const { id } = await hooks.endpoint();
    await hooks.force(id, [{ status: 500 }], true);
    await hooks.emit();
    await Promise.all(Array.from({ length: 20 }, () => hooks.advance(1)));
    expect((await hooks.advance(0)).now).toBe("2030-01-01T00:00:20.000Z");
    expect(await secondsOf(hooks)).toEqual([0, 5]);
  });
});

describe("a callback", () => {
  it("tells what it met", async () => {
    const hooks = await fresh();
    const teapot = await startReceiver(status(418, "short"));
    const send = async (url: string) => dataOf(await hooks.sandbox("POST", "/callbacks", { url }), 200);
    expect(await send(teapot.url)).toEqual({ status: 418, error: null });
    expect(teapot.received[0]?.body.toString()).toBe("{}");
    expect(await send(nowhere)).toEqual({ status: null, error: expect.stringContaining("refused") });
    await teapot.close();
  });

  it("waits no longer than a delivery", async () => {
    const impatient = await startTestServer({ deliveries: { admitLoopback: true, timeout: 300 } });
    const hanging = await startReceiver(hang);
    const hooks = testWebhooks(impatient, await impatient.organization({}));
    const { status: code, error } = dataOf(await hooks.sandbox("POST", "/callbacks", { url: hanging.url }), 200);
    expect([code, error]).toEqual([null, expect.any(String)]);
    await impatient.close();
    await hanging.close();
  });

  it("goes nowhere that a delivery may not go", async () => {
    const hooks = await fresh();
    for (const url of ["https://10.0.0.1/x", "ftp://receiver.example/", "https://u:p@receiver.example/"]) {
      const answer = await hooks.sandbox("POST", "/callbacks", { url });
      expect(refused(answer, 422, "INVALID_ARRANGEMENT").details).toHaveProperty("url");
    }
    const nobody = testWebhooks(server, { id: unknownId, key: "" });
    refused(await nobody.sandbox("POST", "/callbacks", { url: nowhere }), 404, "SANDBOX_NOT_FOUND");
  });
});
