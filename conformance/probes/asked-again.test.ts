import { expect, test } from "vitest";
import { atPart, status } from "../evidence/place.ts";
import { rowNamed } from "../exchange/admits.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { finding } from "../reports/made-up-run.ts";
import type { Step } from "../story/step.ts";
import { stepOf } from "../story/stories.ts";
import { asksOtherwise } from "./asked-again.ts";
import type { Change } from "./live-probes.ts";

const answered = (to: Exchange, code: number, name = "X"): Exchange => ({
  ...to,
  outcome: {
    ...{ kind: "response", status: code, headers: {}, text: "", truncated: false },
    json: code < 300 ? { success: true, data: {} } : { success: false, error: { code: name } },
  },
});

const lookup: Exchange = {
  ...{ number: 1, operation: "createLookup", sentAt: 1, answeredAt: 2 },
  request: {
    ...{ method: "POST", url: "http://127.0.0.1:1/v1/lookup", headers: { authorization: "Bearer a" } },
    body: JSON.stringify({ phone_number: "+12025550123" }),
  },
  outcome: { kind: "lost", reason: "connection", message: "", afterMs: 0 } as unknown as Exchange["outcome"],
};

/** What is told of a lookup that was refused, by what the target answers to each change. */
function toldOf(
  shown: Exchange,
  answer: (change: Change, moved: number) => number,
  clock = false,
  beside: readonly Exchange[] = [],
) {
  const question = asksOtherwise({
    finding: {
      ...finding("LKP-01", "a.check", "fail", { exchanges: [shown] }),
      at: [atPart(shown, status, "success")],
    },
    ...{ steps: [...beside, shown].map(stepOf), secrets: [] },
  });
  let moved = 0;
  const move = async (seconds: number): Promise<void> => {
    moved += seconds;
  };
  return question?.(async (exchange, change = {}) => answered(exchange, answer(change, moved)), {
    move: clock ? move : null,
    anew: null,
  });
}

const refused = answered(lookup, 422);

test("what makes no difference is told together, and what does by what came of it", async () => {
  expect(await toldOf(refused, ({ body }) => (body === undefined ? 422 : 201))).toEqual([
    "422 X as well: the same call",
    "with another phone_number: 201 success, as was to come",
  ]);
  expect(await toldOf(refused, () => 422)).toEqual(["422 X as well: the same call, with another phone_number"]);
});

test("that others lack what this one lacks too is not told", async () => {
  const { code } = rowNamed("ConsentRequired");
  const lacking = (to: Exchange): Exchange => ({
    ...answered(to, 403),
    outcome: { ...answered(to, 403).outcome, json: { success: false, error: { code } } } as Exchange["outcome"],
  });
  const shown = lacking(lookup);
  const question = asksOtherwise({
    finding: {
      ...finding("LKP-01", "a.check", "fail", { exchanges: [shown] }),
      at: [atPart(shown, status, "success")],
    },
    ...{ steps: [stepOf(shown)], secrets: [] },
  });
  expect(await question?.(async (exchange) => lacking(exchange), { move: null, anew: null })).toEqual([
    `403 ${code} as well: the same call`,
  ]);
});

test("where others were under way meanwhile, it is told that none is now", async () => {
  const beside = [{ ...lookup, number: 7 }];
  expect(await toldOf(refused, () => 201, false, beside)).toEqual([
    "the same call, alone: 201 success, as was to come",
  ]);
  expect((await toldOf(refused, () => 422, false, beside))?.[0]).toMatch(/^422 X as well: the same call, alone, with/);
  const before = [{ ...lookup, number: 7, sentAt: 0, answeredAt: 1 }];
  expect((await toldOf(refused, () => 422, false, before))?.[0]).toMatch(/^422 X as well: the same call, with/);
});

test("later comes last, where time can be moved", async () => {
  expect(await toldOf(refused, (_, moved) => (moved > 3600 ? 201 : 422), true)).toEqual([
    "422 X as well: the same call, with another phone_number, an hour later",
    "a day later: 201 success, as was to come",
  ]);
});

test("where the same call is answered otherwise, nothing else is asked", async () => {
  let calls = 0;
  const told = await toldOf(refused, () => {
    calls += 1;
    return 201;
  });
  expect([told, calls]).toEqual([["the same call: 201 success, as was to come"], 1]);
});

test("of what was to be refused it is told what was, and not what else was served", async () => {
  const served = answered(lookup, 201);
  expect(await toldOf(served, () => 201)).toEqual(["201 success as well: the same call"]);
  expect(await toldOf(served, ({ body }) => (body === undefined ? 201 : 422))).toEqual([
    "201 success as well: the same call",
    "with another phone_number: 422 X",
  ]);
});

