import { type BucketName, buckets } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { attemptConsent } from "../../steps/consent.ts";
import { attemptErase } from "../../steps/contact.ts";
import { optIn, sendDraws, sendInput, timeAhead } from "../../steps/message.ts";
import { blockUnlessThrottled, burst, isThrottled } from "../../steps/throttle.ts";

/** What the kit lets an organization do in a period of these limits. */
const capacity = 2;

/** Calls that draw on limits whose size the kit chooses. */
interface Drawn {
  readonly id: string;
  /** Such as "sends". */
  readonly noun: string;
  readonly buckets: readonly [BucketName, ...BucketName[]];
  readonly scope: string;
  /** Makes ready for calls in an organization; each is made as asked, whatever the answer. */
  readonly ready: (t: CheckContext, main: Credential) => Promise<(as: Credential) => Promise<Exchange>>;
}

const drawn: readonly Drawn[] = [
  {
    id: "limits.sends-owner",
    noun: "sends",
    buckets: ["messageSendsPerSecond", "messageSendsPerMinute"],
    scope: operations.sendMessage.scope,
    async ready(t, main) {
      await optIn(t, main);
      const scheduled_at = await timeAhead(main.tenant);
      return (as) => t.attempt("sendMessage", sendInput(t, { scheduled_at }), as);
    },
  },
  {
    id: "limits.consents-owner",
    noun: "consents",
    buckets: ["consentRecords"],
    scope: operations.captureConsent.scope,
    async ready(t) {
      // To record one again may be nothing.
      const numbers = t.numbers("recipients");
      let calls = 0;
      return (as) => attemptConsent(t, as, numbers[Math.min(calls++, numbers.length - 1)]);
    },
  },
  {
    id: "limits.erasures-owner",
    noun: "erasures",
    buckets: ["contactErasures"],
    scope: operations.eraseContact.scope,
    ready: async (t, main) => async (as) => {
      // Who is erased already may be nobody's contact.
      const [erased] = t.numbers("erased");
      await optIn(t, main, erased);
      return attemptErase(t, as, erased);
    },
  },
];

/** Whose room it is: that of all keys of an organization, and of no other organization. */
export const sendAndConsentOwners: readonly Check[] = drawn.map(({ id, noun, buckets: names, scope, ready }) => {
  const periodSeconds = Math.max(...names.map((name) => buckets[name].periodSeconds));
  const limits = Object.fromEntries(
    names.map((name) => [name, { capacity, period_seconds: buckets[name].periodSeconds }]),
  );
  return check({
    id,
    title: `All keys of an organization, and its users, share its limit of ${noun}, on which no other organization draws`,
    rules: ["TEN-16", "TEN-17"],
    kind: "scenario",
    needs: ["manual-clock", "limit-override", "other-organization"],
    effects: ["creates", "spends", "exhausts"],
    draws: sendDraws(2 * capacity + 5),
    async run(t) {
      const wish = { clock: "manual", limits } as const;
      const tenant = await t.tenant(wish);
      const main = await tenant.main();
      const second = await tenant.keyWith([scope]);
      const other = await t.otherTenant(wish);
      const stranger = await other.main();
      const strangersCall = await ready(t, stranger);
      const call = await ready(t, main);
      // What made it ready may have drawn too.
      for (const each of [tenant, other]) await each.advance(2 * periodSeconds, "room for as many as fit");
      const shared = await burst((index) => call(index % 2 === 0 ? main : second), main, { capacity, periodSeconds });
      blockUnlessThrottled(shared.refusedEarly);
      t.verify("TEN-17", !isSuccess(shared.beyond), {
        expected: `two keys admitted ${capacity} times together, then refused`,
        actual: `${shared.admitted.length} admitted, then ${summaryOf(shared.beyond)}`,
        exchanges: [shared.beyond],
      });
      if (!isThrottled(shared.beyond))
        throw new Blocked(`none of the ${noun} was refused`, "see LIM-01, LIM-15, LIM-19 and TEN-17 first", "server");
      // Which operations users may call but their own is open; what they draw on is not.
      const users = tenant.can(signedInUser) ? await call(await userOf(tenant)) : null;
      if (users !== null)
        t.verify("TEN-17", !isSuccess(users), {
          expected: "a signed-in user refused, too, while the limit has no room",
          actual: summaryOf(users),
          exchanges: [shared.beyond, users],
        });
      const strangers = await strangersCall(stranger);
      t.verify("TEN-16", !isThrottled(strangers), {
        expected: `${noun} of another organization admitted`,
        actual: summaryOf(strangers),
        exchanges: [shared.beyond, strangers],
      });
      t.control(strangers, `one of the ${noun} of another organization`);
    },
  });
});
