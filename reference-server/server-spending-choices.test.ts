import { expect } from "vitest";
import { constants } from "../generated/constants.ts";
import { describeOptions, type Probe, type Probes, type SpendingOption } from "./test-choices.ts";
import type { TestServer } from "./test-server.ts";

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

const probes: Probes<SpendingOption> = {
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
};

describeOptions("every option of what costs money or goes on for a time is honoured", probes);
