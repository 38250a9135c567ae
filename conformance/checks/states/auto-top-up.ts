import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { callAutoTopUp, disableAutoTopUp, productsOf, understoodTopUp, usualThreshold } from "../../steps/billing.ts";
import { walked } from "./walked.ts";

/** Auto top-up of an organization. */
export const autoTopUpStates = walked({
  entity: "auto top-up",
  title: "Whatever was done before, auto top-up can be enabled while it is disabled, and not while it is enabled",
  needs: ["state"],
  effects: ["creates", "spends"],
  starts: [{ state: "disabled", facts: {} }],
  async begin(t) {
    const as = await (await t.otherTenant({ clock: "manual" })).main();
    const [product] = await productsOf(t, as);
    const disabled = await disableAutoTopUp(t, as);
    // A target may lawfully have it enabled from the beginning, and have no way to disable it that the kit knows.
    const isKnown = isSuccess(disabled) || answeredBy(disabled, "Conflict");
    return { as, isKnown, wish: { product, threshold: usualThreshold } };
  },
  calls: {
    async "setAutoTopUp to enable it"(t, { as, isKnown, wish }) {
      const exchange = understoodTopUp(await callAutoTopUp(t, as, wish));
      if (isKnown || !answeredBy(exchange, "Conflict")) return exchange;
      throw new Blocked(
        "auto top-up is enabled, and the kit could not disable it",
        "say how it is disabled: shapes in the target file",
      );
    },
  },
  holds: {},
  steps: {
    disable: {
      becomes: ({ state, facts }) => (state === "enabled" ? { state: "disabled", facts } : null),
      async run(t, { as }) {
        t.control(await disableAutoTopUp(t, as), "disabling auto top-up");
      },
    },
  },
});
