import { check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { readScope, writeScope } from "../api-keys/grantable.ts";
import { blockUnlessThrottled, burst, capacity, create, fillBucket, isThrottled } from "./throttle.ts";

/** Whose bucket it is: one for all keys of an organization, none for those of another. */
export const bucketOwner = check({
  id: "limits.bucket-owner",
  title: "All keys of an organization share a bucket that no other organization draws from",
  rules: ["TEN-16", "TEN-17"],
  kind: "scenario",
  needs: ["full-bucket", "other-organization"],
  effects: ["creates", "exhausts"],
  draws: capacity + 4,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const second = await tenant.keyWith([readScope, writeScope]);
    const other = await t.otherTenant();
    const strangersAlone = other.fresh;
    const stranger = await other.main();
    await fillBucket(tenant, alone);
    const shared = await burst((index) => create(t, index % 2 === 0 ? main : second), main);
    blockUnlessThrottled(shared.refusedEarly);
    t.verify("TEN-17", !isSuccess(shared.beyond), {
      expected: `two keys admitted ${capacity} times together, then refused`,
      actual: `${shared.admitted.length} admitted, then ${summaryOf(shared.beyond)}`,
      exchanges: [shared.beyond],
    });
    if (isSuccess(shared.beyond))
      throw new Blocked("the bucket was not exhausted", "see KEYC-30 and TEN-17 first", "server");
    const strangers = await create(t, stranger);
    t.verify("TEN-16", isSuccess(strangers), {
      expected: "a creation in another organization admitted",
      actual: summaryOf(strangers),
      exchanges: [shared.beyond, strangers],
      // Others may have used up that organization's limit.
      warnOnly: isThrottled(strangers) && !strangersAlone,
    });
  },
});

/** Reads leave the bucket alone. */
export const readsDrawNothing = check({
  id: "limits.reads-draw-nothing",
  title: "Reads neither draw from the bucket of creations nor are refused when it is empty",
  rules: ["KEYC-35"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: capacity + 2,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const { id } = await tenant.keyWith([readScope]);
    const path = { id: id ?? "" };
    const full = await fillBucket(tenant, alone);
    for (let i = 0; i < capacity * 2; i += 1) {
      const read = await t.attempt("getApiKey", { path }, main);
      // Reads may have a limit of their own; whether it was this one, the creations will tell.
      if (isThrottled(read)) break;
      t.control(read, "a read");
    }
    const { refusedEarly, admitted } = await burst(() => create(t, main), main);
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
