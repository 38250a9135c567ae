import { createHmac, hash } from "node:crypto";
import { expect } from "vitest";
import { type DeliveryOption, describeOptions, type Probe, type Probes } from "./test-choices.ts";
import type { TestServer } from "./test-server.ts";
import { dataOf, nowhere, signedWith, type TestWebhooks, testWebhooks } from "./test-webhooks.ts";
import { type Received, startReceiver, status, type TestReceiver } from "./testing/test-receiver.ts";

const start = "2030-01-01T00:00:00Z";
const day = 86_400;
const unknownId = "00000000-0000-4000-8000-000000000000";

const fresh = async (server: TestServer): Promise<TestWebhooks> =>
  testWebhooks(server, await server.organization({ clock: "manual", starts_at: start }));

/** An organization with one failed attempt at this place. */
async function attempted(server: TestServer, url = nowhere) {
  const hooks = await fresh(server);
  const endpoint = await hooks.endpoint(url);
  await hooks.emit({ line_type: "MOBILE" });
  await hooks.advance();
  const [attempt] = await hooks.feed();
  return { hooks, endpoint, attempt };
}

/** What a receiver gets from one delivery, with the endpoint's secret. */
async function delivered(server: TestServer) {
  const receiver = await startReceiver();
  const hooks = await fresh(server);
  const { id } = await hooks.endpoint(receiver.url);
  const secret = await hooks.rotate(id);
  await hooks.emit({ line_type: "MOBILE" });
  await hooks.advance();
  await receiver.close();
  const [request] = receiver.received;
  if (!request) throw new Error("nothing came");
  const [attempt] = await hooks.feed();
  return { request, secret, attempt };
}

const withReceiver = async (
  behaviour: Parameters<typeof startReceiver>[0],
  use: (receiver: TestReceiver) => Promise<void>,
) => {
  const receiver = await startReceiver(behaviour);
  try {
    await use(receiver);
  } finally {
    await receiver.close();
  }
};

const attemptShows =
  (expected: object, absent: readonly string[] = []): Probe =>
  async (server) => {
    const { attempt } = await attempted(server);
    expect(attempt).toMatchObject(expected);
    for (const name of absent) expect(attempt).not.toHaveProperty(name);
  };

const listGives =
  (query: string, code: number, error?: string, field?: string): Probe =>
  async (server) => {
    const { hooks } = await attempted(server);
    const answer = await hooks.list(query);
    expect([answer.status, answer.body.error?.code]).toEqual([code, error]);
    if (code === 200) expect(answer.body.data).toEqual([]);
    else expect(Object.keys(answer.body.error.details ?? {})).toEqual(field === undefined ? [] : [field]);
  };

const totalOfNothing =
  (total: number): Probe =>
  async (server) => {
    const { hooks } = await attempted(server);
    const { body } = await hooks.list("?outcome=success");
    expect([body.data, body.meta.total]).toEqual([[], total]);
  };

const lastPageHas =
  (expected: object): Probe =>
  async (server) => {
    const { hooks } = await attempted(server);
    const { total, limit, offset, ...rest } = (await hooks.list()).body.meta;
    expect([total, limit, offset, rest]).toEqual([1, 50, 0, expected]);
  };

const signedBy =
  (
    key: (secret: string) => Buffer | string,
    content: (request: Received, time: string) => string,
    form: "hex" | "base64",
  ): Probe =>
  async (server) => {
    const { request, secret } = await delivered(server);
    const [, time = "", signature] = /^t=(\d+),v1=(.+)$/.exec(String(request.headers["x-svc-signature"])) ?? [];
    expect(signature).toBe(createHmac("sha256", key(secret)).update(content(request, time)).digest(form));
  };
const decoded = (secret: string) => Buffer.from(secret, "base64");
const raw = (secret: string) => secret;
const timeAndBody = ({ body }: Received, time: string) => `${time}.${body}`;
const idTimeAndBody = ({ headers, body }: Received, time: string) => `${headers["x-svc-event-id"]}.${time}.${body}`;

