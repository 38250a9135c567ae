import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { ownKey } from "../../steps/own-key.ts";

/** Times that each of two organizations reads at the same moment. */
const rounds = 4;

/** Calls of two organizations under way at once. */
export const concurrentCallers = check({
  id: "tenancy.concurrent-callers",
  title: "Calls of two organizations at once are each answered as their own caller's",
  rules: ["TEN-01", "KEYG-01"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const one = await ownKey(t, await t.tenant());
    const other = await ownKey(t, await t.otherTenant());
    const all = await Promise.all(
      Array.from({ length: rounds }, () => [
        ...[one, other].map(({ input, reader }) => ({ isOwn: true, call: t.attempt("getApiKey", input, reader) })),
        { isOwn: false, call: t.attempt("getApiKey", other.input, one.reader) },
        { isOwn: false, call: t.attempt("getApiKey", one.input, other.reader) },
      ])
        .flat()
        .map(async ({ isOwn, call }) => ({ isOwn, exchange: await call })),
    );
    // A server may fail, or throttle, when it is asked much at once; that shows nothing of whose call it was.
    const told = all.filter(({ exchange }) => !isOverasked(exchange));
    for (const isOwn of [true, false]) {
      if (!told.some((each) => each.isOwn === isOwn))
        throw new Blocked(
          "no call among others was answered",
          "see how the target fares under a few calls at once",
          "server",
        );
    }
    for (const { isOwn, exchange } of told) {
      if (isOwn) t.accepted("KEYG-01", exchange);
      else
        t.verify("TEN-01", !isSuccess(exchange), {
          expected: "another organization's key not found, beside other calls",
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
    }
  },
});

const isOverasked = (exchange: Exchange): boolean =>
  (statusOf(exchange) ?? 500) >= 500 || answeredBy(exchange, "RateLimited");
