import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../generated/events.ts";
import { bounds } from "../../generated/limits.ts";
import { refused, startTestServer, type TestAnswer, type TestServer } from "../test-server.ts";
import { dataOf, nowhere, signedWith, testWebhooks } from "../test-webhooks.ts";
import { hang, ok, startReceiver, status, type TestReceiver } from "../testing/test-receiver.ts";

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
const most = bounds.activeWebhookEndpoints;

const fresh = async (arrangement: object = { clock: "manual" }, scopes?: readonly string[]) => {
  const organization = await server.organization(arrangement, scopes);
  return { organization, hooks: testWebhooks(server, organization) };
};

describe("creating an endpoint", () => {
  it("gives it without a secret", async () => {
    const { organization, hooks } = await fresh({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const answer = await hooks.create("http://127.0.0.1:8080/a?b=c", ["lookup.completed", "api_key.created"]);
    expect(dataOf(answer, 201)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_id: organization.id,
      url: "http://127.0.0.1:8080/a?b=c",
      events: ["lookup.completed", "api_key.created"],
      active: true,
      api_version: "2026-01-01",
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:00:00.000Z",
      deleted_at: null,
    });
  });

  it.each([
    ["nothing at all", undefined, undefined, ["events", "url"]],
    ["a url that is no text", 7, ["lookup.completed"], ["url"]],
    ["a url that is none", "receiver", ["lookup.completed"], ["url"]],
    ["another scheme", "ftp://receiver.example/x", ["lookup.completed"], ["url"]],
    ["a user in the url", "https://user@receiver.example/x", ["lookup.completed"], ["url"]],
    ["a private address", "https://10.0.0.1/x", ["lookup.completed"], ["url"]],
    ["the metadata address", "https://169.254.169.254/x", ["lookup.completed"], ["url"]],
    ["a private address as one number", "https://167772161/x", ["lookup.completed"], ["url"]],
    ["a url of a megabyte", `https://receiver.example/${"a".repeat(1_000_000)}`, ["lookup.completed"], ["url"]],
    ["a url with a megabyte of host", `https://${"a.".repeat(500_000)}example/`, ["lookup.completed"], ["url"]],
    ["an unknown event", nowhere, ["lookup.finished"], ["events.0"]],
    ["an unknown event beside a known one", nowhere, ["lookup.completed", "Lookup.Completed"], ["events.1"]],
    ["no event", nowhere, [], ["events"]],
    ["an event twice", nowhere, ["lookup.completed", "lookup.completed"], ["events"]],
    ["events that are no list", nowhere, "lookup.completed", ["events"]],
    ["an event that is no text", nowhere, [null], ["events.0"]],
  ])("from %s is refused by name, and stores nothing", async (_case, url, events, fields) => {
    const { hooks } = await fresh();
    const before = await hooks.digest();
    const { details } = refused(await hooks.call("POST", "/webhooks", { url, events }), 422, "VALIDATION_FAILED");
    expect(Object.keys(details).toSorted()).toEqual(fields);
    expect(JSON.stringify(details).length).toBeLessThan(3_000);
    expect(await hooks.digest()).toBe(before);
  });

  it.each([
    ["null", null],
    ["a list", []],
    ["a text", '"x"'],
    ["deep nesting", "[".repeat(200_000)],
  ])("from %s as the body is refused", async (_case, body) => {
    const { hooks } = await fresh();
    const { status: code } = await hooks.call("POST", "/webhooks", body);
    expect([400, 422]).toContain(code);
  });

  it("wants https and public addresses where no loopback is admitted", async () => {
    const strict = await startTestServer({ deliveries: {} });
    const hooks = testWebhooks(strict, await strict.organization({ clock: "manual" }));
    for (const url of [nowhere, "https://127.0.0.1/x", "https://localhost/x", "http://receiver.example/x"])
      expect(refused(await hooks.create(url), 422, "VALIDATION_FAILED").details).toHaveProperty("url");
    expect((await hooks.create("https://receiver.example/x")).status).toBe(201);
    await strict.close();
  });

  it(`${most + 10} at once make exactly ${most}, and each deletion makes room for one`, async () => {
    const { hooks } = await fresh();
    const answers = await Promise.all(Array.from({ length: most + 10 }, () => hooks.create()));
    const made = answers.filter((answer) => answer.status === 201);
    expect(made).toHaveLength(most);
    const before = await hooks.digest();
    expect(refused(await hooks.create(), 409, "LIMIT_EXCEEDED")).not.toHaveProperty("details");
    expect(await hooks.digest()).toBe(before);
    for (const { body } of made.slice(0, 2)) await hooks.call("DELETE", `/webhooks/${body.data.id}`);
    const again = await Promise.all([hooks.create(), hooks.create(), hooks.create()]);
    expect(again.map((answer) => answer.status).toSorted()).toEqual([201, 201, 409]);
  });
});

describe("an endpoint that is not one's own", () => {
  it("cannot be told from one that never was, whatever is asked of it", async () => {
    const { hooks } = await fresh();
    const theirs = await (await fresh()).hooks.endpoint();
    const deleted = await hooks.endpoint();
    await hooks.call("DELETE", `/webhooks/${deleted.id}`);
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
    ] as const) {
      const seen = async (id: string) => {
        const answer = await hooks.call(method, `/webhooks/${id}${path}`);
        return [[...answer.headers.keys()], { ...refused(answer, 404, "NOT_FOUND"), request_id: "" }];
      };
      expect(await seen(theirs.id)).toEqual(await seen(unknownId));
      expect(await seen(deleted.id)).toEqual(await seen(unknownId));
      const malformed = await hooks.call(method, `/webhooks/malformed${path}`);
      expect(refused(malformed, 400, "VALIDATION_FAILED").details).toHaveProperty("id");
    }
  });

  it("needs the scope to write", async () => {
    const { organization, hooks } = await fresh();
    const { id } = await hooks.endpoint();
    const body = { scopes: ["webhooks:read"] };
    const reader = dataOf(await server.sandbox("POST", `/organizations/${organization.id}/keys`, body), 200);
    const weak = testWebhooks(server, { id: organization.id, key: reader.plaintext });
    const answers = [
      await weak.create(),
      await weak.call("DELETE", `/webhooks/${id}`),
      await weak.call("POST", `/webhooks/${id}/rotate-secret`),
      await weak.call("POST", `/webhooks/${id}/test`),
      await weak.call("POST", "/webhook-secret/rotate"),
    ];
    for (const answer of answers) refused(answer, 403, "FORBIDDEN");
    expect((await weak.list()).status).toBe(200);
  });
});

