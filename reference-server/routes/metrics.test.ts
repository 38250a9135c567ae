import { afterEach, describe, expect, it } from "vitest";
import { bounds } from "../../generated/limits.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

/** Noon in New York. */
const start = Date.UTC(2030, 0, 1, 17);
const hour = 3_600_000;
const most = bounds.metricsWindowBuckets;

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}) {
  server = await startTestServer();
  return member(arrangement);
}

async function member(arrangement: object = {}) {
  const starts_at = new Date(start).toISOString();
  const { id, key: token } = await server.organization({
    ...{ clock: "manual", starts_at, wallet_micros: 1_000_000_000 },
    ...arrangement,
  });
  return {
    look: () => server.call("POST", "/v1/lookup", { token, body: { phone_number: "+12025550123" } }),
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    ask: (query: Readonly<Record<string, string | number>> = {}) =>
      server.call(
        "GET",
        `/v1/metrics/lookup?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
        { token },
      ),
  };
}

const at = (instant: number): string => new Date(instant).toISOString();

describe("metrics of lookups", () => {
  it("count what was done in each bucket by the clock of a zone, and show empty ones", async () => {
    const { look, advance, ask } = await begin();
    await look();
    await advance(8 * 3600);
    await look();
    await look();
    const asked = { from: at(start - 24 * hour), to: at(start + 24 * hour) };
    const days = await ask(asked);
    expect(days.body.data).toEqual([
      { starts_at: "2029-12-31T00:00:00.000Z", lookups: 0 },
      { starts_at: "2030-01-01T00:00:00.000Z", lookups: 1 },
      { starts_at: "2030-01-02T00:00:00.000Z", lookups: 2 },
    ]);
    expect(days.body.meta).toMatchObject({ total: 3, offset: 0 });
    const there = await ask({ ...asked, timezone: "America/New_York" });
    expect(there.body.data).toEqual([
      { starts_at: "2029-12-31T05:00:00.000Z", lookups: 0 },
      { starts_at: "2030-01-01T05:00:00.000Z", lookups: 3 },
      { starts_at: "2030-01-02T05:00:00.000Z", lookups: 0 },
    ]);
  });

  it("come on pages that follow each other in one window, though time goes on", async () => {
    const { look, advance, ask } = await begin();
    await look();
    const first = await ask({ limit: 20 });
    expect(first.body.meta).toMatchObject({ total: 31, limit: 20, offset: 0 });
    await advance(30 * 24 * 3600);
    const second = await ask({ limit: 20, cursor: first.body.meta.next_cursor });
    expect(second.body.meta).toEqual({ total: 31, limit: 20, offset: 20 });
    const all = [...first.body.data, ...second.body.data];
    expect(all.length).toBe(31);
    expect(all.at(-1)).toEqual({ starts_at: "2030-01-01T00:00:00.000Z", lookups: 1 });
  });

  it("take a cursor with the parameters of the page before only", async () => {
    const { look, ask } = await begin();
    await look();
    const { next_cursor: cursor } = (await ask({ limit: 2 })).body.meta;
    for (const changed of [{ limit: 3 }, { limit: 2, timezone: "UTC" }, { limit: 2, from: at(start - hour) }, {}])
      refused(await ask({ ...changed, cursor }), 422, "INVALID_INPUT");
    refused(await ask({ limit: 2, cursor: `${cursor}A` }), 422, "VALIDATION_FAILED");
    const stranger = await member();
    await stranger.look();
    refused(await stranger.ask({ limit: 2, cursor }), 422, "VALIDATION_FAILED");
    expect((await ask({ limit: 2, cursor })).status).toBe(200);
  });

  it("are refused before the first lookup, and where the plan or the bound does not allow them", async () => {
    const { look, ask } = await begin();
    refused(await ask(), 422, "METRIC_NOT_AVAILABLE");
    await look();
    const fine = refused(await ask({ granularity: "minute" }), 422, "GRANULARITY_NOT_AVAILABLE");
    expect(fine.details).toEqual({ max_granularity: "hour" });
    const windowOf = (hours: number) => ({ from: at(start - hours * hour), to: at(start), granularity: "hour" });
    const large = refused(await ask(windowOf(most + 1)), 422, "WINDOW_TOO_LARGE");
    expect(large.details).toEqual({ bucket_count: String(most + 1), max_buckets: String(most) });
    expect((await ask(windowOf(most))).body.meta.total).toBe(most);
    const huge = refused(await ask({ ...windowOf(1), from: "1000-01-01T00:00:00Z" }), 422, "WINDOW_TOO_LARGE");
    expect(Number(huge.details?.bucket_count)).toBeGreaterThan(8_000_000);
  });

  it("say which parameter is wrong by itself", async () => {
    const { look, ask } = await begin();
    await look();
    for (const [name, value] of [
      ["granularity", "fortnight"],
      ["timezone", "+05:00"],
      ["to", at(start - 400 * 24 * hour)],
      ["limit", 201],
    ] as const) {
      const problem = refused(await ask({ from: at(start - hour), [name]: value }), 422, "VALIDATION_FAILED");
      expect(Object.keys(problem.details ?? {})).toEqual([name]);
    }
  });

  it("are as fine as the plan that a sandbox chose allows", async () => {
    const { look, ask } = await begin({ finest_granularity: "day" });
    await look();
    expect(refused(await ask({ granularity: "hour" }), 422, "GRANULARITY_NOT_AVAILABLE").details).toEqual({
      max_granularity: "day",
    });
    const fine = await member({ finest_granularity: "minute" });
    await fine.look();
    expect((await fine.ask({ granularity: "minute" })).status).toBe(200);
  });
});
