import { areaWithNumbers, availableNumbers, bulkBody, orderBody, orderNumber } from "../phone-number.ts";
import type { SoundInputs } from "./maker.ts";

export const soundInputs: SoundInputs<"phone-numbers"> = {
  searchPhoneNumbers: {
    make: async (t) => ({ body: t.shapeRequest("searchPhoneNumbers", {}) }),
  },
  orderPhoneNumbers: {
    effects: ["spends"],
    make: async (t, tenant) => ({ body: orderBody(t, await availableNumbers(t, await tenant.main(), 1)) }),
  },
  bulkOrderPhoneNumbers: {
    effects: ["spends"],
    make: async (t, tenant) => ({
      body: bulkBody(t, { areaCode: await areaWithNumbers(t, await tenant.main()), quantity: 1 }),
    }),
  },
  getPhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await orderNumber(t, await tenant.main())).id } }),
  },
  updatePhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({
      path: { id: (await orderNumber(t, await tenant.main())).id },
      body: { label: "conformance kit" },
    }),
  },
  releasePhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await orderNumber(t, await tenant.main())).id } }),
  },
};
