import { type Check, check } from "../../context/check.ts";
import { bucketSize } from "../../context/draws.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { organizationKinds } from "../../steps/organization-kinds.ts";
import { blockUnlessThrottled, burst, create, insistence, isThrottled } from "../../steps/throttle.ts";

const size = bucketSize("apiKeyWrites");
const { capacity } = size;

/** The limit on keys, which the document states without a default, for each kind of organization. */
export const keyLimitsOfKinds: readonly Check[] = organizationKinds.map(({ id, what, needs, wish }) =>
  check({
    id: `limits.keys-of.${id}`,
    title: `The limit on API key creations applies to ${what}`,
    rules: ["KEYC-29", "KEYC-30"],
    kind: "scenario",
    needs: ["manual-clock", ...needs],
    effects: ["creates", "exhausts"],
    draws: { apiKeyWrites: capacity + 1 + insistence },
    async run(t) {
      const main = await (await t.otherTenant({ clock: "manual", ...wish })).main();
      const { refusedEarly, admitted, beyond } = await burst(() => create(t, main), main, size);
      blockUnlessThrottled(refusedEarly);
      t.verify("KEYC-29", refusedEarly === null, {
        expected: `${capacity} creations admitted to ${what}`,
        actual: `${admitted.length} admitted${refusedEarly === null ? "" : `, and ${summaryOf(refusedEarly)}`}`,
        exchanges: refusedEarly === null ? [] : [refusedEarly],
      });
      t.verify("KEYC-30", isThrottled(beyond), {
        expected: `creation ${capacity + 1} of ${what} refused for the limit`,
        actual: summaryOf(beyond),
        exchanges: [beyond],
      });
    },
  }),
);