test("what is refused for what was changed is not told", async () => {
  const question = asksOtherwise({
    finding: {
      ...finding("LKP-01", "a.check", "fail", { exchanges: [refused] }),
      at: [atPart(refused, status, "success")],
    },
    ...{ steps: [stepOf(refused)], secrets: [] },
  });
  const unfit = {
    ...refused,
    outcome: { ...refused.outcome, json: { success: false, error: { code: "VALIDATION_FAILED" } } },
  } as Exchange;
  const told = await question?.(async (_, change) => (change === undefined ? refused : unfit), {
    move: null,
    anew: null,
  });
  expect(told).toEqual(["422 X as well: the same call"]);
});

test("what is done once is not done again, and what got no answer is not asked again", () => {
  const erased = { ...answered(lookup, 200), operation: "deleteWebhookEndpoint" };
  expect([toldOf(erased, () => 200), toldOf(lookup, () => 200)]).toEqual([undefined, undefined]);
});

/** A creation of an organization, which gives this key. */
const creation = (settings: object, plaintext: string): Step => ({
  ...{ through: "sandbox", what: "create an organization", exchange: null, seconds: null, at: 0 },
  request: {
    method: "POST",
    url: "http://127.0.0.1:1/sandbox/v1/organizations",
    headers: {},
    body: JSON.stringify(settings),
  },
  outcome: { kind: "response", status: 200, json: { success: true, data: { id: "o", key: { plaintext } } } },
});

/** What is told of a call that was served, by what comes of it in organizations with such settings. */
async function toldAnew(
  shown: Exchange,
  answer: (settings: object) => number,
  firstKey = "a",
): Promise<readonly string[] | undefined> {
  const settings = { clock: "real", wallet_micros: 5, min_topup_cents: 7 };
  const question = asksOtherwise({
    finding: {
      ...finding("BIL-01", "a.check", "fail", { exchanges: [shown] }),
      at: [atPart(shown, status, "402 BELOW_MINIMUM_CREDIT")],
    },
    ...{ steps: [creation(settings, firstKey), stepOf(shown)], secrets: ["a"] },
  });
  let made: object | null = null;
  const { code } = rowNamed("BelowMinimumCredit");
  const cameOf = (exchange: Exchange, status: number): Exchange =>
    answered(exchange, status, status === 402 ? code : "X");
  return question?.(async (exchange) => cameOf(exchange, made === null ? 201 : answer(made)), {
    move: null,
    async anew(of, call) {
      made = of;
      const came = await call({});
      made = null;
      return came;
    },
  });
}

const topUp: Exchange = answered(
  {
    ...lookup,
    operation: "topUpWallet",
    request: { ...lookup.request, url: "http://127.0.0.1:1/v1/billing/topup", body: '{"product_id":"usd_25"}' },
  },
  201,
);

test("what comes in a new organization is told, and in one that lacks what the caller's was made with", async () => {
  expect(await toldAnew(topUp, (settings) => ("wallet_micros" in settings ? 201 : 402))).toEqual([
    "201 success as well: the same call, in a new organization, even without min_topup_cents",
    "in a new organization without wallet_micros: 402 BELOW_MINIMUM_CREDIT, as was to come",
  ]);
  expect(await toldAnew(topUp, () => 201)).toEqual([
    "201 success as well: the same call, in a new organization, even without wallet_micros or min_topup_cents",
  ]);
  expect(await toldAnew(topUp, () => 402)).toEqual([
    "201 success as well: the same call",
    "in a new organization: 402 BELOW_MINIMUM_CREDIT, as was to come",
  ]);
});

test("what is refused otherwise in a new organization may be so for what is lacking", async () => {
  expect(await toldAnew(topUp, (settings) => ("wallet_micros" in settings ? 201 : 500))).toEqual([
    "201 success as well: the same call, in a new organization, even without min_topup_cents",
  ]);
});

test("nothing is asked elsewhere of what names a record of its caller", async () => {
  const named = { ...topUp, request: { ...topUp.request, body: '{"id":"018f4e9a-3333-7000-8000-00000000000d"}' } };
  expect(await toldAnew(named, () => 402)).toEqual(["201 success as well: the same call"]);
});

test("nothing is asked elsewhere of who called with another key than the first one", async () => {
  expect(await toldAnew(topUp, () => 402, "b")).toEqual(["201 success as well: the same call"]);
});
