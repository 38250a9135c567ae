import { randomUUID } from "node:crypto";
import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { type Exchange, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { bareCredential } from "../../provision/tenant.ts";
import { readScope, unknownScope } from "../../steps/grantable.ts";
import { blockUnlessThrottled, burst, create, fillBucket, isThrottled } from "../../steps/throttle.ts";

const size = buckets.apiKeyWrites;

/** Calls of an empty bucket's organization that succeed or fail in other ways than for the limit. */
export const nothingRefills = check({
  id: "limits.nothing-refills",
  title: "No other call, whatever it comes to, makes room for a creation where there is none",
  rules: ["KEYC-30"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: 2 * size.capacity + 40 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock)
      throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook whose clock is manual");
    const alone = tenant.fresh;
    const main = await tenant.main();
    const reader = await tenant.keyWith([readScope]);
    await fillBucket(tenant, alone, size);
    const label = newLabel();
    const path = { id: randomUUID() };
    const body = { label, scopes: [readScope] };
    const others = [
      () => t.attempt("createApiKey", { body: { label, scopes: [] } }, main),
      () => t.attempt("createApiKey", { body: { label, scopes: [unknownScope] } }, main),
      () => t.attempt("createApiKey", { body: { label: 7, scopes: [readScope] } }, main),
      () => t.attempt("createApiKey", { rawBody: "{" }, main),
      () => t.attempt("createApiKey", { body }, reader),
      () => t.attempt("createApiKey", { body }, bareCredential("no key", "bylaw", tenant)),
      () => t.attempt("getApiKey", { path }, main),
      () => t.attempt("rotateApiKey", { path }, main),
    ];
    // From a bucket with room for one more, too: what is refused there may come back, and no more than that.
    await tenant.advance(2 * size.periodSeconds, "a full bucket");
    const made: Exchange[] = [];
    for (let count = 1; count < size.capacity; count += 1) made.push(await create(t, main));
    for (const other of others) await other();
    for (let count = 0; count < 3; count += 1) made.push(await create(t, main));
    const admitted = made.filter(isSuccess).length;
    t.verify("KEYC-30", admitted <= size.capacity, {
      expected: `no more than ${size.capacity} creations admitted at one moment, with calls that fail between them`,
      actual: `${admitted} admitted`,
      exchanges: made.slice(-3),
    });

    await tenant.advance(2 * size.periodSeconds, "a full bucket");
    const { refusedEarly, beyond } = await burst(() => create(t, main), main, size);
    blockUnlessThrottled(refusedEarly);
    if (!isThrottled(beyond)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");
    for (const other of others) {
      // Twice, as what comes back may be less than a creation takes.
      await other();
      await other();
      t.refused("KEYC-30", await create(t, main), "RateLimited");
    }
  },
});
