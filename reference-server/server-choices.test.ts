import { expect } from "vitest";
import type { Choices } from "../generated/choices.ts";
import { buckets } from "../generated/limits.ts";
import { type DeliveryOption, describeOptions, type Probe, type Probes, type SpendingOption } from "./test-choices.ts";
import type { TestAnswer, TestServer } from "./test-server.ts";

const { capacity, periodSeconds } = buckets.apiKeyWrites;
const uuid = "00000000-0000-4000-8000-000000000000";

const outcome = ({ status, body }: TestAnswer) => [status, body.error?.code];

/** Creates a key in a fresh organization. */
async function creating(server: TestServer, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const { key } = await server.organization({ clock: "manual" });
  return server.call("POST", "/v1/api-keys", { token: key, body, headers });
}

const good = { label: "label", scopes: ["apikeys:read"] };

const createdAs =
  (status: number): Probe =>
  async (server) => {
    expect((await creating(server, good)).status).toBe(status);
  };

const creatingGives =
  (body: unknown, status: number, code?: string, headers?: Readonly<Record<string, string>>): Probe =>
  async (server) => {
    expect(outcome(await creating(server, body, headers))).toEqual([status, code]);
  };

const badScopesGive =
  (status: number, code: string, hasDetails: boolean): Probe =>
  async (server) => {
    for (const body of [{ label: "x" }, { label: "x", scopes: "all" }, { label: "x", scopes: [1] }]) {
      const answer = await creating(server, body);
      expect(outcome(answer)).toEqual([status, code]);
      expect("details" in answer.body.error).toBe(hasDetails);
    }
  };

const fieldsNamed =
  (...fields: readonly string[]): Probe =>
  async (server) => {
    const answer = await creating(server, { label: 7, scopes: [1] });
    expect(Object.keys(answer.body.error.details).toSorted()).toEqual(fields);
  };

const timesMatch =
  (pattern: RegExp): Probe =>
  async (server) => {
    const before = Date.now();
    const { created_at: created } = (await creating(server, good)).body.data;
    expect(created).toMatch(pattern);
    // Some forms tell no fraction of a second.
    expect(Date.parse(created)).toBeGreaterThan(before - 1000);
    expect(Date.parse(created)).toBeLessThanOrEqual(Date.now());
  };

const unscopedGetOf =
  (id: string, status: number): Probe =>
  async (server) => {
    const { key } = await server.organization({ clock: "manual" }, ["messages:send"]);
    expect((await server.call("GET", `/v1/api-keys/${id}`, { token: key })).status).toBe(status);
    const denied = await server.call("POST", "/v1/api-keys", { token: key, body: good });
    expect(denied.status).toBe(403);
  };

/** How many calls of a kind it takes until creation is refused. */
async function drawsOf(server: TestServer, call: (key: string) => Promise<TestAnswer>): Promise<number> {
  const { key } = await server.organization({ clock: "manual" });
  for (let count = 0; count < capacity; count++) await call(key);
  let admitted = 0;
  while ((await server.call("POST", "/v1/api-keys", { token: key, body: good })).status === 201) admitted++;
  return capacity - admitted;
}

const draws =
  (invalid: number, refusedByHandler: number): Probe =>
  async (server) => {
    const create = (body: unknown) => (key: string) => server.call("POST", "/v1/api-keys", { token: key, body });
    expect(await drawsOf(server, create({}))).toBe(invalid);
    expect(await drawsOf(server, create({ ...good, scopes: ["no:scope"] }))).toBe(refusedByHandler);
    expect(await drawsOf(server, create(good))).toBe(capacity);
  };

