import { afterEach, describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const rent = Number(referenceChoices.numberRentMicros);
const orderMax = Number(referenceChoices.numberOrderMax);
const path = "/v1/phone-numbers";
const unknown = "0190a0b0-0000-7000-8000-000000000000";
const [first, second, third] = ["+12025550101", "+12025550102", "+12025550103"] as const;

let server: TestServer;
afterEach(() => server.close());

/** An organization with so much money, and what its key does. */
async function begin(wallet = 10 * rent, options: Parameters<typeof startTestServer>[0] = {}) {
  server = await startTestServer(options);
  return { ...(await member(wallet)), another: member };
}

async function member(wallet = 10 * rent) {
  const { id, key: token } = await server.organization({ wallet_micros: wallet, clock: "manual" });
  const call = (method: string, at: string, body?: unknown) =>
    server.call(method, `${path}${at}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    id,
    token,
    search: (body: unknown = {}) => call("POST", "/search", body),
    order: (...phone_numbers: readonly unknown[]) => call("POST", "/orders", { phone_numbers }),
    bulk: (area_code: unknown, quantity: unknown) => call("POST", "/bulk", { area_code, quantity }),
    read: (number: string) => call("GET", `/${number}`),
    update: (number: string, body: unknown) => call("PATCH", `/${number}`, body),
    release: (number: string, query = "") => call("DELETE", `/${number}${query}`),
    stock: (...phone_numbers: readonly string[]) =>
      server.sandbox("PUT", `/organizations/${id}/number-stock`, { phone_numbers }),
    async state() {
      const { wallet_micros, lifetime_spend_micros, digest } = (
        await server.sandbox("GET", `/organizations/${id}/state`)
      ).body.data;
      return { wallet: wallet_micros, spend: lifetime_spend_micros, digest };
    },
  };
}

describe("a search", () => {
  it("shows numbers that anybody can order, and leaves everything as it was", async () => {
    const { search, state, another } = await begin();
    const before = await state();
    const { phone_numbers: found } = (await search()).body.data;
    expect(found).toHaveLength(20);
    expect(new Set(found).size).toBe(20);
    expect(await state()).toEqual(before);
    const stranger = await another();
    expect((await stranger.order(found[0])).status).toBe(201);
    const { phone_numbers: left } = (await search()).body.data;
    expect(left).not.toContain(found[0]);
    expect(left.slice(0, 19)).toEqual(found.slice(1));
  });

  it("shows those of one area, as far as nobody holds them", async () => {
    const { search, bulk } = await begin(1000 * rent);
    const { phone_numbers: found } = (await search({ area_code: "202" })).body.data;
    expect(found.every((number: string) => /^\+120255501\d{2}$/.test(number))).toBe(true);
    expect((await bulk("202", 95)).status).toBe(201);
    expect((await search({ area_code: "202" })).body.data.phone_numbers).toHaveLength(5);
    expect((await search({ area_code: "876" })).body.data.phone_numbers).toEqual([]);
    refused(await search({ area_code: "20" }), 422, "VALIDATION_FAILED");
  });

  it("shows what the sandbox has set, to that organization alone", async () => {
    const { search, stock, order, another } = await begin();
    expect((await stock(first, "+14165550102")).body.data).toEqual({ phone_numbers: [first, "+14165550102"] });
    expect((await search()).body.data.phone_numbers).toEqual([first, "+14165550102"]);
    expect((await search({ area_code: "416" })).body.data.phone_numbers).toEqual(["+14165550102"]);
    expect((await (await another()).search()).body.data.phone_numbers).toHaveLength(20);
    expect((await order(second)).body.data).toEqual({ available_count: 0, unavailable: [second] });
    expect((await order(first)).status).toBe(201);
    expect((await search()).body.data.phone_numbers).toEqual(["+14165550102"]);
    const wrong = `/organizations/${unknown}/number-stock`;
    refused(await server.sandbox("PUT", wrong, { phone_numbers: [] }), 404, "SANDBOX_NOT_FOUND");
  });
});

describe("an order", () => {
  it("assigns its numbers, charges the rent of each, and they can be read by their organization alone", async () => {
    const { order, read, state, another } = await begin();
    const made = await order(first, second);
    const shown = {
      ...{ id: expect.any(String), status: "assigned", ordered_at: expect.any(String) },
      ...{ label: null, inbound_url: null, status_url: null, campaign_id: null },
    };
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        phone_numbers: [
          { ...shown, phone_number: first },
          { ...shown, phone_number: second },
        ],
      },
    ]);
    expect(await state()).toMatchObject({ wallet: 8 * rent, spend: 2 * rent });
    const [one] = made.body.data.phone_numbers;
    expect((await read(one.id)).body.data).toEqual(one);
    const stranger = await another();
    const foreign = refused(await stranger.read(one.id), 404, "NOT_FOUND");
    expect(foreign.message).toBe(refused(await read(unknown), 404, "NOT_FOUND").message);
    refused(await read("none"), 400, "VALIDATION_FAILED");
  });

  it("of what cannot be had tells which, and assigns and charges nothing", async () => {
    const { order, state, another } = await begin();
    const stranger = await another();
    await stranger.order(first, third);
    const before = await state();
    const nowhere = "+442071838750";
    for (const [wanted, unavailable] of [
      [[first], [first]],
      [[second, first], [first]],
      [
        [third, second, nowhere, first],
        [third, nowhere, first],
      ],
    ] as const) {
      const { status, body } = await order(...wanted);
      expect([status, body.error.code]).toEqual([409, "INSUFFICIENT_INVENTORY"]);
      expect(body.error).not.toHaveProperty("details");
      expect(body.data).toEqual({ available_count: wanted.length - unavailable.length, unavailable });
      expect(await state()).toEqual(before);
    }
    expect((await order(second)).status).toBe(201);
    expect((await order(second)).body.data).toEqual({ available_count: 0, unavailable: [second] });
  });

  it("is refused, and changes nothing, where the wallet does not cover it", async () => {
    const { order, bulk, state } = await begin(2 * rent - 1);
    const before = await state();
    for (const answer of [await order(first, second), await bulk("202", 2)])
      expect(refused(answer, 402, "INSUFFICIENT_CREDIT")).not.toHaveProperty("details");
    expect(await state()).toEqual(before);
    expect((await order(first)).status).toBe(201);
    refused(await order(second), 402, "INSUFFICIENT_CREDIT");
  });

  it("is met for one of those who order a number at once, and nobody else pays", async () => {
    const { another } = await begin();
    const members = await Promise.all(Array.from({ length: 5 }, () => another()));
    const answers = await Promise.all(members.map(({ order }) => order(first)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const spent = await Promise.all(members.map(async ({ state }) => (await state()).spend));
    expect(spent).toEqual(answers.map(({ status }) => (status === 201 ? rent : 0)));
  });

  it.each([
    ["of nothing", []],
    ["of one number twice", [first, first]],
    ["of a text that is no number", ["nobody"]],
    ["of what is no text", [1]],
    ["of too many", Array.from({ length: orderMax + 1 }, (_, index) => `+1202555${1000 + index}`)],
  ])("%s is refused", async (_what, numbers) => {
    const { order, state } = await begin();
    const before = await state();
    refused(await order(...numbers), 422, "VALIDATION_FAILED");
    expect(await state()).toEqual(before);
  });
});

describe("a bulk order", () => {
  it("assigns any numbers of its area, and charges the rent of each", async () => {
    const { bulk, state } = await begin();
    const { phone_numbers: numbers } = (await bulk("416", 3)).body.data;
    expect(numbers).toHaveLength(3);
    for (const { phone_number, status } of numbers)
      expect([phone_number, status]).toEqual([expect.stringMatching(/^\+1416/), "assigned"]);
    expect(await state()).toMatchObject({ wallet: 7 * rent, spend: 3 * rent });
  });

  it("of more than there are is refused without data, and assigns and charges nothing", async () => {
    const { bulk, stock, state } = await begin();
    await stock(first, second, "+14165550101");
    const before = await state();
    const answer = await bulk("202", 3);
    expect(refused(answer, 409, "INSUFFICIENT_INVENTORY")).not.toHaveProperty("details");
    expect(answer.body).not.toHaveProperty("data");
    expect(await state()).toEqual(before);
    expect((await bulk("202", 2)).status).toBe(201);
    refused(await bulk("202", 1), 409, "INSUFFICIENT_INVENTORY");
  });

  it.each([0, -1, 1.5, orderMax + 1, "one"])("of %s numbers is refused", async (quantity) => {
    const { bulk, state } = await begin(1000 * rent);
    const before = await state();
    refused(await bulk("202", quantity), 422, "VALIDATION_FAILED");
    expect(await state()).toEqual(before);
  });
});

describe("an update", () => {
  it("changes what it names and nothing else", async () => {
    const { order, read, update } = await begin();
    const [one, other] = (await order(first, second)).body.data.phone_numbers;
    const changes = { label: "support", inbound_url: "https://a.example/in", status_url: "https://a.example" };
    let expected = one;
    for (const change of [...Object.entries(changes), ["label", null]].map(([name, value]) => ({
      [String(name)]: value,
    }))) {
      expected = { ...expected, ...change };
      expect((await update(one.id, change)).body.data).toEqual(expected);
      expect((await read(one.id)).body.data).toEqual(expected);
    }
    expect((await update(one.id, {})).body.data).toEqual(expected);
    expect((await read(other.id)).body.data).toEqual(other);
    refused(await update(unknown, { label: "x" }), 404, "NOT_FOUND");
  });

  it.each([false, true])(
    "with another field is refused before anything changes (unknown fields refused: %s)",
    async (all) => {
      const { order, state, update } = await begin(10 * rent, {
        chosen: { unknownFields: all ? "refused" : "ignored" },
      });
      const [{ id }] = (await order(first)).body.data.phone_numbers;
      const before = await state();
      for (const body of [{ status: "released" }, { label: "x", nickname: "y" }, { nickname: null, label: 5 }]) {
        expect(refused(await update(id, body), 400, "INVALID_INPUT")).not.toHaveProperty("details");
        expect(await state()).toEqual(before);
      }
    },
  );

  it("with a value that is not valid, or a campaign that is not there, is refused", async () => {
    const { order, state, update } = await begin();
    const [{ id }] = (await order(first)).body.data.phone_numbers;
    const before = await state();
    for (const body of [{ label: 5 }, { inbound_url: "nowhere" }, { status_url: "ftp://a" }, { campaign_id: "none" }])
      refused(await update(id, body), 422, "VALIDATION_FAILED");
    refused(await update(id, { campaign_id: unknown }), 404, "NOT_FOUND");
    expect(await state()).toEqual(before);
  });
});

describe("a wallet that an order leaves with little", () => {
  it.each([
    ["an order", { phone_numbers: [first, second] }, "/orders"],
    ["a bulk order", { area_code: "202", quantity: 2 }, "/bulk"],
  ])("is told of, and tops itself up where it does so: %s", async (_, body, at) => {
    const low = Number(referenceChoices.lowBalanceMicros);
    const { id, token, state } = await begin(low + rent);
    const endpoint = { url: `${server.url}/nobody`, events: ["wallet.balance_low"] };
    expect((await server.call("POST", "/v1/webhooks", { token, body: endpoint })).status).toBe(201);
    const auto = { enabled: true, product_id: "usd_10", threshold_cents: low / 10_000 };
    expect((await server.call("PUT", "/v1/billing/wallet/auto-topup", { token, body: auto })).status).toBe(200);
    expect((await server.call("POST", `${path}${at}`, { token, body })).status).toBe(201);
    expect(await state()).toMatchObject({ wallet: low - rent + 10_000_000, spend: 2 * rent });
    await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 0 });
    const { data } = (await server.call("GET", "/v1/webhooks/deliveries", { token })).body;
    expect(data.map(({ event_type }: { event_type: string }) => event_type)).toEqual(["wallet.balance_low"]);
  });
});

describe("a release", () => {
  it("leaves nothing to its organization, and the number to whoever orders it", async () => {
    const { order, read, update, release, state, another } = await begin();
    const [one, other] = (await order(first, second)).body.data.phone_numbers;
    expect((await release(one.id)).body.data).toEqual({ ...one, status: "released" });
    for (const answer of [await read(one.id), await update(one.id, { label: "x" }), await release(one.id)])
      refused(answer, 404, "NOT_FOUND");
    expect((await read(other.id)).status).toBe(200);
    expect(await state()).toMatchObject({ spend: 2 * rent });
    const stranger = await another();
    refused(await stranger.release(other.id), 404, "NOT_FOUND");
    expect((await stranger.order(first)).status).toBe(201);
  });

  it("to the carrier takes a scope of its own", async () => {
    const { id, order, read, release } = await begin();
    const [one, other] = (await order(first, second)).body.data.phone_numbers;
    const { body } = await server.sandbox("POST", `/organizations/${id}/keys`, { scopes: ["numbers:write"] });
    const as = (number: string, query: string) =>
      server.call("DELETE", `${path}/${number}${query}`, { token: body.data.plaintext });
    expect(refused(await as(one.id, "?return_to_carrier=true"), 403, "FORBIDDEN")).not.toHaveProperty("details");
    expect((await read(one.id)).status).toBe(200);
    refused(await as(one.id, "?return_to_carrier=perhaps"), 422, "VALIDATION_FAILED");
    expect((await as(one.id, "?return_to_carrier=false")).status).toBe(200);
    expect((await release(other.id, "?return_to_carrier=true")).status).toBe(200);
    refused(await read(other.id), 404, "NOT_FOUND");
  });
});
