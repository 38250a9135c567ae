import { check } from "../../check/check.ts";
import { newLabel } from "../../check/new-label.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { readScope } from "../api-keys/grantable.ts";
import { ownKey } from "../authentication/own-key.ts";

/** Calls that fail inside the server. What the answer must not tell is watched on every server error of a run. */
export const serverFailure = check({
  id: "envelope.server-failure",
  title: "A failure inside the server is answered in the envelope, and the next call is served",
  rules: ["ENV-32"],
  kind: "scenario",
  needs: ["outage"],
  effects: ["creates"],
  draws: 4,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const { input } = await ownKey(t, tenant);
    await t.createKey(main, [readScope]);
    const calls: readonly (() => Promise<Exchange>)[] = [
      () => t.attempt("getApiKey", input, main),
      () => t.attempt("createApiKey", { body: { label: newLabel(), scopes: [readScope] } }, main),
      ...(t.serves("listDeliveryAttempts") ? [() => t.attempt("listDeliveryAttempts", {}, main)] : []),
    ];
    for (const call of calls) {
      await tenant.failNextCalls(1);
      const failed = await call();
      t.refused("ENV-32", failed, "InternalError");
      const next = await call();
      t.verify("ENV-32", isSuccess(next), {
        expected: "the call after the failure served",
        actual: summaryOf(next),
        exchanges: [failed, next],
        // The rule speaks of the failed call alone.
        warnOnly: true,
      });
    }
  },
});
