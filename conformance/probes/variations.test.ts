import { expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import { finding } from "../reports/made-up-run.ts";
import { stepOf } from "../story/stories.ts";
import { variations } from "./variations.ts";

const base = "http://127.0.0.1:1";

const call = (
  operation: string,
  method: string,
  path: string,
  more: Partial<Exchange["request"]> = {},
  id?: string,
): Exchange => ({
  ...{ number: 1, operation, sentAt: 1, answeredAt: 2 },
  request: { method, url: base + path, headers: { authorization: "Bearer key-1" }, body: null, ...more },
  outcome: {
    ...{ kind: "response", status: 200, headers: {}, text: "", truncated: false },
    json: { success: true, data: id === undefined ? {} : { id } },
  },
});

/** The ways in which a call can be changed, each with what becomes of it. */
const variantsOf = (shown: Exchange, ...before: readonly Exchange[]) =>
  variations.flatMap((variation) =>
    variation.of(
      {
        finding: { ...finding("KEYC-15", "a.check", "fail"), at: [] },
        steps: [...before, shown].map(stepOf),
        secrets: ["key-1", "key-2"],
      },
      shown,
    ),
  );

test("another number is one that was named before, or else one that nobody has named", () => {
  const path = (number: string): string => `/v1/contacts/${encodeURIComponent(number)}/erase`;
  const shown = call("eraseContact", "POST", path("+12025550170"));
  expect(variantsOf(shown)).toEqual([{ how: "with another contact_number", change: { path: path("+12025550171") } }]);
  expect(variantsOf(shown, call("eraseContact", "POST", path("+14165550177")))[0]?.change).toEqual({
    path: path("+14165550177"),
  });
  const body = JSON.stringify({ phone_number: "+12025550123" });
  expect(variantsOf(call("createLookup", "POST", "/v1/lookup", { body }))).toEqual([
    { how: "with another phone_number", change: { body: JSON.stringify({ phone_number: "+12025550124" }) } },
  ]);
});

test("another record is one that the caller made and that is still there", () => {
  const made = (id: string) => call("createWebhookEndpoint", "POST", "/v1/webhooks", { body: "{}" }, id);
  const shown = call("testWebhookEndpoint", "POST", "/v1/webhooks/a1/test");
  expect(variantsOf(shown, made("a1"), made("b2"))).toEqual([
    { how: "with another id", change: { path: "/v1/webhooks/b2/test" } },
  ]);
  const gone = call("deleteWebhookEndpoint", "DELETE", "/v1/webhooks/b2");
  expect(variantsOf(shown, made("a1"), made("b2"), gone)).toEqual([]);
});

test("what a query can do without is left out together, and then one by one", () => {
  const from = "2026-01-01T00:00:00.000Z";
  const shown = call(
    "getLookupMetrics",
    "GET",
    `/v1/metrics/lookup?granularity=hour&limit=2&from=${encodeURIComponent(from)}`,
  );
  const told = variantsOf(shown).map(({ how, change, partOf }) => [how, change.path, partOf ?? null]);
  const all = "without ?granularity, ?limit, ?from";
  expect(told).toEqual([
    [all, "/v1/metrics/lookup", null],
    ...["granularity", "limit", "from"].map((name) => [
      `without ?${name}`,
      expect.not.stringContaining(`${name}=`),
      all,
    ]),
  ]);
});

test("a window is made longer at either end", () => {
  const shown = call(
    "getLookupMetrics",
    "GET",
    "/v1/metrics/lookup?from=2026-01-01T00:00:00.000Z&to=2026-01-01T02:00:00.000Z",
  );
  expect(variantsOf(shown).slice(0, 2)).toEqual([
    {
      how: "with ?from an hour earlier",
      change: { path: expect.stringContaining("from=2025-12-31T23%3A00%3A00.000Z&to=2026-01-01T02") },
    },
    { how: "with ?to an hour later", change: { path: expect.stringContaining("to=2026-01-01T03%3A00%3A00.000Z") } },
  ]);
});

test("an idempotency key is made anew, and what a body can do without is left out", () => {
  const headers = { authorization: "Bearer key-1", "Idempotency-Key": "used" };
  const body = JSON.stringify({ to: "+12025550141", body: "Hello", scheduled_at: null });
  const told = variantsOf(call("sendMessage", "POST", "/v1/messages", { headers, body }));
  expect(told.map(({ how }) => how)).toEqual(expect.arrayContaining(["with another to", "without scheduled_at"]));
});

test("a figure of a body is ten times as large, each by itself", () => {
  const body = { enabled: true, threshold_cents: 500, product_id: "usd_50" };
  const told = variantsOf(
    call("setAutoTopUp", "PUT", "/v1/billing/wallet/auto-topup", { body: JSON.stringify(body) }),
  ).filter(({ how }) => how.startsWith("with "));
  expect(told).toEqual([
    {
      how: "with threshold_cents 5000",
      change: { body: JSON.stringify({ ...body, threshold_cents: 5000 }) },
    },
  ]);
});

test("a moment of a body may be an hour later", () => {
  const body = { to: "+12025550141", scheduled_at: "2026-01-01T08:00:00.000Z", body: "2026-01-01" };
  const shown = call("sendMessage", "POST", "/v1/messages", { body: JSON.stringify(body) });
  const [later, ...others] = variantsOf(shown).filter(({ how }) => how.includes("later"));
  expect(others).toEqual([]);
  expect(later).toEqual({
    how: "with scheduled_at an hour later",
    change: { body: JSON.stringify({ ...body, scheduled_at: "2026-01-01T09:00:00.000Z" }) },
  });
});
