import { describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { errorRows } from "../../generated/error-rows.ts";
import { buckets } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { newTestDatabase } from "../../reference-server/store/open-test-store.ts";
import { serving } from "./spawn-serve.ts";

const sandboxToken = "from-the-environment";
const recipient = "+12025550130";
const scopes = [operations.sendMessage.scope, operations.captureConsent.scope];
const { tiers } = buckets.messageSendsPerSecond;

/** Millionths of a US dollar: in a cent, and for a message of one segment. */
const centMicros = 10_000;
const price = Number(referenceChoices.segmentPriceMicros);
const credit = 1_000_000_000;

interface Answered {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
}

async function call(method: string, url: string, token: string, body?: unknown): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
  return { status: response.status, data, retryAfter: response.headers.get("retry-after") };
}

/** Servers in processes of their own, on one database. */
async function startServers(count: number) {
  const flags = ["--store", await newTestDatabase(), "--log-level", "warn"];
  const servers = await Promise.all(
    Array.from({ length: count }, () => serving(flags, { BYLAW_SANDBOX_TOKEN: sandboxToken })),
  );
  const urls = servers.map(({ url }) => url);
  return {
    /** Each call at the next server. */
    urlOf: (index: number): string => urls[index % urls.length] ?? "",
    async stop(): Promise<void> {
      for (const { child } of servers) child.kill("SIGTERM");
      for (const { exited, written } of servers) expect([await exited, written.err]).toEqual([0, ""]);
    },
  };
}

/** An organization whose recipient has opted in, and how it sends through each server. */
async function newSender(urlOf: (index: number) => string, more: object) {
  const organizations = `${urlOf(0)}/sandbox/v1/organizations`;
  const wish = { clock: "manual", wallet_micros: credit, ...more };
  const { data } = await call("POST", organizations, sandboxToken, wish);
  const own = `${organizations}/${data.id}`;
  const key = String((await call("POST", `${own}/keys`, sandboxToken, { scopes })).data.plaintext);
  const consent = { phone_number: recipient, source: "a test", captured_at: data.now };
  expect((await call("POST", `${urlOf(1)}/v1/consent`, key, consent)).status).toBeLessThan(300);
  return {
    /** So many at once, over all servers. */
    burst: (count: number): Promise<readonly Answered[]> =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          call("POST", `${urlOf(index)}/v1/messages`, key, { to: recipient, body: "Your table is ready." }),
        ),
      ),
    advance: (seconds: number) => call("POST", `${own}/advance`, sandboxToken, { seconds }),
    state: async () => (await call("GET", `${own}/state`, sandboxToken)).data,
  };
}

/** Sends that fit into a minute where it is the narrower of both. */
const narrowCapacity = 6;

const admittedIn = (answers: readonly Answered[]): number => answers.filter(({ status }) => status < 300).length;
const throttledIn = (answers: readonly Answered[]): number =>
  answers.filter(({ status }) => status === errorRows.RateLimited.referenceStatus).length;

describe("three servers on one PostgreSQL", () => {
  it("admit the sends of a second on each tier, however they come to the servers, and charge no others", async () => {
    const servers = await startServers(3);
    for (const { fromCents, capacity } of tiers) {
      const sender = await newSender(servers.urlOf, { lifetime_spend_micros: fromCents * centMicros });
      for (let second = 1; second <= 2; second += 1) {
        const before = await sender.state();
        const answers = await sender.burst(2 * capacity + 3);
        expect([admittedIn(answers), throttledIn(answers)]).toEqual([capacity, capacity + 3]);
        expect(new Set(answers.flatMap(({ retryAfter }) => retryAfter ?? []))).toEqual(new Set(["1"]));
        const after = await sender.state();
        expect(Number(before.wallet_micros) - Number(after.wallet_micros)).toBe(capacity * price);
        await sender.advance(1);
      }
    }
    await servers.stop();
  });

  it("admit no more than fits into a minute where that is less", async () => {
    const servers = await startServers(3);
    const narrow = { messageSendsPerMinute: { capacity: narrowCapacity, period_seconds: 60 } };
    const spent = tiers.at(-1)?.fromCents ?? 0;
    const sender = await newSender(servers.urlOf, { lifetime_spend_micros: spent * centMicros, limits: narrow });
    expect(admittedIn(await sender.burst(30))).toBe(narrowCapacity);
    await sender.advance(1);
    expect(admittedIn(await sender.burst(30))).toBe(0);
    await sender.advance(59);
    expect(admittedIn(await sender.burst(30))).toBe(narrowCapacity);
    await servers.stop();
  });
});