const attemptsOf =
  (answer: number, count: number): Probe =>
  async (server) => {
    const hooks = await fresh(server);
    const { id } = await hooks.endpoint();
    await hooks.force(id, [{ status: answer }], true);
    await hooks.emit();
    await hooks.advance(7 * day);
    expect((await hooks.feed()).map(({ attempt }: { attempt: number }) => attempt)).toHaveLength(count);
  };

const excerptOf =
  (bytes: number): Probe =>
  (server) =>
    withReceiver(status(200, "ü".repeat(1_000)), async ({ url }) => {
      const { attempt } = await attempted(server, url);
      expect(attempt.response_body_excerpt).toBe("ü".repeat(bytes / 2));
    });

const replayAfter =
  (days: number, code: number): Probe =>
  async (server) => {
    const { hooks, attempt } = await attempted(server);
    await hooks.advance(days * day);
    expect((await hooks.replay(attempt.id)).status).toBe(code);
    await hooks.advance(0.001);
    expect((await hooks.replay(attempt.id)).status).toBe(410);
  };

const callbackSignedBy =
  (...order: readonly string[]): Probe =>
  (server) =>
    withReceiver(undefined, async ({ url, received }) => {
      const hooks = await fresh(server);
      const rotate = async () => dataOf(await hooks.call("POST", "/webhook-secret/rotate"), 200).secret;
      const secrets = { previous: await rotate(), present: await rotate() };
      await hooks.sandbox("POST", "/callbacks", { url });
      expect(received.map((callback) => signedWith(callback, secrets))).toEqual([order]);
    });

const keyCreationSends =
  (count: number): Probe =>
  async (server) => {
    const hooks = await fresh(server);
    await hooks.endpoint(nowhere, ["api_key.created"]);
    dataOf(await hooks.call("POST", "/api-keys", { label: "x", scopes: ["apikeys:read"] }), 201);
    await hooks.advance();
    expect(await hooks.feed()).toHaveLength(count);
  };

const testIsOf =
  (type: string): Probe =>
  async (server) => {
    const hooks = await fresh(server);
    const { id } = await hooks.endpoint(nowhere, ["brand.vetted", "lookup.completed"]);
    expect(dataOf(await hooks.call("POST", `/webhooks/${id}/test`), 202).event_type).toBe(type);
  };

const malformedIdGives =
  (code: number): Probe =>
  async (server) => {
    const hooks = await fresh(server);
    const answers = [
      await hooks.call("DELETE", "/webhooks/malformed"),
      await hooks.call("POST", "/webhooks/malformed/test"),
      await hooks.call("POST", "/webhooks/malformed/rotate-secret"),
      await hooks.call("POST", "/webhooks/deliveries/malformed/replay"),
      await hooks.call("POST", "/api-keys/malformed/rotate"),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.error?.code]).toEqual([code, "VALIDATION_FAILED"]);
      expect(answer.body.error.details).toHaveProperty("id");
    }
  };

const versionIs =
  (version: string): Probe =>
  async (server) =>
    expect((await (await fresh(server)).endpoint()).api_version).toBe(version);

const deletionAnswers =
  (expected: unknown): Probe =>
  async (server) => {
    const hooks = await fresh(server);
    const { id } = await hooks.endpoint();
    expect((await hooks.call("DELETE", `/webhooks/${id}`)).body.data).toEqual(expected);
  };

const bodyIs =
  (names: readonly string[]): Probe =>
  async (server) => {
    const { request } = await delivered(server);
    expect(Object.keys(JSON.parse(request.body.toString()))).toEqual(names);
  };

const digestIn =
  (form: "hex" | "base64"): Probe =>
  async (server) => {
    const { request, attempt } = await delivered(server);
    expect(attempt.request_body_sha256).toBe(hash("sha256", request.body, form));
  };

const headerNamed =
  (name: string): Probe =>
  async (server) =>
    expect((await attempted(server)).attempt.request_headers).toHaveProperty(name);

