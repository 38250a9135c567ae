import { afterEach, describe, expect, inject, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { withMembers } from "../edits/ports.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const lookupPrice = Number(referenceChoices.lookupPriceMicros);
const longestKey = Number(referenceChoices.idempotencyKeyLength);
const path = "/v1/lookup";
const number = "+12025550123";
const unknown = "0190a0b0-0000-7000-8000-000000000000";

let server: TestServer;
afterEach(() => server.close());

const stopped = async (): Promise<never> => {
  throw new Error("The server stops.");
};

/** An organization with so much money, and what its key does. */
async function begin(wallet = 10 * lookupPrice, options: Parameters<typeof startTestServer>[0] = {}) {
  server = await startTestServer(options);
  return { ...(await member(wallet)), another: member };
}

async function member(wallet = 10 * lookupPrice) {
  const arranged = { wallet_micros: wallet, clock: "manual" };
  const { id, key: token } = await server.organization(arranged);
  const keyed = (key: string | undefined) => (key === undefined ? {} : { headers: { "idempotency-key": key } });
  return {
    token,
    look: (phone_number: unknown, key?: string) =>
      server.call("POST", path, { token, body: { phone_number }, ...keyed(key) }),
    read: (lookup: string) => server.call("GET", `${path}/${lookup}`, { token }),
    setLineType: (phone_number: string, line_type: string) =>
      server.sandbox("PUT", `/organizations/${id}/lines`, { phone_number, line_type }),
    failNext: (calls: number) => server.sandbox("PUT", `/organizations/${id}/outage`, { kind: "lookup", calls }),
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    async state() {
      const { wallet_micros, lifetime_spend_micros, digest } = (
        await server.sandbox("GET", `/organizations/${id}/state`)
      ).body.data;
      return { wallet: wallet_micros, spend: lifetime_spend_micros, digest };
    },
  };
}

describe("a lookup", () => {
  it("tells the kind of line, is charged, and can be read by its organization alone", async () => {
    const { look, read, state, another } = await begin();
    const made = await look(number);
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        phone_number: number,
        line_type: expect.stringMatching(/^(MOBILE|FIXED|VOIP|VOIP-FIXED)$/),
        looked_up_at: expect.any(String),
      },
    ]);
    expect(await state()).toMatchObject({ wallet: 9 * lookupPrice, spend: lookupPrice });
    const found = await read(made.body.data.id);
    expect([found.status, found.body.data]).toEqual([200, made.body.data]);
    const stranger = await another();
    const foreign = refused(await stranger.read(made.body.data.id), 404, "NOT_FOUND");
    const missing = refused(await read(unknown), 404, "NOT_FOUND");
    expect(foreign.message).toBe(missing.message);
    refused(await read("none"), 400, "VALIDATION_FAILED");
  });

  it("has every kind of line under some number", async () => {
    const { look } = await begin();
    const types = new Set<string>();
    for (const digit of [0, 1, 2, 3]) types.add((await look(`+1202555010${digit}`)).body.data.line_type);
    expect([...types].sort()).toEqual(["FIXED", "MOBILE", "VOIP", "VOIP-FIXED"]);
  });

  it("finds the kind of line that the sandbox set last, for its organization alone", async () => {
    const { look, read, setLineType, another } = await begin();
    const stranger = await another();
    const first = (await look(number)).body.data;
    for (const lineType of ["FIXED", "VOIP-FIXED", "FIXED"]) {
      expect((await setLineType(number, lineType)).body.data).toEqual({ phone_number: number, line_type: lineType });
      expect((await look(number)).body.data.line_type).toBe(lineType);
    }
    expect((await read(first.id)).body.data).toEqual(first);
    expect((await stranger.look(number)).body.data.line_type).toBe(first.line_type);
    refused(await setLineType(number, "PAGER"), 422, "INVALID_ARRANGEMENT");
    refused(await setLineType("nobody", "FIXED"), 422, "INVALID_ARRANGEMENT");
    const lines = `/organizations/${unknown}/lines`;
    const line = { phone_number: number, line_type: "FIXED" };
    refused(await server.sandbox("PUT", lines, line), 404, "SANDBOX_NOT_FOUND");
  });

  it.each([
    ["of another country", "+442071838750", "LOOKUP_UNSUPPORTED_REGION"],
    ["of Jamaica", "+18765550123", "LOOKUP_UNSUPPORTED_REGION"],
    ["with too few digits", "+1202555", "LOOKUP_UNSUPPORTED_REGION"],
    ["that is none", "nobody", "VALIDATION_FAILED"],
    ["that is no text", 12025550123, "VALIDATION_FAILED"],
    ["that is missing", undefined, "VALIDATION_FAILED"],
  ])("of a number %s is refused, and charged nothing", async (_what, wrong, code) => {
    const { look, state } = await begin();
    const before = await state();
    refused(await look(wrong), 422, code);
    expect(await state()).toEqual(before);
  });

  it("is refused, and changes nothing, where the wallet does not cover it", async () => {
    const { look, state } = await begin(lookupPrice - 1);
    const before = await state();
    expect(refused(await look(number, "key"), 402, "INSUFFICIENT_CREDIT")).not.toHaveProperty("details");
    expect(await state()).toEqual(before);
  });

  it("is charged as often as the wallet covers it, however many come at once", async () => {
    const { look, state } = await begin(3 * lookupPrice);
    const answers = await Promise.all(Array.from({ length: 12 }, () => look(number)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(402)]);
    expect(await state()).toMatchObject({ wallet: 0, spend: 3 * lookupPrice });
  });

  it("that the platform cannot complete is given back", async () => {
    const { look, state, failNext } = await begin();
    await failNext(1);
    const before = await state();
    expect(refused(await look(number), 502, "LOOKUP_FAILED")).not.toHaveProperty("details");
    expect(await state()).toMatchObject({ wallet: before.wallet, spend: before.spend });
    expect((await look(number)).status).toBe(201);
  });
});

