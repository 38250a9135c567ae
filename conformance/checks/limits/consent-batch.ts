import { buckets } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { retryAfterIn } from "../../exchange/retry-after.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { attemptBatch, attemptConsent } from "../../steps/consent.ts";
import { byDay, callSend, isNoLackOfConsent, sendUntil } from "../../steps/message.ts";
import { blockUnlessThrottled, isThrottled, judgeRetryAfter } from "../../steps/throttle.ts";
import { numberCount } from "../../target/phone-numbers.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";

const { periodSeconds } = buckets.consentRecords;

/** The document names no allowance, so the kit sets one: as many as it has recipients for. */
const capacity = numberCount("batched");
const wish = {
  clock: "manual",
  limits: { consentRecords: { capacity, period_seconds: periodSeconds } },
} as const;

/** What the document calls the records in `details`, whatever the target calls them in a request. */
const records = operations.captureConsentBatch.draws[0].records.slice(1);

/** Decides that a batch is refused for its size, however full the bucket is. */
function judgeTooLarge(t: CheckContext<"LIM-17">, exchange: Exchange, bucket: string): void {
  const { [records]: hint } = objectOf(errorOf(exchange)?.details) ?? {};
  t.verify("LIM-17", answeredBy(exchange, "ValidationFailed") && typeof hint === "string", {
    expected: `${capacity + 1} consents refused as a failed validation with details.${records}, where the allowance is ${capacity} and ${bucket}`,
    actual: `${summaryOf(exchange)}, with details ${JSON.stringify(errorOf(exchange)?.details ?? null)}`,
    exchanges: [exchange],
  });
}

/** A batch that no bucket ever has room for. */
export const tooLargeBatch = check({
  id: "limits.too-large-batch",
  title: "A batch of one consent more than the allowance is refused for its size, and leaves no trace",
  rules: ["LIM-17", "LIM-18", "CON-20"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "exhausts", "sends", "spends"],
  draws: {},
  async run(t) {
    const batched = t.numbers("batched");
    const [first, ...rest] = batched;
    const tooMany = t.numbers("refused_batch");
    // Who does not take a batch at all refuses none for its size.
    const single = await (await t.tenant(wish)).main();
    t.control(await attemptBatch(t, single, [first]), "a batch of one consent");
    const other = await (await t.otherTenant(wish)).main();
    const whole = await attemptBatch(t, other, batched);
    t.verify("LIM-17", !answeredBy(whole, "ValidationFailed"), {
      expected: `${capacity} consents taken together, as many as the allowance`,
      actual: summaryOf(whole),
      exchanges: [whole],
    });
    t.control(whole, "a batch of as many consents as the allowance");

    const main = await (await t.tenant(wish)).main();
    const tooLarge = await attemptBatch(t, main, tooMany);
    judgeTooLarge(t, tooLarge, "untouched");
    const some = await attemptBatch(t, main, [first]);
    t.verify("CON-20", !isThrottled(some), {
      expected: "a consent admitted after a batch that was too large",
      actual: summaryOf(some),
      exchanges: [tooLarge, some],
    });
    judgeTooLarge(t, await attemptBatch(t, main, tooMany), "used in part");
    const others = await attemptBatch(t, main, rest);
    blockUnlessThrottled(isSuccess(others) ? null : others);
    t.verify("CON-20", isSuccess(others), {
      expected: `${capacity} consents admitted beside two batches that were too large`,
      actual: summaryOf(others),
      exchanges: [tooLarge, others],
    });
    if (isSuccess(tooLarge)) throw new Blocked("the batch was taken", "see LIM-17 first", "server");
    t.control(
      await sendUntil(t, main, { to: first }, isNoLackOfConsent),
      "a send to a recipient whose consent was captured",
    );
    for (const to of tooMany) {
      const sent = byDay(await callSend(t, main, { to }));
      t.verify("LIM-18", answeredBy(sent, "ConsentRequired"), {
        expected: `a send to ${to}, whose batch was too large, refused for lack of consent`,
        actual: summaryOf(sent),
        exchanges: [tooLarge, sent],
      });
    }
  },
});

