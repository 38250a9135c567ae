import { expect } from "vitest";
import type { Choices } from "../generated/choices.ts";
import { constants } from "../generated/constants.ts";
import { buckets } from "../generated/limits.ts";
import { type DeliveryOption, describeOptions, type Probe, type Probes } from "./test-choices.ts";
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

/** What a retry gets whose first try failed. */
const retryGives =
  (status: number): Probe =>
  async (server) => {
    const { id, key } = await server.organization({ wallet_micros: 1_000_000 });
    await server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "lookup", calls: 1 });
    const body = { phone_number: "+12025550123" };
    const look = () => server.call("POST", "/v1/lookup", { token: key, body, headers: { "idempotency-key": "one" } });
    expect([(await look()).status, (await look()).status]).toEqual([502, status]);
  };

/** An organization with money and a manual clock, and what its key looks up. */
async function lookingUp(server: TestServer) {
  const { id, key: token } = await server.organization({ clock: "manual", wallet_micros: 5_000_000 });
  return {
    id,
    look: (key: string) =>
      server.call("POST", "/v1/lookup", {
        token,
        body: { phone_number: "+12025550123" },
        headers: { "idempotency-key": key },
      }),
  };
}

const keyHoldsFor =
  (hours: number): Probe =>
  async (server) => {
    const { id, look } = await lookingUp(server);
    const advance = (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds });
    const first = (await look("one")).body.data.id;
    await advance(hours * 3600 - 1);
    expect((await look("one")).body.data.id).toBe(first);
    await advance(1);
    expect((await look("one")).body.data.id).not.toBe(first);
  };

const keysHaveAtMost =
  (length: number): Probe =>
  async (server) => {
    const { look } = await lookingUp(server);
    expect((await look("k".repeat(length))).status).toBe(201);
    expect((await look("k".repeat(length + 1))).status).toBe(422);
  };

const lookupCosts =
  (micros: number): Probe =>
  async (server) => {
    const { id, look } = await lookingUp(server);
    await look("one");
    const { wallet_micros } = (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;
    expect(wallet_micros).toBe(5_000_000 - micros);
  };

const rentCosts =
  (micros: number): Probe =>
  async (server) => {
    const { id, key: token } = await server.organization({ clock: "manual", wallet_micros: 5_000_000 });
    const body = { area_code: "202", quantity: 2 };
    expect((await server.call("POST", "/v1/phone-numbers/bulk", { token, body })).status).toBe(201);
    const { wallet_micros } = (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;
    expect(wallet_micros).toBe(5_000_000 - 2 * micros);
  };

const ordersUpTo =
  (most: number): Probe =>
  async (server) => {
    const { key: token } = await server.organization({ clock: "manual", wallet_micros: 500_000_000 });
    const order = (quantity: number) =>
      server.call("POST", "/v1/phone-numbers/bulk", { token, body: { area_code: "202", quantity } });
    expect((await order(most + 1)).status).toBe(422);
    expect((await order(most)).status).toBe(201);
  };

/** An organization with money and a manual clock, and what its key sends to a recipient who has opted in. */
async function sending(server: TestServer) {
  const starts = Date.UTC(2030, 0, 1);
  const { id, key: token } = await server.organization({
    ...{ clock: "manual", starts_at: new Date(starts).toISOString(), wallet_micros: 5_000_000 },
    limits: { messageSendsPerSecond: { capacity: 9, period_seconds: 1 } },
  });
  const to = "+12025550130";
  await server.call("POST", "/v1/consent", { token, body: { phone_number: to, source: "form" } });
  return {
    id,
    async send(ahead: number, body = "a") {
      const scheduled_at = new Date(starts + ahead).toISOString();
      return (await server.call("POST", "/v1/messages", { token, body: { to, body, scheduled_at } })).status;
    },
  };
}

const segmentCosts =
  (micros: number): Probe =>
  async (server) => {
    const { id, send } = await sending(server);
    expect(await send(0, "a".repeat(161))).toBe(202);
    const { wallet_micros } = (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;
    expect(wallet_micros).toBe(5_000_000 - 2 * micros);
  };

const schedulesFor =
  (days: number): Probe =>
  async (server) => {
    const { send } = await sending(server);
    const longest = days * 24 * 3_600_000;
    expect([await send(longest), await send(longest + 1), await send(-1)]).toEqual([202, 422, 422]);
  };

const doubleOptInsLast =
  (hours: number): Probe =>
  async (server) => {
    const { key } = await server.organization({ clock: "manual" });
    const body = { phone_number: "+12025550130", source: "web form" };
    const { data } = (await server.call("POST", "/v1/consent/double-opt-in", { token: key, body })).body;
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(hours * 3_600_000);
  };

/** An organization with a brand, and what a record's member is now, a second before it is to change, and then. */
async function registering(server: TestServer) {
  const { id, key: token } = await server.organization({ clock: "manual", wallet_micros: 5_000_000 });
  const create = async (path: string, body: object) => (await server.call("POST", path, { token, body })).body.data;
  return {
    ...{ id, create, brand: await create("/v1/brands", { name: "Corner Bakery" }) },
    async shown(path: string, member: string, seconds: number): Promise<readonly string[]> {
      const read = async () => (await server.call("GET", path, { token })).body.data[member];
      const values = [await read()];
      for (const step of [seconds - 1, 1]) {
        await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: step });
        values.push(await read());
      }
      return values;
    },
  };
}

const verificationTakes =
  (seconds: number): Probe =>
  async (server) => {
    const { brand, shown } = await registering(server);
    const statuses = await shown(`/v1/brands/${brand.id}`, "identity_status", seconds);
    expect(statuses).toEqual([brand.identity_status, brand.identity_status, constants.verifiedBrand]);
  };

const reviewTakes =
  (seconds: number): Probe =>
  async (server) => {
    const { id, create, brand, shown } = await registering(server);
    const { verifiedBrand: verdict, pendingCampaign, activeCampaign } = constants;
    await server.sandbox("POST", `/organizations/${id}/brands/${brand.id}/verify`, { verdict });
    const campaign = await create("/v1/campaigns", { brand_id: brand.id, description: "Tells of orders." });
    const statuses = await shown(`/v1/campaigns/${campaign.id}`, "status", seconds);
    expect(statuses).toEqual([pendingCampaign, pendingCampaign, activeCampaign]);
  };

/** What disabling auto top-up gives that is disabled. */
const disablingGives =
  (status: number): Probe =>
  async (server) => {
    const { key: token } = await server.organization();
    const body = { enabled: false };
    expect((await server.call("PUT", "/v1/billing/wallet/auto-topup", { token, body })).status).toBe(status);
  };

/** How much is left when a charge is the first that leaves little. */
const lowBelow =
  (micros: number): Probe =>
  async (server) => {
    const { id, key: token } = await server.organization({ wallet_micros: micros, clock: "manual" });
    const endpoint = { url: `${server.url}/nobody`, events: ["wallet.balance_low"] };
    expect((await server.call("POST", "/v1/webhooks", { token, body: endpoint })).status).toBe(201);
    const body = { phone_number: "+12025550123" };
    for (let count = 1; count <= 2; count += 1) await server.call("POST", "/v1/lookup", { token, body });
    await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 0 });
    const feed = await server.call("GET", "/v1/webhooks/deliveries?event_type=wallet.balance_low", { token });
    expect(new Set(feed.body.data.map((attempt: { event_id: string }) => attempt.event_id)).size).toBe(1);
  };