describe("deleting an endpoint", () => {
  it("gives its final state, once, and ends what was on its way", async () => {
    const { hooks } = await fresh({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const made = await hooks.endpoint(receiver.url);
    await hooks.emit();
    const before = receiver.received.length;
    const answers = await Promise.all([1, 2].map(() => hooks.call("DELETE", `/webhooks/${made.id}`)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
    const deleted = answers.find((answer) => answer.status === 200)?.body.data;
    expect(deleted).toEqual({
      ...made,
      active: false,
      updated_at: deleted.updated_at,
      deleted_at: "2030-01-01T00:00:00.000Z",
    });
    expect((await hooks.emit()).deliveries).toBe(0);
    expect(await hooks.advance(86_400)).toMatchObject({ settled: true });
    expect(receiver.received.length).toBe(before);
  });
});

describe("rotating an endpoint's secret", () => {
  it("shows a new one each time, and nothing else shows it", async () => {
    const { hooks } = await fresh();
    const made = await hooks.endpoint(receiver.url);
    const answer = await hooks.call("POST", `/webhooks/${made.id}/rotate-secret`);
    const { secret, secret_displayed_once: once, ...rest } = dataOf(answer, 200);
    expect([once, Buffer.from(secret, "base64")]).toEqual([true, expect.objectContaining({ length: 32 })]);
    expect(rest).toEqual({ ...made, updated_at: rest.updated_at });
    const second = await hooks.rotate(made.id);
    expect(second).not.toBe(secret);
    await hooks.call("POST", `/webhooks/${made.id}/test`);
    await hooks.advance();
    const others = [await hooks.list(), await hooks.replay((await hooks.feed())[0].id)];
    others.push(await hooks.call("DELETE", `/webhooks/${made.id}`));
    for (const { text, headers } of others)
      for (const known of [secret, second]) expect(text + JSON.stringify([...headers])).not.toContain(known);
    for (const known of [secret, second]) expect(server.logged.join("")).not.toContain(known);
  });

  it("counts from the next attempt on, also for a delivery on its way", async () => {
    const { hooks } = await fresh();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<(code: number) => void>();
    const slow = await startReceiver((response, number) => {
      if (number === 1) arrive((code) => response.writeHead(code).end());
      else response.end();
    });
    const { id } = await hooks.endpoint(slow.url);
    const first = await hooks.rotate(id);
    await hooks.emit();
    const advancing = hooks.advance(5);
    const answer = await arrived;
    const second = await hooks.rotate(id);
    answer(500);
    expect(await advancing).toMatchObject({ settled: true });
    expect(slow.received.map((each) => signedWith(each, { first, second }))).toEqual([["first"], ["second"]]);
    await slow.close();
  });
});

describe("testing an endpoint", () => {
  it("sends it an event of a type that it subscribes to", async () => {
    const { organization, hooks } = await fresh({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const { id } = await hooks.endpoint(receiver.url, ["wallet.balance_low", "lookup.completed"]);
    const tested = dataOf(await hooks.call("POST", `/webhooks/${id}/test`), 202);
    expect(tested).toEqual({
      endpoint_id: id,
      event_id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      event_type: "wallet.balance_low",
      enqueued_at: "2030-01-01T00:00:00.000Z",
    });
    const before = receiver.received.length;
    await hooks.advance();
    const [delivery] = receiver.received.slice(before);
    expect(JSON.parse(String(delivery?.body))).toEqual({
      id: tested.event_id,
      type: "wallet.balance_low",
      created_at: tested.enqueued_at,
      api_version: "2026-01-01",
      org_id: organization.id,
      data: { test: true },
    });
    expect(await hooks.feed()).toMatchObject([{ event_id: tested.event_id, outcome: "success", attempt: 1 }]);
  });

  it("goes to this endpoint alone, and to none that is not active", async () => {
    const { hooks } = await fresh();
    const [one, other] = [await hooks.endpoint(receiver.url), await hooks.endpoint(receiver.url)];
    await hooks.call("POST", `/webhooks/${one.id}/test`);
    await hooks.advance();
    expect((await hooks.feed()).map((attempt: { endpoint_id: string }) => attempt.endpoint_id)).toEqual([one.id]);
    await hooks.change(other.id, { active: false });
    refused(await hooks.call("POST", `/webhooks/${other.id}/test`), 409, "CONFLICT");
  });
});

describe("rotating the organization's secret", () => {
  const rotated = async (hooks: ReturnType<typeof testWebhooks>) =>
    dataOf(await hooks.call("POST", "/webhook-secret/rotate"), 200);

  it("keeps the one before it valid for a while, to the second", async () => {
    const { hooks } = await fresh({ clock: "manual", starts_at: "2030-01-01T00:00:00Z" });
    const first = await rotated(hooks);
    expect(first).toMatchObject({ secret_displayed_once: true, previous_valid_until: null });
    const second = await rotated(hooks);
    expect(second.previous_valid_until).toBe("2030-01-01T00:05:00.000Z");
    const secrets = { first: first.secret, second: second.secret };
    const signatures = async () => {
      const before = receiver.received.length;
      const body = { url: receiver.url, data: { from: "+14155550100" } };
      expect(dataOf(await hooks.sandbox("POST", "/callbacks", body), 200)).toEqual({ status: 200, error: null });
      const [callback] = receiver.received.slice(before);
      expect(callback?.body.toString()).toBe(JSON.stringify(body.data));
      return callback === undefined ? [] : signedWith(callback, secrets);
    };
    expect(await signatures()).toEqual(["second", "first"]);
    await hooks.advance(299);
    expect(await signatures()).toEqual(["second", "first"]);
    await hooks.advance(2);
    expect(await signatures()).toEqual(["second"]);
  });

  it("twice at once gives two secrets, of which the later one stays", async () => {
    const { hooks } = await fresh();
    const secrets = (await Promise.all([rotated(hooks), rotated(hooks)])).map(({ secret }) => secret);
    expect(new Set(secrets).size).toBe(2);
    expect(server.logged.join("")).not.toContain(secrets[0]);
  });
});

describe("events about keys", () => {
  it("tell of creation, rotation and revocation without the secret", async () => {
    const { organization, hooks } = await fresh({ clock: "manual" });
    const types = eventTypes.filter((type) => type.startsWith("api_key."));
    await hooks.endpoint(receiver.url, types);
    const before = receiver.received.length;
    const made = dataOf(await hooks.call("POST", "/api-keys", { label: "ü", scopes: ["apikeys:read"] }), 201);
    await hooks.advance(1);
    const next = dataOf(await hooks.call("POST", `/api-keys/${made.id}/rotate`), 200);
    await hooks.advance(1);
    await hooks.sandbox("POST", `/keys/${made.id}/revoke`);
    refused(await hooks.sandbox("POST", `/keys/${made.id}/revoke`), 409, "ILLEGAL_TRANSITION");
    await hooks.advance(1);
    const bodies = receiver.received.slice(before).map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.map(({ type, org_id: id }) => [type, id])).toEqual(types.map((type) => [type, organization.id]));
    const { label, scopes, id } = made;
    const prefixes = [made.prefix, next.prefix, next.prefix];
    expect(bodies.map(({ data }) => data)).toEqual(prefixes.map((prefix) => ({ id, label, scopes, prefix })));
    for (const { plaintext } of [made, next]) expect(JSON.stringify(bodies)).not.toContain(plaintext);
  });
});

describe("an organization that lives by real time", () => {
  const until = async (holds: () => boolean | Promise<boolean>) => expect.poll(holds).toBe(true);

  it("gets its events delivered by themselves", async () => {
    const own = await startReceiver();
    const { hooks } = await fresh({});
    const { id } = await hooks.endpoint(own.url);
    const secret = await hooks.rotate(id);
    await hooks.emit({ line_type: "MOBILE" });
    await until(() => own.received.length === 1);
    const [delivery] = own.received;
    if (!delivery) throw new Error("nothing came");
    expect([delivery.method, signedWith(delivery, { secret })]).toEqual(["POST", ["secret"]]);
    await until(async () => (await hooks.feed()).length === 1);
    const [attempt] = await hooks.feed();
    expect(attempt).toMatchObject({ outcome: "success", response_status: 200, response_body_excerpt: "ok" });
    expect(server.logged.join("")).toContain(`delivered ${attempt.event_id} lookup.completed → ${own.url} 200 in`);
    await own.close();
  });

  it("is not held up by a receiver that hangs, nor by a dead one", async () => {
    const [hanging, healthy] = [await startReceiver(hang), await startReceiver(ok)];
    const busy = await startTestServer({ deliveries: { admitLoopback: true, timeout: 3_000 } });
    const hooks = testWebhooks(busy, await busy.organization({}));
    const slow = await hooks.endpoint(hanging.url);
    const dead = await hooks.endpoint(nowhere);
    for (let count = 0; count < 30; count++) await hooks.emit();
    await hooks.endpoint(healthy.url);
    for (let count = 0; count < 30; count++) await hooks.emit();
    await until(() => healthy.received.length >= 30);
    expect((await hooks.feed(`?endpoint_id=${slow.id}&outcome=success`)).length).toBe(0);
    await until(async () => (await hooks.feed(`?endpoint_id=${dead.id}`)).length > 0);
    await until(async () => (await hooks.feed(`?endpoint_id=${slow.id}`)).length > 0);
    const [attempt] = await hooks.feed(`?endpoint_id=${slow.id}`);
    expect(attempt).toMatchObject({ outcome: "retry", response_status: null, response_body_excerpt: "" });
    expect(attempt.response_time_ms).toBeGreaterThanOrEqual(2_900);
    await busy.close(0);
    await Promise.all([hanging.close(), healthy.close()]);
  });

  it("has deliveries under way finished before the server ends", async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<() => void>();
    const slow = await startReceiver((response) => arrive(() => void response.end()));
    const other = await startTestServer();
    const hooks = testWebhooks(other, await other.organization({}));
    await hooks.endpoint(slow.url);
    await hooks.emit();
    const finish = await arrived;
    const closed = other.close();
    finish();
    await closed;
    expect(other.logged.join("")).toContain("delivered evt_");
    await slow.close();
  });
});

describe("deleting the organization", () => {
  it("ends its deliveries", async () => {
    const { organization, hooks } = await fresh({});
    const failing = await startReceiver(status(500));
    await hooks.endpoint(failing.url);
    await hooks.emit();
    await expect.poll(() => failing.received.length).toBeGreaterThan(0);
    const deleted: TestAnswer = await server.sandbox("DELETE", `/organizations/${organization.id}`);
    expect(deleted.status).toBe(200);
    refused(await hooks.list(), 401, "UNAUTHORIZED");
    await failing.close();
  });
});
