import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arbitraryBreaching, breaches } from "../compiler/schema/break-one-constraint.ts";
import type { JsonSchema } from "../compiler/schema/json-schema.ts";
import { rowAllows, rowNamed } from "../conformance/exchange/admits.ts";
import { referenceChoices } from "../generated/choices.ts";
import type { ErrorRowName } from "../generated/error-rows.ts";
import { type OperationId, operations } from "../generated/operations.ts";
import { components, operationSchemas } from "../generated/schemas.ts";
import { bodyLimit } from "../reference-server/http/read-body.ts";
import { startTestServer, type TestAnswer, type TestServer } from "../reference-server/test-server.ts";

const now = Date.UTC(2030, 0, 1, 17);
const second = 1_000;
const day = 86_400 * second;
const known = "+12025550130";
const latest = Number(referenceChoices.scheduleDays) * day;
const at = (time: number): string => new Date(time).toISOString();

/** A body with which each operation succeeds; null for one without a body. */
const sound = {
  sendMessage: { to: known, body: "Hello.", scheduled_at: at(now + day) },
  createLookup: { phone_number: known },
  captureConsent: { phone_number: known, source: "form" },
  captureConsentBatch: { records: [{ phone_number: known, source: "form" }] },
  requestDoubleOptIn: { phone_number: known, source: "form" },
  createHostedForm: { phone_number: known, source: "form", sender_name: "Bakery" },
  eraseContact: null,
} as const satisfies Partial<Readonly<Record<OperationId, object | null>>>;

type Operation = keyof typeof sound;
const all = Object.keys(sound).filter((id): id is Operation => Object.hasOwn(sound, id));
const withBody = all.filter((id) => sound[id] !== null);

let server: TestServer;
let organization: { readonly id: string; readonly key: string };

beforeAll(async () => {
  server = await startTestServer();
  const roomy = { capacity: 100_000, period_seconds: 1 };
  const limits = {
    ...{ messageSendsPerSecond: roomy, messageSendsPerMinute: roomy },
    ...{ consentRecords: roomy, contactErasures: roomy },
  };
  const wallet_micros = 1_000_000_000;
  organization = await server.organization({ clock: "manual", starts_at: at(now), wallet_micros, limits });
  await call("captureConsent", sound.captureConsent);
});
afterAll(() => server.close());

const call = (id: Operation, body: unknown, number?: string): Promise<TestAnswer> =>
  callWithText(id, body === null ? null : JSON.stringify(body), number);

const callWithText = (id: Operation, text: string | null, number = known): Promise<TestAnswer> => {
  const { method, path } = operations[id];
  const of = path.replace("{contact_number}", encodeURIComponent(number));
  return server.call(method, of, { token: organization.key, ...(text === null ? {} : { body: text }) });
};

/** All that the organization has, and its money. */
const state = async () => (await server.sandbox("GET", `/organizations/${organization.id}/state`)).body.data;

/** Calls, and expects this refusal without any effect; `field` is what its details name. */
async function refusedAs(row: ErrorRowName, make: () => Promise<TestAnswer>, field?: string): Promise<void> {
  const before = await state();
  const { status, body } = await make();
  expect(body.error?.code).toBe(rowNamed(row).code);
  expect(rowAllows(rowNamed(row), status)).toBe(true);
  if (field !== undefined) expect(Object.keys(body.error.details)).toEqual([field]);
  expect(await state()).toEqual(before);
}

/** What the reference takes as the body of an operation. */
function schemaOf(id: Operation): JsonSchema {
  const { body, referenceBody } = operationSchemas[id];
  if (body === null) throw new Error(`${id} takes no body.`);
  return referenceBody === null ? body : { allOf: [body, referenceBody] };
}

describe.each(withBody)("%s", (id) => {
  it("succeeds with what is right", async () => {
    expect((await call(id, sound[id])).status).toBeLessThan(300);
  });

  const faults = breaches(schemaOf(id), components);
  it.each(faults.map((breach) => [breach.describe, breach] as const))("refuses a body where %s", async (_, breach) => {
    for (const body of fc.sample(arbitraryBreaching(breach), { numRuns: 8, seed: 1 }))
      await refusedAs("ValidationFailed", () => call(id, body));
  });

  it("refuses ten megabytes, and text that is no Unicode", async () => {
    expect(10_000_000).toBeGreaterThan(bodyLimit);
    const body = { ...sound[id], more: "m".repeat(10_000_000) };
    await refusedAs("PayloadTooLarge", () => call(id, body));
    for (const half of ["\\ud800", "\\udc00", "\\udc00\\ud800"]) {
      const text = JSON.stringify({ ...sound[id], more: "half" }).replace('"half"', `"${half}"`);
      await refusedAs("InvalidInput", () => callWithText(id, text));
    }
  });
});

/** The same body with another number in it. */
const toNumber = (id: Operation, number: string): Promise<TestAnswer> => {
  const body = JSON.parse(JSON.stringify(sound[id]).replaceAll(known, number));
  return call(id, body, number);
};