/** What a batch draws. */
export const batchUnits = check({
  id: "limits.batch-units",
  title:
    "A batch of consents draws one unit for each record, from the allowance of consents captured alone, and waits until all fit",
  rules: ["LIM-14", "LIM-16", "LIM-23"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const [first, second, third, fourth] = t.numbers("batched");
    const [further] = t.numbers("refused_batch");
    const one = await (await t.tenant(wish)).main();
    t.control(await attemptConsent(t, one, first), "capturing a consent");
    const rest = await attemptBatch(t, one, [second, third, fourth]);
    blockUnlessThrottled(isSuccess(rest) ? null : rest);
    t.verify("LIM-16", isSuccess(rest), {
      expected: `3 consents admitted together after one, where the allowance is ${capacity}`,
      actual: summaryOf(rest),
      exchanges: [rest],
    });
    const beyond = await attemptConsent(t, one, further);
    t.verify("LIM-16", isThrottled(beyond) && retryAfterIn(beyond) !== null, {
      expected: `a consent refused for the limit after a batch of 3 and one alone, where the allowance is ${capacity}`,
      actual: summaryOf(beyond),
      exchanges: [rest, beyond],
    });

    const another = await (await t.otherTenant(wish)).main();
    const half = [first, second, third];
    const taken = t.control(await attemptBatch(t, another, half), "a batch of consents that fits into the allowance");
    const refused = await attemptBatch(t, another, half);
    t.verify("LIM-16", isThrottled(refused) && retryAfterIn(refused) !== null, {
      expected: `3 consents refused for the limit after 3, where the allowance is ${capacity}`,
      actual: summaryOf(refused),
      exchanges: [taken, refused],
    });
    if (isThrottled(refused)) {
      judgeRetryAfter(t, refused, { capacity, periodSeconds }, { warnOnly: false });
      const again = () => attemptBatch(t, another, half);
      await admittedAfterWait(t, "LIM-23", again, { beyond: refused, tenant: another.tenant, full: true });
    }

    // It counts by its records, whoever they are of; whether it may have several of one recipient is open.
    const repeating = await (await t.otherTenant(wish)).main();
    const alike = await attemptBatch(t, repeating, [first, first, first]);
    if (!isSuccess(alike)) return;
    const next = await attemptBatch(t, repeating, [second, third]);
    t.verify("LIM-16", isThrottled(next), {
      expected: `2 consents refused for the limit after 3 of one recipient, where the allowance is ${capacity}`,
      actual: summaryOf(next),
      exchanges: [alike, next],
    });
  },
});

/** Batches that are made at once. */
export const batchesAtOnce = check({
  id: "limits.batches-at-once",
  title: "Of batches of consents at once no more are admitted than the allowance has room for",
  rules: ["LIM-16"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant(wish)).main();
    const batched = t.numbers("batched");
    const batches = batched.map((left) => batched.filter((number) => number !== left));
    judgeConcurrentCalls(t, {
      exchanges: await Promise.all(batches.map((numbers) => attemptBatch(t, main, numbers))),
      noun: `batches of ${capacity - 1} consents, where the allowance is ${capacity},`,
      room: 1,
      isRefusal: isThrottled,
      admits: "LIM-16",
      refuses: "LIM-16",
      // Nothing says that batches which meet must not stand in each other's way.
      warnOnly: { tooFew: true, tooMany: false },
    });
  },
});

/** Records in each of the batches that arrive together with single consents. */
const pair = 2;

/** Concurrent single consents and batches. */
export const consentsAndBatchesAtOnce = check({
  id: "limits.consents-and-batches-at-once",
  title: "The server accepts no more records of concurrent consents and batches than the allowance",
  rules: ["LIM-16"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant(wish)).main();
    const batched = t.numbers("batched");
    const singles = t.numbers("refused_batch");
    const calls = batched.flatMap((number, index) => [
      { records: 1, call: () => attemptConsent(t, main, singles[index]) },
      { records: pair, call: () => attemptBatch(t, main, [number, batched[(index + 1) % batched.length] ?? number]) },
    ]);
    const exchanges = await Promise.all(calls.map(({ call }) => call()));
    const strange = exchanges.find((exchange) => !isSuccess(exchange) && !isThrottled(exchange));
    const admitted = exchanges.filter(isSuccess);
    const records = calls.reduce(
      (sum, call, index) => sum + (admitted.some((one) => one === exchanges[index]) ? call.records : 0),
      0,
    );
    if (strange === undefined || records > capacity)
      t.verify("LIM-16", records <= capacity, {
        expected: `no more than ${capacity} records admitted of ${exchanges.length} concurrent consents and batches`,
        actual: `${records} admitted`,
        exchanges: admitted.slice(-2),
      });
    if (strange !== undefined)
      throw new Blocked(
        `one of ${exchanges.length} concurrent consents and batches was answered ${summaryOf(strange)}`,
        "see how the target fares under some calls at once",
        "server",
      );
  },
});
