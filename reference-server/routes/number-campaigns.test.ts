import { afterEach, describe, expect, it } from "vitest";
import { constants } from "../../generated/constants.ts";
import { eventType } from "../../generated/events.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const { verifiedBrand, pendingCampaign, activeCampaign, expiredCampaign, assignedNumber } = constants;
const unknown = "0190a0b0-0000-7000-8000-000000000000";
const [first, second] = ["+12025550101", "+12025550102"] as const;

let server: TestServer;
afterEach(() => server.close());

async function begin() {
  server = await startTestServer();
  return member();
}

/** An organization with a manual clock, and an endpoint that nobody serves for what is told of its numbers. */
async function member() {
  const arranged = { clock: "manual", wallet_micros: 100_000_000, is_reseller: true };
  const { id: organization, key: token } = await server.organization(arranged);
  const endpoint = { url: "http://127.0.0.1:9/", events: [eventType.phoneNumberCampaignAssigned] };
  await server.call("POST", "/v1/webhooks", { token, body: endpoint });
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `/v1/${path}`, { token, ...(body === undefined ? {} : { body }) });
  const arrange = (method: string, path: string, body: unknown) =>
    server.sandbox(method, `/organizations/${organization}/${path}`, body);
  const order = async (number: string, campaign_id?: string) =>
    call("POST", "phone-numbers/orders", { phone_numbers: [number], ...(campaign_id && { campaign_id }) });
  return {
    order,
    async held(number: string): Promise<string> {
      return (await order(number)).body.data.phone_numbers[0].id;
    },
    /** A campaign that has come to a stage, and its brand. */
    async campaign(to: string = activeCampaign): Promise<{ readonly id: string; readonly brand: string }> {
      const { id: brand } = (await call("POST", "brands", { name: "Corner Bakery" })).body.data;
      await arrange("POST", `brands/${brand}/verify`, { verdict: verifiedBrand });
      const { id } = (await call("POST", "campaigns", { brand_id: brand, description: "Orders." })).body.data;
      await arrange("POST", `campaigns/${id}/move`, { to });
      return { id, brand };
    },
    fail: (brand: string) => arrange("POST", `brands/${brand}/verify`, { verdict: "failed" }),
    expire: (campaign: string) => arrange("POST", `campaigns/${campaign}/move`, { to: expiredCampaign }),
    assign: (number: string, assigned: boolean) => arrange("PUT", `phone-numbers/${number}/assignment`, { assigned }),
    read: (number: string) => call("GET", `phone-numbers/${number}`),
    update: (number: string, body: unknown) => call("PATCH", `phone-numbers/${number}`, body),
    release: (number: string) => call("DELETE", `phone-numbers/${number}`),
    attach: (number: string, campaign_id: unknown) => call("POST", `phone-numbers/${number}/campaign`, { campaign_id }),
    detach: (number: string) => call("DELETE", `phone-numbers/${number}/campaign`),
    state: async () => (await server.sandbox("GET", `/organizations/${organization}/state`)).body.data.digest as string,
    /** How many times an attachment was told. */
    async told(): Promise<number> {
      await arrange("POST", "advance", { seconds: 0 });
      const { data } = await call("GET", "webhooks/deliveries").then(({ body }) => body);
      return new Set(data.map(({ event_id }: { event_id: string }) => event_id)).size;
    },
  };
}