/** What becomes of a message that waits when its recipient replies STOP, and when another one is erased. */
const optOutsLeaveMessages =
  (status: string): Probe =>
  async (server) => {
    const arrangement = { clock: "manual", starts_at: "2030-01-01T00:00:00Z", wallet_micros: 5_000_000 };
    const { id, key: token } = await server.organization({
      ...arrangement,
      limits: { messageSendsPerSecond: { capacity: 10, period_seconds: 1 } },
    });
    const [stopping, erased] = ["+12025550130", "+12025550131"] as const;
    const ahead = "2030-01-01T01:00:00Z";
    const ids: string[] = [];
    for (const number of [stopping, erased]) {
      await server.call("POST", "/v1/consent", { token, body: { phone_number: number, source: "form" } });
      const body = { to: number, body: "Hello.", scheduled_at: ahead };
      ids.push((await server.call("POST", "/v1/messages", { token, body })).body.data.id);
    }
    await server.sandbox("POST", `/organizations/${id}/inbound`, { from: stopping, text: "STOP" });
    await server.call("POST", `/v1/contacts/${erased}/erase`, { token });
    for (const message of ids) {
      const shown = await server.call("GET", `/v1/messages/${message}`, { token });
      expect(shown.body.data.status).toBe(status);
    }
  };

const probes: Probes<Exclude<keyof Choices, DeliveryOption>> = {
  successStatus: { documented: createdAs(201), "200": createdAs(200), "202": createdAs(202), "299": createdAs(299) },
  disabledAgain: { conflict: disablingGives(409), success: disablingGives(200) },
  lowBalanceMicros: { "5000000": lowBelow(5_000_000), "20000000": lowBelow(20_000_000) },
  failedLookupRetry: { "same-failure": retryGives(502), "tried-again": retryGives(201) },
  idempotencyKeyHours: { "24": keyHoldsFor(24), "1": keyHoldsFor(1) },
  idempotencyKeyLength: { "255": keysHaveAtMost(255), "64": keysHaveAtMost(64) },
  lookupPriceMicros: { "8000": lookupCosts(8_000), "1150007": lookupCosts(1_150_007) },
  numberRentMicros: { "1150000": rentCosts(1_150_000), "1000003": rentCosts(1_000_003) },
  numberOrderMax: { "100": ordersUpTo(100), "20": ordersUpTo(20) },
  segmentPriceMicros: { "10000": segmentCosts(10_000), "79001": segmentCosts(79_001) },
  messagesAtOptOut: { canceled: optOutsLeaveMessages("canceled"), sent: optOutsLeaveMessages("scheduled") },
  scheduleDays: { "35": schedulesFor(35), "7": schedulesFor(7) },
  brandVerificationSeconds: { "60": verificationTakes(60), "86400": verificationTakes(86_400) },
  campaignReviewSeconds: { "60": reviewTakes(60), "86400": reviewTakes(86_400) },
  doubleOptInHours: { "72": doubleOptInsLast(72), "1": doubleOptInsLast(1) },
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