/** A burst one second before the end of a window: what a refused call is told to wait, and what a burst then admits. */
const limitedBy =
  (wait: number, admittedThen: number): Probe =>
  async (server) => {
    const arrangement = { clock: "manual", starts_at: "2030-01-01T00:00:00Z" };
    const { id, key } = await server.organization(arrangement);
    const advance = (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds });
    const burst = async () => {
      const create = () => server.call("POST", "/v1/api-keys", { token: key, body: good });
      const answers = await Promise.all(Array.from({ length: capacity + 1 }, create));
      const refused = answers.filter(({ status }) => status === 429);
      return { admitted: answers.length - refused.length, wait: Number(refused[0]?.headers.get("retry-after")) };
    };
    await advance(periodSeconds - 1);
    expect(await burst()).toEqual({ admitted: capacity, wait });
    await advance(wait - 0.001);
    expect((await burst()).admitted).toBe(0);
    await advance(0.001);
    expect((await burst()).admitted).toBe(admittedThen);
  };

/** A key shows its use when the call is answered, or only some time later. */
const showsUse =
  (atOnce: boolean): Probe =>
  async (server) => {
    const { id, key } = await server.organization({ clock: "manual" });
    const { id: keyId, plaintext } = (await server.call("POST", "/v1/api-keys", { token: key, body: good })).body.data;
    await server.call("GET", `/v1/api-keys/${keyId}`, { token: plaintext });
    const isUsed = async () => ((await server.store.key(id, keyId))?.lastUsedAt ?? null) !== null;
    expect(await isUsed()).toBe(atOnce);
    await expect.poll(isUsed).toBe(true);
  };

const probes: Probes<Exclude<keyof Choices, DeliveryOption | SpendingOption>> = {
  successStatus: { documented: createdAs(201), "200": createdAs(200), "202": createdAs(202), "299": createdAs(299) },
  labelRule: {
    required: creatingGives({ scopes: ["apikeys:read"] }, 422, "VALIDATION_FAILED"),
    optional: creatingGives({ scopes: ["apikeys:read"] }, 201),
  },
  scopesMissing: {
    ValidationFailed: badScopesGive(422, "VALIDATION_FAILED", true),
    ValidationFailed400: badScopesGive(400, "VALIDATION_FAILED", true),
    InvalidInput: badScopesGive(400, "INVALID_INPUT", false),
  },
  unknownBeforeUnheld: {
    InvalidInput: async (server) => expect(await unknownAndUnheld(server)).toEqual([400, "INVALID_INPUT"]),
    Forbidden: async (server) => expect(await unknownAndUnheld(server)).toEqual([403, "FORBIDDEN"]),
  },
  prefixLength: {
    "17": async (server) => expect((await creating(server, good)).body.data.prefix).toHaveLength(17),
    "12": async (server) => expect((await creating(server, good)).body.data.prefix).toHaveLength(12),
  },
  rotatedId: {
    same: async (server) => expect(await idsOfRotation(server)).toBe(1),
    new: async (server) => expect(await idsOfRotation(server)).toBe(2),
  },
  lastUsed: {
    "at-once": showsUse(true),
    delayed: showsUse(false),
  },
  timestampPrecision: {
    milliseconds: timesMatch(/T\d\d:\d\d:\d\d\.\d{3}Z$/),
    seconds: timesMatch(/T\d\d:\d\d:\d\dZ$/),
    microseconds: timesMatch(/T\d\d:\d\d:\d\d\.\d{6}Z$/),
  },
  requestId: {
    own: async (server) => expect(await idFor(server, "mine-1")).toMatch(/^req_/),
    echo: async (server) => {
      expect(await idFor(server, "mine-1")).toBe("mine-1");
      expect(await idFor(server, "mine 1")).toMatch(/^req_/);
      expect(await idFor(server, "x".repeat(1000))).toMatch(/^req_/);
    },
  },
  brokenJson: {
    InvalidInput: creatingGives("{", 400, "INVALID_INPUT"),
    ValidationFailed: creatingGives("{", 422, "VALIDATION_FAILED"),
  },
  wrongMediaType: {
    InvalidInput: creatingGives(good, 400, "INVALID_INPUT", { "content-type": "text/plain" }),
    UnsupportedMediaType: creatingGives(good, 415, "UNSUPPORTED_MEDIA_TYPE", { "content-type": "text/plain" }),
    accept: creatingGives(good, 201, undefined, { "content-type": "text/plain" }),
  },
  unknownFields: {
    ignored: creatingGives({ ...good, colour: "red" }, 201),
    refused: creatingGives({ ...good, colour: "red" }, 422, "VALIDATION_FAILED"),
  },
  detailsKeys: { name: fieldsNamed("label", "scopes.0"), pointer: fieldsNamed("/label", "/scopes/0") },
  badFields: {
    all: fieldsNamed("label", "scopes.0"),
    first: async (server) => {
      const answer = await creating(server, { label: 7, scopes: [1] });
      expect(Object.keys(answer.body.error.details)).toHaveLength(1);
    },
  },
  checkOrder: {
    "scope-first": async (server) => {
      for (const id of ["malformed", uuid]) await unscopedGetOf(id, 403)(server);
    },
    "scope-last": async (server) => {
      await unscopedGetOf("malformed", 400)(server);
      await unscopedGetOf(uuid, 404)(server);
      const { key, keyId } = await server.organization({ clock: "manual" }, ["messages:send"]);
      expect((await server.call("GET", `/v1/api-keys/${keyId}`, { token: key })).status).toBe(403);
    },
  },
  wwwAuthenticate: {
    sent: async (server) => expect(await challengeOf(server)).toBe("Bearer"),
    omitted: async (server) => expect(await challengeOf(server)).toBeNull(),
  },
  wrongMethod: {
    MethodNotAllowed: async (server) =>
      expect(await missing(server, "DELETE", "/v1/api-keys")).toEqual([405, "METHOD_NOT_ALLOWED"]),
    NotFound: async (server) => expect(await missing(server, "DELETE", "/v1/api-keys")).toEqual([404, "NOT_FOUND"]),
  },
  unknownPath: {
    NotFound: async (server) => expect(await missing(server, "GET", "/v1/nothing")).toEqual([404, "NOT_FOUND"]),
    InvalidInput: async (server) => expect(await missing(server, "GET", "/v1/nothing")).toEqual([400, "INVALID_INPUT"]),
  },
  refusedCallsDraw: {
    "after-validation": draws(0, capacity),
    never: draws(0, 0),
    always: draws(capacity, capacity),
  },
  bucketAlgorithm: {
    "token-bucket": limitedBy(periodSeconds / capacity, 1),
    "fixed-window": limitedBy(1, capacity),
    "sliding-window": limitedBy(1 + periodSeconds / capacity, 1),
  },
};

