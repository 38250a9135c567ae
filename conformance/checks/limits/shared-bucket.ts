import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import { idAfterRotation } from "../../steps/rotated-key.ts";
import {
  blockUnlessThrottled,
  burst,
  create,
  fillBucket,
  insistence,
  isThrottled,
  judgeRetryAfter,
} from "../../steps/throttle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";

const size = buckets.apiKeyWrites;
const { capacity } = size;

/** Creations and rotations draw from one bucket. */
export const sharedBucket = check({
  id: "limits.shared-bucket",
  title: "Creations and rotations together are admitted up to one capacity",
  rules: ["KEYC-32"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 2 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const alone = tenant.fresh;
    const rotate = rotations(t, main, await ownKey(tenant));
    const full = await fillBucket(tenant, alone, size);
    const mixed = (index: number) => (index % 2 === 0 ? create(t, main) : rotate());
    const { refusedEarly, admitted, beyond } = await burst(mixed, main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-32", refusedEarly === null && isThrottled(beyond), {
      expected: `${capacity} creations and rotations admitted, the next one refused`,
      actual: `${admitted.length} admitted, the next one ${summaryOf(beyond)}`,
      exchanges: [refusedEarly ?? beyond],
      warnOnly: refusedEarly !== null && !full,
    });
  },
});

/** The rotation of a key by itself is one like others. */
export const selfRotation = check({
  id: "limits.self-rotation",
  title: "A key that rotates itself draws from the bucket of creations and rotations",
  rules: ["KEYC-32"],
  kind: "scenario",
  needs: ["full-bucket", "manual-clock"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 2 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook");
    const main = await tenant.main();
    const own = await tenant.keyWith([writeScope], { unused: true });
    const full = await fillBucket(tenant, tenant.fresh, size);
    const rotated = await t.attempt("rotateApiKey", { path: { id: idOf(own) } }, own);
    if (!isSuccess(rotated)) {
      t.observe("KEYC-32", `a key that rotates itself gets ${summaryOf(rotated)}`, rotated);
      return;
    }
    const { refusedEarly, admitted, beyond } = await burst(() => create(t, main), main, {
      ...size,
      capacity: capacity - 1,
    });
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-32", refusedEarly === null && isThrottled(beyond), {
      expected: `${capacity - 1} creations admitted after a key has rotated itself, the next one refused`,
      actual: `${admitted.length} admitted, the next one ${summaryOf(beyond)}`,
      ...(refusedEarly === null && { admits: ["RateLimited"] }),
      exchanges: [rotated, refusedEarly ?? beyond],
      warnOnly: refusedEarly !== null && !full,
    });
  },
});

/** Rotations alone empty the bucket too. */
export const rotationBurst = check({
  id: "limits.rotation-burst",
  title: "Rotations use up the bucket of creations",
  rules: ["KEYC-33", "KEYR-01", "KEYR-07", "LIM-14"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 8 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const alone = tenant.fresh;
    // Of two keys, as they share the limit.
    const one = rotations(t, main, await ownKey(tenant));
    const other = rotations(t, main, await ownKey(tenant));
    const spared = await ownKey(tenant);
    const full = await fillBucket(tenant, alone, size);
    const { refusedEarly, beyond } = await burst((index) => (index % 2 === 0 ? one() : other()), main, size);
    blockUnlessThrottled(refusedEarly);
    t.refused("KEYR-01", beyond, "RateLimited");
    if (isThrottled(beyond) && tenant.manualClock) t.refused("KEYR-01", await create(t, main), "RateLimited");
    if (refusedEarly !== null && !isSuccess(beyond)) {
      t.verify("KEYR-01", false, {
        expected: `${capacity} rotations admitted`,
        actual: summaryOf(refusedEarly),
        exchanges: [refusedEarly],
        warnOnly: !full,
      });
    }
    const path = { id: idOf(spared) };
    const throttled = await t.attempt("rotateApiKey", { path }, main);
    if (!isThrottled(throttled)) throw new Blocked("no rotation was refused", "see KEYR-01 first", "server");
    t.accepted("KEYR-07", await t.call("getApiKey", { path }, spared));
    judgeRetryAfter(t, throttled, size, { warnOnly: false });
    await admittedAfterWait(t, "KEYC-33", () => create(t, main), { beyond: throttled, tenant, full });
  },
});

/** What else such a rotation may change than the secret of the key. */
export const throttledRotation = withoutEffect({
  operation: "rotateApiKey",
  row: "RateLimited",
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "apiKeyWrites");
    const main = await tenant.main();
    const path = { id: idOf(await ownKey(tenant)) };
    // Where the key itself was made by the API, it has used up the limit.
    await create(t, main);
    return { tenant, send: () => t.attempt("rotateApiKey", { path }, main) };
  },
});

/** A key of this check alone: a rotated one is of no use to others. */
export const ownKey = (tenant: Tenant): Promise<Credential> => tenant.keyWith([readScope], { unused: true });

/** Rotates one key again and again, under whichever id it has by then. */
export function rotations(t: CheckContext, as: Credential, key: Credential): () => Promise<Exchange> {
  let id = key.id ?? "";
  return async () => {
    const exchange = await t.attempt("rotateApiKey", { path: { id } }, as);
    if (isSuccess(exchange)) id = idAfterRotation(t, exchange, id);
    return exchange;
  };
}
