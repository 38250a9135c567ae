import { afterEach, describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const price = Number(referenceChoices.segmentPriceMicros);
/** Noon in New York. */
const start = Date.UTC(2030, 0, 1, 17);
const [leaving, staying] = ["+12025550130", "+12025550131"] as const;
const funds = 50 * price;

let server: TestServer;
afterEach(() => server.close());

/** An organization to which both recipients have consented. */
async function begin(arrangement: object = {}) {
  server = await startTestServer();
  const { id, key: token } = await server.organization({
    ...{ clock: "manual", starts_at: new Date(start).toISOString(), wallet_micros: funds },
    limits: { messageSendsPerSecond: { capacity: 100, period_seconds: 1 } },
    ...arrangement,
  });
  const post = async (path: string, body?: object) =>
    (await server.call("POST", path, { token, ...(body ? { body } : {}) })).body.data;
  for (const phone_number of [leaving, staying]) await post("/v1/consent", { phone_number, source: "form" });
  return {
    send: async (to: string, scheduled_at?: string): Promise<string> =>
      (await post("/v1/messages", { to, body: "Hello.", ...(scheduled_at ? { scheduled_at } : {}) })).id,
    status: async (message: string): Promise<string> =>
      (await server.call("GET", `/v1/messages/${message}`, { token })).body.data.status,
    cancel: (message: string) => server.call("DELETE", `/v1/messages/${message}`, { token }),
    erase: () => post(`/v1/contacts/${leaving}/erase`),
    reply: (text: string) => server.sandbox("POST", `/organizations/${id}/inbound`, { from: leaving, text }),
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    wallet: async (): Promise<number> =>
      (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.wallet_micros,
  };
}

const later = new Date(start + 3_600_000).toISOString();

describe.each(["STOP", "erasure"] as const)("what waits for a recipient when they leave by %s", (way) => {
  it("is canceled and given back once, and nobody else's is", async () => {
    const { send, status, cancel, erase, reply, advance, wallet } = await begin();
    const leave = way === "STOP" ? () => reply("STOP") : erase;
    const [gone, another, kept] = [await send(leaving, later), await send(leaving, later), await send(staying, later)];
    await leave();
    expect(await Promise.all([gone, another, kept].map(status))).toEqual(["canceled", "canceled", "scheduled"]);
    expect(await wallet()).toBe(funds - price);
    await leave();
    expect((await cancel(gone)).status).toBe(200);
    expect(await wallet()).toBe(funds - price);
    await advance(7200);
    expect(await Promise.all([gone, another, kept].map(status))).toEqual(["canceled", "canceled", "delivered"]);
  });

  it("stays what it is where it is on its way, or was canceled before", async () => {
    const { send, status, cancel, erase, reply, advance, wallet } = await begin();
    const canceled = await send(leaving, later);
    await cancel(canceled);
    const sent = await send(leaving);
    await advance(0);
    await (way === "STOP" ? reply("STOP") : erase());
    expect(await Promise.all([canceled, sent].map(status))).toEqual(["canceled", "sent"]);
    await advance(5);
    expect(await status(sent)).toBe("delivered");
    expect(await wallet()).toBe(funds - price);
  });

  it("goes out or is given back where its time comes at that moment", async () => {
    const { send, status, cancel, erase, reply, wallet } = await begin({ clock: "real", starts_at: undefined });
    const ids = await Promise.all(Array.from({ length: 20 }, () => send(leaving)));
    await Promise.all([...ids.slice(0, 5).map(cancel), way === "STOP" ? reply("STOP") : erase()]);
    const ends = async () => Promise.all(ids.map(status));
    await expect
      .poll(async () => (await ends()).filter((end) => end !== "delivered" && end !== "canceled"))
      .toEqual([]);
    const delivered = (await ends()).filter((end) => end === "delivered").length;
    expect(await wallet()).toBe(funds - delivered * price);
  });
});

it("a reply that is no opt-out leaves what waits", async () => {
  const { send, status, reply } = await begin();
  const id = await send(leaving, later);
  for (const text of ["START", "Please stop"]) await reply(text);
  expect(await status(id)).toBe("scheduled");
});
