import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { World } from "../domain/world.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const path = "/v1/consent/hosted";
const phone_number = "+12025550130";
const [source, sender_name] = ["checkout", "Tom's <Bakery>"];
const start = Date.UTC(2030, 0, 1);
const week = 7 * 24 * 3_600;
/** Stands still, so that no limit refills on a slow machine. */
const world: World = { now: () => start, randomBytes, newId: randomUUID };

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer({ world });
  const { id, key: token } = await server.organization({
    ...{ clock: "manual", starts_at: new Date(start).toISOString() },
    ...arrangement,
  });
  const make = (body: object = {}) =>
    server.call("POST", path, { token, body: { phone_number, source, sender_name, ...body } });
  return {
    make,
    /** The address of a new form. */
    form: async (): Promise<string> => (await make()).body.data.url,
    known: () => server.store.atomically(id, (tx) => tx.consents.of(phone_number)),
    reply: (text: string) => server.sandbox("POST", `/organizations/${id}/inbound`, { from: phone_number, text }),
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    digest: async () => (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.digest,
  };
}

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });
const submit = (url: string, fields = "agree=yes") =>
  open(url, { method: "POST", body: fields, headers: { "content-type": "application/x-www-form-urlencoded" } });

describe("a hosted form", () => {
  it("is a page at an address that is shown once and kept nowhere", async () => {
    const { make } = await begin();
    const { status, body } = await make();
    const [created_at, expires_at] = [start, start + week * 1000].map((at) => new Date(at).toISOString());
    const shown = { id: expect.any(String), phone_number, url: expect.any(String), created_at, expires_at };
    expect([status, body.data]).toEqual([201, shown]);
    expect(body.data.url).toMatch(new RegExp(`^${server.url}/opt-in/[\\w-]{32}$`));
    const page = await open(body.data.url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("Tom&#39;s &lt;Bakery&gt;");
    expect(server.logged.join("")).not.toContain(body.data.url.split("/").at(-1));
  });

  it("is no consent until it is submitted, once", async () => {
    const { form, known, digest, advance } = await begin();
    const url = await form();
    await open(url);
    expect(await known()).toBeNull();
    const sent = await submit(url);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, new URL(url).pathname]);
    expect(await known()).toMatchObject({ state: "opted-in", source, capturedAt: start });
    const after = await digest();
    await advance(1);
    expect((await submit(url)).status).toBe(303);
    expect(await digest()).toBe(after);
    expect(await (await open(url)).text()).toContain("Thank you");
  });

  it("cannot bring back who has opted out after submitting it", async () => {
    const { form, known, reply } = await begin();
    const url = await form();
    await submit(url);
    await reply("STOP");
    await submit(url);
    expect(await known()).toMatchObject({ state: "opted-out" });
  });

  it("says what is missing to who sends it without a tick", async () => {
    const { form, known } = await begin();
    const url = await form();
    for (const fields of ["", "agree=no", "agree", "{}"]) {
      const sent = await submit(url, fields);
      expect([sent.status, await sent.text()]).toEqual([422, expect.stringContaining('role="alert"')]);
    }
    expect(await known()).toBeNull();
  });

  it("expires", async () => {
    const { form, known, advance } = await begin();
    const url = await form();
    await advance(week - 0.001);
    expect((await open(url)).status).toBe(200);
    await advance(0.001);
    expect([(await open(url)).status, (await submit(url)).status]).toEqual([410, 410]);
    expect(await known()).toBeNull();
  });

  it("is found by its whole address alone, and only opened and submitted", async () => {
    const { form, known } = await begin();
    const url = await form();
    for (const other of [url.slice(0, -1), `${url}x`, `${server.url}/opt-in/${"A".repeat(32)}`]) {
      expect((await submit(other)).status).toBe(404);
    }
    for (const method of ["PUT", "DELETE", "OPTIONS"]) expect((await open(url, { method })).status).toBe(405);
    expect((await open(url, { method: "HEAD" })).status).toBe(200);
    expect(await known()).toBeNull();
  });

  it("takes no more than its fields, and not more often than anybody needs", async () => {
    const { form, known } = await begin();
    const url = await form();
    expect((await submit(url, `agree=yes&more=${"x".repeat(5_000)}`)).status).toBe(413);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) statuses.push((await open(url)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(29);
    const late = await submit(url);
    expect([late.status, Number(late.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(await known()).toBeNull();
  });

  it("lets nothing in and is shown within nothing", async () => {
    const { form } = await begin();
    const { headers } = await open(await form());
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(["cache-control", "referrer-policy", "x-content-type-options"].map((name) => headers.get(name))).toEqual([
      "no-store",
      "no-referrer",
      "nosniff",
    ]);
  });

  it("is for dormant plans too, and refuses what is no number or no name", async () => {
    const { make, digest } = await begin({ dormant_plan: true });
    expect((await make()).status).toBe(201);
    const before = await digest();
    for (const [name, value] of [
      ["phone_number", "2025550130"],
      ["sender_name", ""],
      ["sender_name", "x".repeat(101)],
      ["source", ""],
    ] as const)
      expect(Object.keys(refused(await make({ [name]: value }), 422, "VALIDATION_FAILED").details)).toEqual([name]);
    expect(await digest()).toBe(before);
  });
});
