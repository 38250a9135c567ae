import { afterEach, describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { eventType } from "../../generated/events.ts";
import { scopes } from "../../generated/scopes.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const path = "/v1/consent/double-opt-in";
const phone_number = "+12025550130";
const source = "web form";
const start = "2030-01-01T17:00:00.000Z";
const life = Number(referenceChoices.doubleOptInHours) * 3600;

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer();
  return member(arrangement);
}

/** An organization with a manual clock, and an endpoint that nobody serves for the two events. */
async function member(arrangement: object = {}) {
  const arranged = { clock: "manual", starts_at: start, wallet_micros: 1_000_000, ...arrangement };
  const { id, key: token } = await server.organization(arranged);
  const events = [eventType.consentPendingConfirmed, eventType.consentPendingExpired];
  const made = await server.call("POST", "/v1/webhooks", { token, body: { url: "http://127.0.0.1:9/", events } });
  expect(made.status).toBe(201);
  return {
    id,
    ask: (body: object = {}) => server.call("POST", path, { token, body: { phone_number, source, ...body } }),
    async reply(text: string): Promise<void> {
      const answer = await server.sandbox("POST", `/organizations/${id}/inbound`, { from: phone_number, text });
      expect(answer.status).toBe(200);
    },
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    known: () => server.store.atomically(id, (tx) => tx.consents.of(phone_number)),
    digest: async () => (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.digest,
    /** Types of the events that were attempted, the first first. */
    async told(): Promise<readonly string[]> {
      await server.sandbox("POST", `/organizations/${id}/advance`, { seconds: 0 });
      const { data } = (await server.call("GET", "/v1/webhooks/deliveries", { token })).body;
      const records: readonly { readonly event_id: string; readonly event_type: string }[] = data.toReversed();
      return [...new Map(records.map(({ event_id, event_type }) => [event_id, event_type])).values()];
    },
  };
}

describe("a double opt-in", () => {
  it("tells who is asked and until when, and is no consent", async () => {
    const { ask, known, told } = await begin();
    const asked = await ask();
    const expires_at = new Date(Date.parse(start) + life * 1000).toISOString();
    const shown = { id: expect.any(String), phone_number, source, created_at: start, expires_at };
    expect([asked.status, asked.body.data]).toEqual([202, shown]);
    expect([await known(), await told()]).toEqual([null, []]);
  });

  it("is confirmed by YES until it expires, once, and told so", async () => {
    const { ask, reply, advance, known, told } = await begin();
    await ask();
    await advance(life - 0.001);
    await reply("YES");
    expect(await known()).toMatchObject({ state: "opted-in", source });
    await reply("YES");
    await advance(life);
    expect(await told()).toEqual([eventType.consentPendingConfirmed]);
  });

  it("expires when its time has come, is told so once, and is confirmed by nothing then", async () => {
    const { ask, reply, advance, known, told } = await begin();
    await ask();
    await advance(life);
    await reply("YES");
    expect(await known()).toBeNull();
    await advance(life);
    expect(await told()).toEqual([eventType.consentPendingExpired]);
  });

  it("is the same while it is pending, and another one afterwards", async () => {
    const { ask, advance } = await begin();
    const first = (await ask()).body.data;
    await advance(10);
    expect((await ask({ source: "another form" })).body.data).toEqual(first);
    await advance(life);
    expect((await ask()).body.data.id).not.toBe(first.id);
  });

  it("is its organization's alone", async () => {
    const [ours, others] = [await begin(), await member()];
    for (const { ask } of [ours, others]) await ask();
    await ours.reply("YES");
    expect([await ours.known(), await others.known()]).toMatchObject([{ state: "opted-in" }, null]);
  });

  it("is over at once when its recipient replies STOP, is told so once, and sends no text any more", async () => {
    const { id, ask, reply, advance, known, told } = await begin();
    await ask();
    await reply("STOP");
    expect(await known()).toMatchObject({ state: "opted-out" });
    expect(await told()).toEqual([eventType.consentPendingExpired]);
    await reply("YES");
    await advance(life);
    expect(await told()).toEqual([eventType.consentPendingExpired]);
    expect((await server.store.resources(id))?.doubleOptIns.map(({ state }) => state)).toEqual(["expired"]);
    expect(server.logged.join("")).not.toContain("a double opt-in has moved on");
  });

  it("is refused for who has opted out, and open to dormant plans", async () => {
    const { ask, reply, digest } = await begin({ dormant_plan: true });
    await reply("STOP");
    const before = await digest();
    expect(refused(await ask(), 422, "VALIDATION_FAILED").details).toHaveProperty("phone_number");
    expect(await digest()).toBe(before);
    await reply("START");
    expect((await ask()).status).toBe(202);
  });

  it.each([
    ["a number without its calling code", { phone_number: "2025550130" }, "phone_number"],
    ["no source", { source: "" }, "source"],
  ])("refuses %s by name", async (_what, body, name) => {
    const { ask, digest } = await begin();
    const before = await digest();
    expect(Object.keys(refused(await ask(body), 422, "VALIDATION_FAILED").details)).toEqual([name]);
    expect(await digest()).toBe(before);
  });

  it("takes the scope for consent", async () => {
    server = await startTestServer();
    const others = scopes.filter((scope) => scope !== "consent:write");
    const { key: token } = await server.organization({ clock: "manual" }, others);
    refused(await server.call("POST", path, { token, body: { phone_number, source } }), 403, "FORBIDDEN");
  });
});
