import {
  callAutoTopUp,
  disableAutoTopUp,
  productsOf,
  understoodTopUp,
  unlessOn,
  usualThreshold,
} from "../../steps/billing.ts";
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
    return { as, disabled, wish: { product, threshold: usualThreshold } };
  },
  calls: {
    "setAutoTopUp to enable it": async (t, { as, disabled, wish }) =>
      unlessOn(understoodTopUp(await callAutoTopUp(t, as, wish)), [disabled]),
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
