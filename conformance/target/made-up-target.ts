import { constants } from "../../generated/constants.ts";
import type { Target } from "./target.ts";

/** A target with an address and one key, for tests. Nothing listens there: what is sent shows. */
export const madeUpTarget: Target = {
  baseUrl: "http://127.0.0.1:1",
  key: `${constants.liveKeyPrefix}key`,
  secrets: {},
  sandbox: null,
  timing: { requestTimeout: 1000, maxWait: 120, pollInterval: 10, pollTimeout: 100, clockSkew: 5000 },
  hooks: {},
  implements: null,
  receiver: null,
  shapes: {},
  numbers: {},
};