async function unknownAndUnheld(server: TestServer) {
  const { key } = await server.organization({ clock: "manual" }, ["apikeys:write"]);
  const body = { label: "x", scopes: ["messages:send", "no:scope"] };
  return outcome(await server.call("POST", "/v1/api-keys", { token: key, body }));
}

async function idsOfRotation(server: TestServer): Promise<number> {
  const { id, key, keyId } = await server.organization({ clock: "manual" });
  const rotated = (await server.call("POST", `/v1/api-keys/${keyId}/rotate`, { token: key })).body.data;
  const read = await server.call("GET", `/v1/api-keys/${rotated.id}`, { token: rotated.plaintext });
  expect([read.status, read.body.data.org_id]).toEqual([200, id]);
  return new Set([keyId, rotated.id]).size;
}

async function missing(server: TestServer, method: string, path: string) {
  const { key } = await server.organization({ clock: "manual" });
  return outcome(await server.call(method, path, { token: key }));
}

const idFor = async (server: TestServer, given: string) =>
  (await server.call("GET", "/healthz", { headers: { "X-Request-Id": given } })).headers.get("x-request-id");

const challengeOf = async (server: TestServer) =>
  (await server.call("GET", "/v1/api-keys/x")).headers.get("www-authenticate");

describeOptions("every option is honoured", probes);
