import { setOutage } from "../../generated/client/sandbox-organizations.ts";
import type { OutageRequest } from "../../generated/models/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";

/** Calls of the organization that fail on purpose. */
export const outage = arrangement({
  need: "outage",
  does: "make calls fail",
  async sandbox({ ask, path }, body: OutageRequest) {
    await ask("set an outage", (transport) => setOutage(transport, { path, body }));
  },
});
