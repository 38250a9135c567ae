import { afterEach, describe, expect, it } from "vitest";
import { constants } from "../../generated/constants.ts";
import { eventType } from "../../generated/events.ts";
import { bounds } from "../../generated/limits.ts";
import { microsInCent } from "../domain/wallet/wallet.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const price = bounds.brandRegistrationCents * microsInCent;
const unknown = "0190a0b0-0000-7000-8000-000000000000";
const { verifiedBrand, vettedBrand, pendingCampaign, activeCampaign, expiredCampaign } = constants;

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer();
  return member(arrangement);
}

/** An organization with a manual clock, and an endpoint that nobody serves for all that is told of registrations. */
async function member(arrangement: object = {}) {
  const arranged = { clock: "manual", wallet_micros: 10 * price, ...arrangement };
  const { id, key: token } = await server.organization(arranged);
  const { brandVetted, brandVettingFailed, campaignApproved, campaignRejected, campaignShared } = eventType;
  const events = [brandVetted, brandVettingFailed, campaignApproved, campaignRejected, campaignShared];
  await server.call("POST", "/v1/webhooks", { token, body: { url: "http://127.0.0.1:9/", events } });
  const advance = (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds });
  const register = () => server.call("POST", "/v1/brands", { token, body: { name: "Corner Bakery" } });
  const verify = (brand: string, verdict: string) =>
    server.sandbox("POST", `/organizations/${id}/brands/${brand}/verify`, { verdict });
  const campaign = (brand_id: string) =>
    server.call("POST", "/v1/campaigns", { token, body: { brand_id, description: "Tells of orders." } });
  return {
    ...{ id, advance, register, verify, campaign },
    read: async (path: string) => server.call("GET", `/v1/${path}`, { token }),
    move: (campaign: string, to: string) =>
      server.sandbox("POST", `/organizations/${id}/campaigns/${campaign}/move`, { to }),
    turn: (is_reseller: unknown) => server.call("PATCH", "/v1/organization", { token, body: { is_reseller } }),
    async verified(): Promise<string> {
      const { id } = (await register()).body.data;
      await verify(id, verifiedBrand);
      return id;
    },
    async state() {
      const { wallet_micros, digest } = (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;
      return { wallet: wallet_micros, digest };
    },
    /** Types of the events that were attempted, the first first. */
    async told(): Promise<readonly string[]> {
      await advance(0);
      const { data } = (await server.call("GET", "/v1/webhooks/deliveries", { token })).body;
      const records: readonly { readonly event_id: string; readonly event_type: string }[] = data.toReversed();
      return [...new Map(records.map(({ event_id, event_type }) => [event_id, event_type])).values()];
    },
  };
}

describe("a brand", () => {
  it("is charged, verified later, told of, and read by its organization alone", async () => {
    const { register, read, advance, state, told } = await begin();
    const made = await register();
    const shown = { id: expect.any(String), name: "Corner Bakery", created_at: expect.any(String) };
    expect([made.status, made.body.data]).toEqual([201, { ...shown, identity_status: "SELF_DECLARED" }]);
    expect(await state()).toMatchObject({ wallet: 9 * price });
    expect([(await read(`brands/${made.body.data.id}`)).body.data, await told()]).toEqual([made.body.data, []]);
    await advance(86_400);
    const later = await read(`brands/${made.body.data.id}`);
    expect(later.body.data).toEqual({ ...made.body.data, identity_status: verifiedBrand });
    expect(await told()).toEqual([eventType.brandVetted]);
    expect(await state()).toMatchObject({ wallet: 9 * price });
    const stranger = await member();
    refused(await stranger.read(`brands/${made.body.data.id}`), 404, "NOT_FOUND");
    refused(await read(`brands/${unknown}`), 404, "NOT_FOUND");
    refused(await read("brands/none"), 400, "VALIDATION_FAILED");
  });

  it("keeps what the sandbox had its verification come to", async () => {
    const { register, verify, read, advance, told } = await begin();
    const { id } = (await register()).body.data;
    expect((await verify(id, "failed")).body.data).toEqual({ id, identity_status: "UNVERIFIED" });
    await advance(86_400);
    expect((await read(`brands/${id}`)).body.data.identity_status).toBe("UNVERIFIED");
    expect((await verify(id, vettedBrand)).body.data.identity_status).toBe(vettedBrand);
    expect(await told()).toEqual([eventType.brandVettingFailed, eventType.brandVetted]);
    refused(await verify(unknown, vettedBrand), 404, "SANDBOX_NOT_FOUND");
    refused(await verify(id, "UNVERIFIED"), 422, "INVALID_ARRANGEMENT");
    refused(
      await server.sandbox("POST", `/organizations/${unknown}/brands/${id}/verify`, { verdict: "failed" }),
      404,
      "SANDBOX_NOT_FOUND",
    );
  });

  it("is the only one without reseller mode, whatever became of it, and a refused one costs nothing", async () => {
    const { register, verify, state } = await begin();
    const { id } = (await register()).body.data;
    await verify(id, "failed");
    const before = await state();
    expect(refused(await register(), 422, "RESELLER_REQUIRED")).not.toHaveProperty("details");
    expect(await state()).toEqual(before);
  });

  it("is one of as many as a reseller's wallet covers, however many are registered at once", async () => {
    const { register, state } = await begin({ is_reseller: true, wallet_micros: 3 * price });
    const answers = await Promise.all(Array.from({ length: 6 }, register));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402, 402]);
    expect(await state()).toMatchObject({ wallet: 0 });
  });

  it("is refused, and changes nothing, where the wallet does not cover it", async () => {
    const { register, state } = await begin({ wallet_micros: price - 1 });
    const before = await state();
    expect(refused(await register(), 402, "INSUFFICIENT_CREDIT")).not.toHaveProperty("details");
    expect(await state()).toEqual(before);
  });
});

