import { randomUUID } from "node:crypto";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { bucketSize, sumOfDraws } from "../../context/draws.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { bareCredential, type Credential } from "../../provision/tenant.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay, replayScope } from "../../steps/replay.ts";
import {
  blockUnlessThrottled,
  burst,
  create,
  fillBucket,
  insistence,
  isThrottled,
  retryAfterOf,
} from "../../steps/throttle.ts";

const size = buckets.apiKeyWrites;
const { capacity } = size;

/** A bucket, and calls that draw from it. */
interface Drawn {
  readonly id: string;
  readonly title: string;
  /** The same of signed-in users. */
  readonly sessions: { readonly id: string; readonly title: string };
  /** Such as "creation". */
  readonly noun: string;
  readonly bucket: BucketName;
  /** Scopes of a key that may draw. */
  readonly scopes: readonly string[];
  /** Makes ready for calls in an organization; each is made as asked, whatever the answer. */
  readonly ready: (t: CheckContext, as: Credential) => Promise<(as: Credential) => Promise<Exchange>>;
}

const drawn: readonly Drawn[] = [
  {
    id: "limits.bucket-owner",
    title: "All keys of an organization share a bucket that no other organization draws from",
    sessions: {
      id: "limits.sessions-draw",
      title: "A signed-in user and the keys of the organization share a bucket",
    },
    noun: "creation",
    bucket: "apiKeyWrites",
    scopes: [readScope, writeScope],
    ready: async (t) => (as) => create(t, as),
  },
  {
    id: "limits.replays-owner",
    title: "All keys of an organization share the bucket of replays, and no other organization draws from it",
    sessions: {
      id: "limits.sessions-replay",
      title: "A signed-in user and the keys of the organization share the bucket of replays",
    },
    noun: "replay",
    bucket: "deliveryReplays",
    scopes: [replayScope],
    async ready(t, main) {
      const { id } = await ownDelivery(t, main);
      return (as) => attemptReplay(t, as, id);
    },
  },
];

/** Whose bucket it is: one for all keys of an organization, none for those of another. */
export const bucketOwners: readonly Check[] = drawn.map(({ id, title, noun, bucket, scopes, ready }) => {
  const own = bucketSize(bucket);
  return check({
    id,
    title,
    rules: ["TEN-16", "TEN-17"],
    kind: "scenario",
    needs: ["full-bucket", "other-organization"],
    effects: ["creates", "exhausts"],
    draws: sumOfDraws([{ apiKeyWrites: 2 }, { [bucket]: own.capacity + 3 + insistence }]),
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const alone = tenant.fresh;
      const main = await tenant.main();
      const second = await tenant.keyWith(scopes);
      const call = await ready(t, main);
      const other = await t.otherTenant();
      const strangersAlone = other.fresh;
      const stranger = await other.main();
      const strangersCall = await ready(t, stranger);
      await fillBucket(tenant, alone, own);
      const shared = await burst((index) => call(index % 2 === 0 ? main : second), main, own);
      blockUnlessThrottled(shared.refusedEarly);
      t.verify("TEN-17", !isSuccess(shared.beyond), {
        expected: `two keys admitted ${own.capacity} times together, then refused`,
        actual: `${shared.admitted.length} admitted, then ${summaryOf(shared.beyond)}`,
        exchanges: [shared.beyond],
        // Where the limit may be changed, it may be another one in an organization that was given.
        warnOnly: buckets[bucket].adjustable && !alone,
      });
      if (isSuccess(shared.beyond))
        throw new Blocked("the bucket was not exhausted", "see KEYC-30, WHP-23 and TEN-17 first", "server");
      const strangers = await strangersCall(stranger);
      t.verify("TEN-16", isSuccess(strangers), {
        expected: `a ${noun} in another organization admitted`,
        actual: summaryOf(strangers),
        exchanges: [shared.beyond, strangers],
        // Others may have used up that organization's limit.
        warnOnly: isThrottled(strangers) && !strangersAlone,
      });
    },
  });
});

/** A user and a program of one organization. */
export const sessionsDraw: readonly Check[] = drawn.map(({ sessions: { id, title }, noun, bucket, ready }) => {
  const own = bucketSize(bucket);
  return check({
    id,
    title,
    rules: ["TEN-17"],
    kind: "scenario",
    needs: ["full-bucket", "session"],
    effects: ["creates", "exhausts"],
    draws: { [bucket]: own.capacity + 3 + insistence },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const alone = tenant.fresh;
      const main = await tenant.main();
      const session = bareCredential("user session", (await tenant.arrange(signedInUser, {})).token, tenant);
      const call = await ready(t, main);
      t.control(await call(session), `a ${noun} by a signed-in user`);
      await tenant.advance((tenant.manualClock ? 2 : 1) * own.periodSeconds, "a full bucket");
      const { refusedEarly, admitted, beyond } = await burst(
        (index) => call(index % 2 === 0 ? main : session),
        main,
        own,
      );
      blockUnlessThrottled(refusedEarly);
      t.verify("TEN-17", !isSuccess(beyond), {
        expected: `a user and a key admitted ${own.capacity} times together, then refused`,
        actual: `${admitted.length} admitted, then ${summaryOf(beyond)}`,
        exchanges: [beyond],
        // Where the limit may be changed, it may be another one in an organization that was given.
        warnOnly: !alone,
      });
    },
  });
});

/** Reads leave the bucket alone. */
export const readsDrawNothing = check({
  id: "limits.reads-draw-nothing",
  title: "Reads neither draw from the bucket of creations nor are refused when it is empty",
  rules: ["KEYC-35"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 2 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const { id } = await tenant.keyWith([readScope]);
    const path = { id: id ?? "" };
    const full = await fillBucket(tenant, alone, size);
    for (let i = 0; i < capacity * 2; i += 1) {
      // Of a key that there is, and of one that never was.
      const isThere = i % 2 === 0;
      const read = await t.attempt("getApiKey", isThere ? { path } : { path: { id: randomUUID() } }, main);
      // Reads may have a limit of their own; whether it was this one, the creations will tell. There is room for a read
      // more when they have.
      if (isThrottled(read)) {
        if (tenant.manualClock) await tenant.advance(retryAfterOf(read), "room for a read");
        break;
      }
      if (isThere) t.control(read, "a read");
    }
    const { refusedEarly, admitted } = await burst(() => create(t, main), main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-35", refusedEarly === null, {
      expected: `${capacity} creations admitted after ${capacity * 2} reads`,
      actual: refusedEarly
        ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}`
        : `${admitted.length} admitted`,
      exchanges: refusedEarly ? [refusedEarly] : [],
      warnOnly: !full,
    });
    const read = await t.attempt("getApiKey", { path }, main);
    t.verify("KEYC-35", isSuccess(read), {
      expected: "a read when the bucket of creations is empty",
      actual: summaryOf(read),
      exchanges: [read],
      warnOnly: isThrottled(read),
    });
  },
});