describe("a campaign", () => {
  it("comes to a number, gives way to another one, and goes", async () => {
    const { held, campaign, attach, detach, read, told } = await begin();
    const [one, other] = [await held(first), await held(second)];
    const [before, beside] = [(await read(one)).body.data, (await read(other)).body.data];
    const [a, b] = [await campaign(), await campaign()];
    for (const { id } of [a, b]) {
      const answer = await attach(one, id.toUpperCase());
      expect([answer.status, answer.body.data]).toEqual([200, { ...before, campaign_id: id }]);
      expect((await read(one)).body.data).toEqual({ ...before, campaign_id: id });
    }
    const answer = await detach(one);
    expect([answer.status, answer.body.data]).toEqual([200, before]);
    expect((await read(one)).body.data).toEqual(before);
    expect((await read(other)).body.data).toEqual(beside);
    expect(await told()).toBe(2);
  });

  it("is told where an order or an update gives it to a number that has another one, or none", async () => {
    const { order, campaign, update, told } = await begin();
    const [a, b] = [await campaign(), await campaign()];
    const { id } = (await order(first, a.id)).body.data.phone_numbers[0];
    expect(await told()).toBe(1);
    for (const campaign_id of [a.id, b.id, b.id, null]) await update(id, { campaign_id });
    expect(await told()).toBe(2);
  });

  it("that is attached already, and one that is not there to detach, is a conflict", async () => {
    const { held, campaign, attach, detach, state } = await begin();
    const number = await held(first);
    refused(await detach(number), 409, "CONFLICT");
    const { id } = await campaign();
    await attach(number, id);
    const before = await state();
    refused(await attach(number, id), 409, "CONFLICT");
    expect(await state()).toBe(before);
  });

  it("that is not fit, not there or another organization's is attached to nothing", async () => {
    const { held, campaign, attach, expire, fail, state } = await begin();
    const number = await held(first);
    const [pending, expired, unverified] = [await campaign(pendingCampaign), await campaign(), await campaign()];
    await expire(expired.id);
    await fail(unverified.brand);
    const foreign = await (await member()).campaign();
    const before = await state();
    for (const { id } of [pending, expired])
      expect(refused(await attach(number, id), 409, "CAMPAIGN_NOT_ACTIVE")).not.toHaveProperty("details");
    expect(refused(await attach(number, unverified.id), 409, "BRAND_NOT_VERIFIED")).not.toHaveProperty("details");
    for (const id of [unknown, foreign.id]) refused(await attach(number, id), 404, "NOT_FOUND");
    refused(await attach(number, "none"), 422, "VALIDATION_FAILED");
    refused(await attach("none", foreign.id), 400, "VALIDATION_FAILED");
    expect(await state()).toBe(before);
  });

  it("is let go of though it has expired, or its brand is not verified any more", async () => {
    const { held, campaign, attach, detach, expire, fail } = await begin();
    const number = await held(first);
    const { id, brand } = await campaign();
    await attach(number, id);
    await expire(id);
    await fail(brand);
    expect((await detach(number)).status).toBe(200);
  });
});

describe("a number", () => {
  it("that is not assigned gets no campaign, and keeps the one that it has", async () => {
    const { held, campaign, attach, detach, update, assign, read, state } = await begin();
    const [free, attached] = [await held(first), await held(second)];
    const { id } = await campaign();
    await attach(attached, id);
    expect((await assign(free, false)).body.data).toEqual({ id: free, status: "pending" });
    await assign(attached, false);
    expect((await read(free)).body.data.status).toBe("pending");
    const before = await state();
    for (const answer of [await attach(free, id), await detach(attached), await update(free, { campaign_id: id })])
      expect(refused(answer, 409, "NUMBER_NOT_ASSIGNED")).not.toHaveProperty("details");
    expect(await state()).toBe(before);
    expect((await assign(attached, true)).body.data.status).toBe(assignedNumber);
    expect((await detach(attached)).status).toBe(200);
    refused(await assign(unknown, true), 404, "SANDBOX_NOT_FOUND");
  });

  it("of another organization, and one that was released, is not found", async () => {
    const { held, campaign, attach, detach, release } = await begin();
    const stranger = await member();
    const number = await held(first);
    const own = await campaign();
    const theirs = await stranger.campaign();
    await attach(number, own.id);
    for (const answer of [await stranger.attach(number, theirs.id), await stranger.detach(number)])
      refused(answer, 404, "NOT_FOUND");
    await release(number);
    for (const answer of [await attach(number, own.id), await detach(number)]) refused(answer, 404, "NOT_FOUND");
  });

  it("whose campaign is attached and detached while it is released, or its campaign expires, ends as the last left it", async () => {
    const { held, campaign, attach, detach, release, read, expire, told } = await begin();
    const number = await held(first);
    const [a, b] = [await campaign(), await campaign()];
    const answers = await Promise.all([attach(number, a.id), attach(number, a.id), attach(number, b.id)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 409, "CONFLICT");
    expect(await told()).toBe(answers.filter(({ status }) => status === 200).length);
    await detach(number);
    const [attached] = await Promise.all([attach(number, a.id), expire(a.id)]);
    expect((await read(number)).body.data.campaign_id).toBe(attached.status === 200 ? a.id : null);
    await Promise.all([attach(number, b.id), release(number), detach(number), attach(number, b.id)]);
    refused(await read(number), 404, "NOT_FOUND");
  });
});