const unansweredInRange =
  (count: number): Probe =>
  async (server) => {
    const { hooks } = await attempted(server);
    for (const bound of ["http_status_min=100", "http_status_max=599"])
      expect((await hooks.list(`?${bound}`)).body.data).toHaveLength(count);
  };

const backwards = "?since=2030-01-01T00:00:00Z&until=2029-01-01T00:00:00Z";

const probes: Probes<DeliveryOption> = {
  pageTotal: { matching: totalOfNothing(0), all: totalOfNothing(1) },
  lastCursor: {
    absent: lastPageHas({}),
    null: lastPageHas({ next_cursor: null }),
    empty: lastPageHas({ next_cursor: "" }),
  },
  badCursor: {
    ValidationFailed: listGives("?cursor=x", 422, "VALIDATION_FAILED", "cursor"),
    ValidationFailed400: listGives("?cursor=x", 400, "VALIDATION_FAILED", "cursor"),
    InvalidInput: listGives("?cursor=x", 400, "INVALID_INPUT"),
  },
  unknownEndpointFilter: {
    empty: listGives(`?endpoint_id=${unknownId}`, 200),
    NotFound: listGives(`?endpoint_id=${unknownId}`, 404, "NOT_FOUND"),
  },
  sinceAfterUntil: {
    ValidationFailed: listGives(backwards, 422, "VALIDATION_FAILED", "until"),
    empty: listGives(backwards, 200),
  },
  unansweredInStatusRange: { "left-out": unansweredInRange(0), kept: unansweredInRange(1) },
  unansweredStatus: {
    null: attemptShows({ response_status: null, response_body_excerpt: "" }),
    absent: attemptShows({}, ["response_status", "response_time_ms", "response_body_excerpt"]),
    zero: attemptShows({ response_status: 0, response_body_excerpt: "" }),
  },
  digestEncoding: { hex: digestIn("hex"), base64: digestIn("base64") },
  excerptBytes: { "1024": excerptOf(1_024), "100": excerptOf(100) },
  recordedHeaderNames: { "as-sent": headerNamed("X-Svc-Event-ID"), "lower-case": headerNamed("x-svc-event-id") },
  signatureDialect: {
    "decoded-body-hex": signedBy(decoded, timeAndBody, "hex"),
    "raw-body-hex": signedBy(raw, timeAndBody, "hex"),
    "decoded-id-body-base64": signedBy(decoded, idTimeAndBody, "base64"),
    "raw-id-body-base64": signedBy(raw, idTimeAndBody, "base64"),
  },
  eventBody: {
    enveloped: bodyIs(["id", "type", "created_at", "api_version", "org_id", "data"]),
    bare: bodyIs(["line_type"]),
  },
  retrySchedule: { "eight-attempts": attemptsOf(500, 8), "three-attempts": attemptsOf(500, 3) },
  goneAnswer: { dead: attemptsOf(410, 1), retry: attemptsOf(410, 8) },
  eventRetentionDays: { "30": replayAfter(30, 202), "3": replayAfter(3, 202) },
  graceSignatures: {
    "new-first": callbackSignedBy("present", "previous"),
    "previous-first": callbackSignedBy("previous", "present"),
  },
  keyEvents: { sent: keyCreationSends(1), "not-sent": keyCreationSends(0) },
  endpointVersion: { "2026-01-01": versionIs("2026-01-01"), "2024-07-15": versionIs("2024-07-15") },
  testEventType: {
    "first-subscribed": testIsOf("brand.vetted"),
    "lookup.completed": testIsOf("lookup.completed"),
  },
  malformedId: { ValidationFailed400: malformedIdGives(400), ValidationFailed: malformedIdGives(422) },
  deletedData: {
    resource: deletionAnswers(expect.objectContaining({ active: false })),
    null: deletionAnswers(null),
    empty: deletionAnswers({}),
  },
};

describeOptions("every option about deliveries is honoured", probes);