const field = {
  sendMessage: "to",
  createLookup: "phone_number",
  captureConsent: "phone_number",
  captureConsentBatch: "records.0.phone_number",
  requestDoubleOptIn: "phone_number",
  createHostedForm: "phone_number",
  eraseContact: "contact_number",
} as const satisfies Readonly<Record<Operation, string>>;

const rowOf = (id: Operation): ErrorRowName => (id === "eraseContact" ? "ValidationFailed400" : "ValidationFailed");

describe.each(all)("%s of a number", (id) => {
  it.each([
    "nobody",
    "911",
    "112",
    "12025550130",
    "+",
    "+0",
    "+0123456789",
    "+1 202 555 0130",
    "+1202555013a",
    "+1234567890123456",
  ])("that is none, %j, is refused by name", async (number) =>
    refusedAs(rowOf(id), () => toNumber(id, number), field[id]),
  );

  it("with a control character or a look-alike of a digit is refused by name", async () => {
    for (const number of [`${known}\n`, `\t${known}`, `+1202555013\u0000`, "+1202555013\u0660"])
      await refusedAs(
        rowOf(id),
        () => {
          const body = sound[id] === null ? null : setNumber(sound[id], number);
          return call(id, body, number);
        },
        field[id],
      );
  });
});

/** The same value with another number wherever there is one. */
const setNumber = (value: unknown, number: string): unknown =>
  JSON.parse(JSON.stringify(value), (_, part: unknown) => (part === known ? number : part));

const recipients = all.filter((id) => id !== "createLookup" && id !== "eraseContact");

describe.each(recipients)("%s of a number that is nobody's", (id) => {
  it.each([
    ...["+1911", "+911", "+1112", "+12345", "+447"],
    ...["+19115550123", "+12029110123", "+11235550123", "+12021550123", "+1202555012"],
  ])("%s is refused by name", async (number) => refusedAs(rowOf(id), () => toNumber(id, number), field[id]));
});

describe("a number elsewhere", () => {
  const elsewhere = ["+442071838750", "+33123456789", "+6421234567", "+18765230123"];

  it.each(elsewhere)("%s is not looked up, and not sent to without consent", async (number) => {
    await refusedAs("LookupUnsupportedRegion", () => toNumber("createLookup", number));
    await refusedAs("ConsentRequired", () => toNumber("sendMessage", number));
  });

  it.each(["+1911", "+19115550123"])("%s is not looked up", (number) =>
    refusedAs("LookupUnsupportedRegion", () => toNumber("createLookup", number)),
  );
});

describe("a message", () => {
  const send = (members: object) => call("sendMessage", { ...sound.sendMessage, ...members });

  it.each([
    ["at the last second", now + latest, null],
    ["one second too far ahead", now + latest + second, "scheduled_at"],
    ["in the past", now - 1, "scheduled_at"],
    ["now", now, null],
  ])("is taken or refused %s", async (_, time, fault) => {
    const sent = () => send({ scheduled_at: at(time) });
    if (fault === null) expect((await sent()).status).toBeLessThan(300);
    else await refusedAs("ValidationFailed", sent, fault);
  });

  it.each([
    ...["2030-01-02T12:00:00", "2030-01-02T12:00:00+25:00", "2030-01-02T12:00:00+01:60", "2030-01-02T12:00:00+1:00"],
    ...["2030-01-02T12:00:00[Europe/Nowhere]", "2030-01-02T12:00:00Z[Europe/Paris]", "2030-01-02T12:00:00 Nowhere"],
    ...["2030-02-30T12:00:00Z", "2030-01-02T24:00:00Z", "2030-01-02T12:60:00Z", "2030-01-02", "tomorrow", ""],
    ...["2030-01-02T12:00:00Z\n", "+012030-01-02T12:00:00Z", "1893456000"],
  ])("at %j, which is no time, is refused by name", (scheduled_at) =>
    refusedAs("ValidationFailed", () => send({ scheduled_at }), "scheduled_at"),
  );

  it.each(["\u0000", "a\u0007b", "\u001b[31m", "\u007f", "\u0085"])(
    "with the control character of %j is refused by name",
    (body) => refusedAs("ValidationFailed", () => send({ body }), "body"),
  );

  it("may have several lines, and any letters", async () => {
    for (const body of ["One.\n\tTwo.\r\n", "é€😀", "\u200e\ufeff"])
      expect((await send({ body })).status).toBeLessThan(300);
  });
});

describe.each(["captureConsent", "captureConsentBatch"] as const)("%s", (id) => {
  it.each(["2030-01-01T12:00:00+25:00", "2029-02-29T12:00:00Z", "0000-01-01T00:00:00+00:01", "yesterday"])(
    "at %j, which is no time, is refused by name",
    async (captured_at) => {
      const record = { ...sound.captureConsent, captured_at };
      const body = id === "captureConsent" ? record : { records: [record] };
      const name = id === "captureConsent" ? "captured_at" : "records.0.captured_at";
      await refusedAs("ValidationFailed", () => call(id, body), name);
    },
  );
});