describe("a lookup that fails", () => {
  it("leaves a wallet that tops itself up as it was, and tells nobody of its balance", async () => {
    const threshold = Number(referenceChoices.lowBalanceMicros);
    const { token, look, state, failNext, advance } = await begin(threshold);
    const endpoint = { url: `${server.url}/nobody`, events: ["wallet.balance_low"] };
    expect((await server.call("POST", "/v1/webhooks", { token, body: endpoint })).status).toBe(201);
    const auto = { enabled: true, product_id: "usd_10", threshold_cents: threshold / 10_000 };
    expect((await server.call("PUT", "/v1/billing/wallet/auto-topup", { token, body: auto })).status).toBe(200);
    const told = async () => {
      await advance(0);
      return (await server.call("GET", "/v1/webhooks/deliveries", { token })).body.data.length;
    };
    await failNext(1);
    refused(await look(number), 502, "LOOKUP_FAILED");
    expect([(await state()).wallet, await told()]).toEqual([threshold, 0]);
    expect((await look(number)).status).toBe(201);
    expect([(await state()).wallet, await told()]).toEqual([threshold - lookupPrice + 10_000_000, 1]);
  });
});

describe("a retry with the same idempotency key", () => {
  it("gets the first answer, and is not charged", async () => {
    const { look, state } = await begin();
    const first = await look(number, "one");
    const after = await state();
    const again = await look(number, "one");
    expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
    expect(await state()).toEqual(after);
    const other = await look(number, "two");
    expect(other.body.data.id).not.toBe(first.body.data.id);
    expect(await state()).toMatchObject({ spend: 2 * lookupPrice });
  });

  it("gets the first answer while the first is under way, however many there are", async () => {
    const { look, state } = await begin(lookupPrice);
    const answers = await Promise.all(Array.from({ length: 10 }, () => look(number, "one")));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await state()).toMatchObject({ spend: lookupPrice });
  });

  it("gets the first answer when the first spends what there is while the retry begins", async () => {
    const { look, state } = await begin(lookupPrice);
    const { store } = server;
    const { keptAnswer } = store;
    const firsts: Awaited<ReturnType<typeof look>>[] = [];
    store.keptAnswer = async (...asked) => {
      store.keptAnswer = keptAnswer;
      const kept = await store.keptAnswer(...asked);
      firsts.push(await look(number, "one"));
      return kept;
    };
    const retry = await look(number, "one");
    expect([retry.status, retry.body.data]).toEqual([201, firsts[0]?.body.data]);
    expect(await state()).toMatchObject({ wallet: 0, spend: lookupPrice });
  });

  it("makes the lookup where the first stopped before its answer was kept, which left nothing", async () => {
    const { look, state } = await begin();
    const before = await state();
    const { store } = server;
    const { atomically } = store;
    store.atomically = (organization, work) => {
      store.atomically = atomically;
      return store.atomically(organization, (tx) =>
        work(withMembers(tx, { answers: withMembers(tx.answers, { keep: stopped }) })),
      );
    };
    refused(await look(number, "one"), 500, "INTERNAL_ERROR");
    expect(await state()).toEqual(before);
    expect((await look(number, "one")).status).toBe(201);
    expect(await state()).toMatchObject({ spend: lookupPrice });
  });

  it("gets the answer that nobody got where the first stopped when it was kept", async () => {
    const { look, read, state } = await begin();
    const { store } = server;
    const { atomically } = store;
    store.atomically = async (organization, work) => {
      store.atomically = atomically;
      await store.atomically(organization, work);
      return stopped();
    };
    refused(await look(number, "one"), 500, "INTERNAL_ERROR");
    const after = await state();
    expect(after).toMatchObject({ spend: lookupPrice });
    const again = await look(number, "one");
    expect([again.status, (await read(again.body.data.id)).body.data]).toEqual([201, again.body.data]);
    expect(await state()).toEqual(after);
  });

  it("is another call where its body or its organization is another", async () => {
    const { look, state, another } = await begin();
    const first = await look(number, "one");
    const { details } = refused(await look("+12025550124", "one"), 422, "VALIDATION_FAILED");
    expect(details).toEqual({ "idempotency-key": expect.stringContaining("was used for another request") });
    expect(await state()).toMatchObject({ spend: lookupPrice });
    const stranger = await another();
    const theirs = await stranger.look(number, "one");
    expect(theirs.body.data.id).not.toBe(first.body.data.id);
    expect(await stranger.state()).toMatchObject({ spend: lookupPrice });
  });

  it("is another call a day later", async () => {
    const { look, state, advance } = await begin();
    const first = await look(number, "one");
    await advance(Number(referenceChoices.idempotencyKeyHours) * 3600 - 1);
    expect((await look(number, "one")).body.data).toEqual(first.body.data);
    await advance(1);
    expect((await look(number, "one")).body.data.id).not.toBe(first.body.data.id);
    expect(await state()).toMatchObject({ spend: 2 * lookupPrice });
  });

  it("leaves a key free that nothing was done with", async () => {
    const { look, another } = await begin(0);
    refused(await look(number, "one"), 402, "INSUFFICIENT_CREDIT");
    const { look: covered } = await another();
    refused(await covered("+442071838750", "one"), 422, "LOOKUP_UNSUPPORTED_REGION");
    expect((await covered(number, "one")).status).toBe(201);
  });

  it("gets the same failure, unless failures are tried again", async () => {
    const first = await begin();
    await first.failNext(1);
    const failed = refused(await first.look(number, "one"), 502, "LOOKUP_FAILED");
    expect(refused(await first.look(number, "one"), 502, "LOOKUP_FAILED").message).toBe(failed.message);
    expect(await first.state()).toMatchObject({ wallet: 10 * lookupPrice });
    await server.close();
    const other = await begin(undefined, { chosen: { failedLookupRetry: "tried-again" } });
    await other.failNext(1);
    refused(await other.look(number, "one"), 502, "LOOKUP_FAILED");
    expect((await other.look(number, "one")).status).toBe(201);
    expect(await other.state()).toMatchObject({ spend: lookupPrice });
  });

  it("may have a key of some length, and no longer", async () => {
    const { look, state } = await begin();
    expect((await look(number, "k".repeat(longestKey))).status).toBe(201);
    const before = await state();
    for (const key of ["k".repeat(longestKey + 1), ""]) refused(await look(number, key), 422, "VALIDATION_FAILED");
    expect(await state()).toEqual(before);
  });

  it("is told of a wrong key in the chosen naming of fields", async () => {
    const { look } = await begin(undefined, { chosen: { detailsKeys: "pointer" } });
    await look(number, "one");
    for (const answer of [await look("+12025550124", "one"), await look(number, "k".repeat(longestKey + 1))]) {
      const { details } = refused(answer, 422, "VALIDATION_FAILED");
      expect(Object.keys(details)).toEqual(["/idempotency-key"]);
    }
  });

  it.runIf(inject("engine") === "sqlite")("finds nothing done where the server stopped in between", async () => {
    const { look, state } = await begin();
    const { store } = server;
    const before = await state();
    const { atomically } = store;
    store.atomically = (id, work) =>
      atomically.call(store, id, async (tx) => {
        await work(tx);
        throw new Error("stopped after the effect");
      }) as never;
    refused(await look(number, "one"), 500, "INTERNAL_ERROR");
    store.atomically = atomically;
    expect(await state()).toEqual(before);
    expect((await look(number, "one")).status).toBe(201);
    expect(await state()).toMatchObject({ spend: lookupPrice });
  });
});
