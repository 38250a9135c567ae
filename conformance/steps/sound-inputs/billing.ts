import { Blocked } from "../../outcome/verdict.ts";
import { disableAutoTopUp, enablingInput, havePaid, productsOf, usualThreshold } from "../billing.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"billing"> = {
  topUpWallet: {
    effects: ["spends"],
    async make(t, tenant) {
      const [smallest] = await productsOf(t, await tenant.main());
      return { body: t.shapeRequest("topUpWallet", { product_id: smallest.id }) };
    },
  },
  listTopUpProducts: { make: async () => ({}) },
  // What is enabled cannot be enabled again.
  setAutoTopUp: {
    effects: ["spends"],
    async make(t, tenant) {
      if (!tenant.own)
        throw new Blocked(
          "the kit leaves auto top-up enabled in no organization that others use",
          "give the kit a sandbox, or a new_organization hook",
        );
      const main = await tenant.main();
      await disableAutoTopUp(t, main);
      const [product] = await productsOf(t, main);
      return enablingInput(t, { product, threshold: usualThreshold });
    },
  },
  openBillingPortal: {
    effects: ["spends"],
    async make(t, tenant) {
      await havePaid(t, await tenant.main());
      return {};
    },
  },
};
