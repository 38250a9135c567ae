import { afterEach, describe, expect, it } from "vitest";
import { buckets } from "../../generated/limits.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const path = "/v1/consent";
const batchPath = `${path}/bulk`;
const phone_number = "+12025550130";
const source = "web form";
const start = "2030-01-01T00:00:00.000Z";

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer();
  const { id, key: token } = await server.organization({ clock: "manual", starts_at: start, ...arrangement });
  return {
    id,
    capture: (body: object = {}) => server.call("POST", path, { token, body: { phone_number, source, ...body } }),
    captureAll: (records: readonly object[]) =>
      server.call("POST", batchPath, { token, body: { records: records.map((record) => ({ source, ...record })) } }),
    known: (number = phone_number) => server.store.atomically(id, (tx) => tx.consents.of(number)),
    digest: async () => (await server.sandbox("GET", `/organizations/${id}/state`)).body.data.digest,
  };
}

describe("capturing a consent", () => {
  it("tells what was captured, and when", async () => {
    const { capture, known } = await begin();
    const now = await capture();
    expect([now.status, now.body.data]).toEqual([201, { phone_number, source, captured_at: start }]);
    expect(await known()).toMatchObject({ state: "opted-in", source, capturedAt: Date.parse(start) });
    const captured_at = "2029-12-31T01:00:00.5+01:00";
    expect((await capture({ captured_at })).body.data.captured_at).toBe("2029-12-31T00:00:00.500Z");
    // The earlier one says nothing new.
    expect(await known()).toMatchObject({ capturedAt: Date.parse(start) });
  });

  it("takes no consent for one of the future", async () => {
    const { capture } = await begin();
    expect((await capture({ captured_at: "2031-01-01T00:00:00Z" })).body.data.captured_at).toBe(start);
  });

  it.each([
    ["a number without its calling code", { phone_number: "2025550130" }, "phone_number"],
    ["a number with blanks", { phone_number: "+1 202 555 0130" }, "phone_number"],
    ["no source", { source: "" }, "source"],
    ["a time before all that can be shown", { captured_at: "0000-01-01T00:00:00+00:01" }, "captured_at"],
    ["a time without a zone", { captured_at: "2030-01-01T00:00:00" }, "captured_at"],
  ])("refuses %s by name", async (_what, body, name) => {
    const { capture, digest } = await begin();
    const before = await digest();
    const { details } = refused(await capture(body), 422, "VALIDATION_FAILED");
    expect(Object.keys(details)).toEqual([name]);
    expect(await digest()).toBe(before);
  });

  it("is not for dormant plans", async () => {
    const { capture, known } = await begin({ dormant_plan: true });
    refused(await capture(), 403, "PLAN_REQUIRED");
    expect(await known()).toBeNull();
  });

  it("draws on an allowance of its own", async () => {
    const { capture } = await begin({ limits: { consentRecords: { capacity: 2, period_seconds: 60 } } });
    expect(buckets.consentRecords.periodSeconds).toBe(60);
    expect([(await capture()).status, (await capture()).status]).toEqual([201, 201]);
    refused(await capture(), 429, "RATE_LIMITED");
  });
});

describe("capturing consents together", () => {
  const numbers = ["+12025550160", "+12025550161", "+12025550162"];
  const recordsOf = (some: readonly string[]) => some.map((each) => ({ phone_number: each }));
  const allowance = { limits: { consentRecords: { capacity: 3, period_seconds: 60 } } };

  it("keeps each of them, and tells them in their order", async () => {
    const { captureAll, known } = await begin();
    const { status, body } = await captureAll(recordsOf(numbers));
    expect(status).toBe(201);
    expect(body.data).toEqual({ records: numbers.map((each) => ({ phone_number: each, source, captured_at: start })) });
    for (const number of numbers) expect(await known(number)).toMatchObject({ state: "opted-in", source });
  });

  it("takes the latest of two of one recipient, wherever it stands", async () => {
    const { captureAll, known } = await begin();
    const later = { phone_number, captured_at: "2029-12-02T00:00:00Z" };
    await captureAll([later, { phone_number, captured_at: "2029-12-01T00:00:00Z" }]);
    expect(await known()).toMatchObject({ capturedAt: Date.parse(later.captured_at) });
  });

  it.each([
    ["a number that is none", { phone_number: "nobody" }, "records.1.phone_number"],
    ["a time before all that can be shown", { captured_at: "0000-01-01T00:00:00+00:01" }, "records.1.captured_at"],
  ])("keeps none of them where one has %s", async (_what, fault, name) => {
    const { captureAll, digest } = await begin();
    const before = await digest();
    const batch = [{ phone_number }, { phone_number, ...fault }, ...recordsOf(numbers)];
    expect(Object.keys(refused(await captureAll(batch), 422, "VALIDATION_FAILED").details)).toEqual([name]);
    expect(await digest()).toBe(before);
  });

  it("is not for dormant plans", async () => {
    const { captureAll, known } = await begin({ dormant_plan: true });
    refused(await captureAll([{ phone_number }]), 403, "PLAN_REQUIRED");
    expect(await known()).toBeNull();
  });

  it("draws for each record, and nothing for more than the allowance, which are refused by name", async () => {
    const { capture, captureAll, digest } = await begin(allowance);
    const before = await digest();
    const tooMany = await captureAll(recordsOf([...numbers, phone_number]));
    expect(Object.keys(refused(tooMany, 422, "VALIDATION_FAILED").details)).toEqual(["records"]);
    expect(await digest()).toBe(before);
    expect((await captureAll(recordsOf(numbers.slice(0, 2)))).status).toBe(201);
    refused(await captureAll(recordsOf(numbers.slice(0, 2))), 429, "RATE_LIMITED");
    expect((await capture()).status).toBe(201);
    refused(await capture(), 429, "RATE_LIMITED");
    // It would be refused whenever it came.
    refused(await captureAll(recordsOf([...numbers, phone_number])), 422, "VALIDATION_FAILED");
  });
});
