import { afterEach, describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const micros = 10_000;
const price = Number(referenceChoices.lookupPriceMicros);

let server: TestServer;
afterEach(() => server.close());

/** An organization as arranged, and what its key does. */
async function begin(arranged: object = {}) {
  server = await startTestServer();
  return member(arranged);
}

async function member(arranged: object) {
  const { id, key: token } = await server.organization({ clock: "manual", ...arranged });
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `/v1/billing/${path}`, body === undefined ? { token } : { token, body });
  return {
    id,
    token,
    topUp: (product_id: string) => call("POST", "topup", { product_id }),
    auto: (body: object) => call("PUT", "wallet/auto-topup", body),
    enable: (product_id: string, threshold_cents: number) =>
      call("PUT", "wallet/auto-topup", { enabled: true, product_id, threshold_cents }),
    portal: () => call("POST", "portal"),
    products: () => call("GET", "topup/products"),
    look: () => server.call("POST", "/v1/lookup", { token, body: { phone_number: "+12025550123" } }),
    async wallet(): Promise<number> {
      return (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.wallet_micros;
    },
  };
}

describe("a top-up", () => {
  it("adds a product's amount to the wallet, and cures one that does not cover a charge", async () => {
    const { products, topUp, wallet, look } = await begin();
    refused(await look(), 402, "INSUFFICIENT_CREDIT");
    const [smallest] = (await products()).body.data.products;
    const made = await topUp(smallest.id);
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        product_id: smallest.id,
        amount_cents: smallest.amount_cents,
        created_at: expect.any(String),
      },
    ]);
    expect(await wallet()).toBe(smallest.amount_cents * micros);
    expect((await look()).status).toBe(201);
    refused(await topUp("usd_7"), 422, "VALIDATION_FAILED");
  });

  it("is not below the least amount of the plan, and takes a plan", async () => {
    const { topUp, wallet } = await begin({ min_topup_cents: 1_000 });
    refused(await topUp("usd_5"), 402, "BELOW_MINIMUM_CREDIT");
    expect(await wallet()).toBe(0);
    expect((await topUp("usd_10")).status).toBe(201);
    const planless = await member({ no_plan: true });
    refused(await planless.topUp("usd_10"), 404, "NO_PLAN");
    refused(await planless.enable("usd_10", 100), 402, "NO_PLAN");
  });
});

describe("auto top-up", () => {
  it("is enabled once, and disabled once", async () => {
    const { auto, enable, wallet } = await begin({ wallet_micros: 1_000 * micros });
    refused(await auto({ enabled: false }), 409, "CONFLICT");
    expect(refused(await auto({ enabled: true }), 422, "VALIDATION_FAILED").details).toEqual({
      product_id: expect.any(String),
      threshold_cents: expect.any(String),
    });
    expect((await enable("usd_5", 500)).body.data).toEqual({
      enabled: true,
      product_id: "usd_5",
      threshold_cents: 500,
    });
    refused(await enable("usd_5", 500), 409, "CONFLICT");
    refused(await enable("usd_10", 100), 409, "CONFLICT");
    expect((await auto({ enabled: false })).body.data).toEqual({
      enabled: false,
      product_id: null,
      threshold_cents: null,
    });
    expect(await wallet()).toBe(1_000 * micros);
  });

  it("pays once when a charge leaves less than the threshold, and at once where less is there", async () => {
    const covered = 500 * micros;
    const { enable, look, wallet } = await begin({ wallet_micros: covered + price });
    await enable("usd_10", 500);
    await look();
    expect(await wallet()).toBe(covered);
    await look();
    expect(await wallet()).toBe(covered - price + 1_000 * micros);
    const poor = await member({});
    refused(await poor.look(), 402, "INSUFFICIENT_CREDIT");
    expect((await poor.enable("usd_5", 100)).status).toBe(200);
    expect((await poor.look()).status).toBe(201);
    expect(await poor.wallet()).toBe(500 * micros - price);
  });
});

describe("the billing portal", () => {
  it("is for who has paid, and may be unavailable", async () => {
    const { id, portal, topUp } = await begin();
    refused(await portal(), 409, "NO_BILLING_CUSTOMER");
    await topUp("usd_5");
    expect((await portal()).body.data.url).toMatch(/^https:/);
    await server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "billing_portal", calls: 1 });
    refused(await portal(), 502, "BILLING_PORTAL_UNAVAILABLE");
    expect((await portal()).status).toBe(200);
  });
});

describe("a wallet that runs out", () => {
  it("is told once when a charge leaves little, and once when one leaves nothing", async () => {
    const { id, token, look } = await begin({ wallet_micros: 2 * price });
    const types = ["wallet.balance_low", "wallet.balance_zero"];
    const endpoint = { url: `${server.url}/nobody`, events: types };
    expect((await server.call("POST", "/v1/webhooks", { token, body: endpoint })).status).toBe(201);
    const events = async (): Promise<readonly string[]> => {
      await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 0 });
      const { data } = (await server.call("GET", "/v1/webhooks/deliveries", { token })).body;
      return data.map(({ event_type }: { event_type: string }) => event_type);
    };
    await look();
    expect(await events()).toEqual([]);
    await look();
    expect(await events()).toEqual(["wallet.balance_zero"]);
  });
});
