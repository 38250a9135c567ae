import { afterEach, describe, expect, it } from "vitest";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const phone_number = "+12025550170";
const start = "2030-01-01T00:00:00.000Z";

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer();
  const { id, key: token } = await server.organization({ clock: "manual", starts_at: start, ...arrangement });
  const post = (path: string, body?: object) => server.call("POST", path, { token, ...(body ? { body } : {}) });
  return {
    capture: () => post("/v1/consent", { phone_number, source: "form" }),
    ask: () => post("/v1/consent/double-opt-in", { phone_number, source: "form" }),
    erase: (number = phone_number) => post(`/v1/contacts/${number}/erase`),
    reply: (text: string) => server.sandbox("POST", `/organizations/${id}/inbound`, { from: phone_number, text }),
    form: async (number: string): Promise<string> => {
      const form = { phone_number: number, source: "checkout", sender_name: "Bakery" };
      return (await post("/v1/consent/hosted", form)).body.data.url;
    },
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    resources: () => server.store.resources(id),
    known: () => server.store.atomically(id, (tx) => tx.consents.of(phone_number)),
    pending: () => server.store.atomically(id, (tx) => tx.doubleOptIns.pending(phone_number)),
  };
}

describe("erasing a contact", () => {
  it("forgets the consent, and tells when", async () => {
    const { capture, erase, known } = await begin();
    await capture();
    const { status, body } = await erase();
    expect([status, body.data]).toEqual([200, { phone_number, erased_at: start }]);
    expect(await known()).toBeNull();
  });

  it("is done again, and for who is not known, all the same", async () => {
    const { erase } = await begin();
    expect([(await erase()).status, (await erase()).status]).toEqual([200, 200]);
  });

  it("does not forget that the contact has opted out", async () => {
    const { capture, erase, reply, known } = await begin();
    await capture();
    expect((await reply("STOP")).status).toBeLessThan(300);
    await erase();
    expect(await known()).toMatchObject({ state: "opted-out" });
  });

  it("forgets a double opt-in that waits for an answer, which nothing confirms any more", async () => {
    const { ask, erase, reply, advance, known, pending } = await begin();
    await ask();
    expect(await pending()).not.toBeNull();
    await erase();
    expect(await pending()).toBeNull();
    await reply("YES");
    expect(await known()).toBeNull();
    expect((await advance(90 * 86_400)).status).toBe(200);
  });

  it("forgets forms, submitted or not, which are no more when their recipient comes", async () => {
    const { form, erase, known, resources } = await begin();
    const [submitted, open, other] = [await form(phone_number), await form(phone_number), await form("+12025550171")];
    const submit = async (url: string) =>
      (await fetch(url, { method: "POST", body: new URLSearchParams({ agree: "yes" }), redirect: "manual" })).status;
    expect(await submit(submitted)).toBe(303);
    await erase();
    expect([await submit(submitted), await submit(open), await submit(other)]).toEqual([404, 404, 303]);
    expect(await known()).toBeNull();
    expect((await resources())?.hostedForms.map(({ phoneNumber }) => phoneNumber)).toEqual(["+12025550171"]);
  });

  it("forgets who answered before", async () => {
    const { ask, erase, reply, resources } = await begin();
    await ask();
    await reply("YES");
    await erase();
    expect((await resources())?.doubleOptIns).toEqual([]);
  });

  it("takes the plus sign of a number encoded too", async () => {
    const { capture, erase, known } = await begin();
    await capture();
    expect((await erase(encodeURIComponent(phone_number))).status).toBe(200);
    expect(await known()).toBeNull();
  });

  it.each(["nobody", "2025550170", "%2B", "+0123", "%201202"])("refuses %s, which is no number", async (number) => {
    const { erase } = await begin();
    const { details } = refused(await erase(number), 400, "VALIDATION_FAILED");
    expect(Object.keys(details)).toEqual(["contact_number"]);
  });

  it("is limited", async () => {
    const { erase } = await begin({ limits: { contactErasures: { capacity: 1, period_seconds: 3600 } } });
    expect((await erase()).status).toBe(200);
    refused(await erase(), 429, "RATE_LIMITED");
  });
});