describe("a campaign", () => {
  it("waits for its review, becomes active, is told of, and is read by its organization alone", async () => {
    const { verified, campaign, read, advance, told } = await begin();
    const brand_id = await verified();
    const made = await campaign(brand_id.toUpperCase());
    const shown = { id: expect.any(String), brand_id, description: "Tells of orders.", created_at: expect.any(String) };
    expect([made.status, made.body.data]).toEqual([201, { ...shown, status: pendingCampaign }]);
    await advance(86_400);
    const later = await read(`campaigns/${made.body.data.id}`);
    expect(later.body.data).toEqual({ ...made.body.data, status: activeCampaign });
    const { brandVetted, campaignApproved, campaignShared } = eventType;
    expect((await told()).toSorted()).toEqual([brandVetted, campaignApproved, campaignShared]);
    const stranger = await member();
    refused(await stranger.read(`campaigns/${made.body.data.id}`), 404, "NOT_FOUND");
    refused(await read(`campaigns/${unknown}`), 404, "NOT_FOUND");
    refused(await read("campaigns/none"), 400, "VALIDATION_FAILED");
  });

  it("is refused, and changes nothing, for a brand that is not verified, and for one that is not the caller's", async () => {
    const { register, verify, campaign, state } = await begin();
    const { id } = (await register()).body.data;
    for (const conclude of [async () => undefined, () => verify(id, "failed")]) {
      await conclude();
      const before = await state();
      expect(refused(await campaign(id), 409, "BRAND_NOT_VERIFIED")).not.toHaveProperty("details");
      expect(await state()).toEqual(before);
    }
    await verify(id, vettedBrand);
    expect((await campaign(id)).status).toBe(201);
    const stranger = await member();
    const foreign = refused(await stranger.campaign(id), 404, "NOT_FOUND");
    expect(refused(await stranger.campaign(unknown), 404, "NOT_FOUND").message).toBe(foreign.message);
  });

  it("is moved on by the sandbox, never back, and stays where it was put", async () => {
    const { verified, campaign, move, read, advance, told } = await begin();
    const brand = await verified();
    const made = async () => (await campaign(brand)).body.data.id as string;
    const [waiting, expired, rejected] = [await made(), await made(), await made()];
    expect((await move(waiting, pendingCampaign)).body.data).toEqual({ id: waiting, status: pendingCampaign });
    expect((await move(expired, expiredCampaign)).body.data.status).toBe(expiredCampaign);
    expect((await move(rejected, "rejected")).body.data.status).toBe("REJECTED");
    await advance(86_400);
    const statuses = [];
    for (const id of [waiting, expired, rejected]) statuses.push((await read(`campaigns/${id}`)).body.data.status);
    expect(statuses).toEqual([pendingCampaign, expiredCampaign, "REJECTED"]);
    for (const to of [pendingCampaign, activeCampaign, "rejected"])
      refused(await move(expired, to), 409, "ILLEGAL_TRANSITION");
    refused(await move(rejected, activeCampaign), 409, "ILLEGAL_TRANSITION");
    refused(await move(unknown, activeCampaign), 404, "SANDBOX_NOT_FOUND");
    const { brandVetted, campaignApproved, campaignShared, campaignRejected } = eventType;
    expect((await told()).toSorted()).toEqual([brandVetted, campaignApproved, campaignRejected, campaignShared]);
  });
});

describe("reseller mode", () => {
  it("is turned on and off in a commercial organization that has no brand, as often as anybody likes", async () => {
    const { turn, register } = await begin();
    for (const on of [true, true, false, false, true])
      expect((await turn(on)).body.data).toEqual({ id: expect.any(String), kind: "commercial", is_reseller: on });
    expect([(await register()).status, (await register()).status]).toEqual([201, 201]);
  });

  it("is not turned on in a personal organization, nor off where there is a brand", async () => {
    const personal = await begin({ kind: "personal" });
    const reseller = await member({ is_reseller: true });
    await reseller.register();
    for (const [{ turn, state }, wanted, code] of [
      [personal, true, "RESELLER_NOT_ELIGIBLE"],
      [reseller, false, "RESELLER_HAS_BRANDS"],
    ] as const) {
      const before = await state();
      expect(refused(await turn(wanted), 422, code)).not.toHaveProperty("details");
      expect(await state()).toEqual(before);
      refused(await turn("yes"), 422, "VALIDATION_FAILED");
      expect((await turn(undefined)).status).toBe(200);
      expect(await state()).toEqual(before);
    }
  });
});
