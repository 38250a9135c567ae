import { forceAnswers } from "../../generated/client/sandbox-webhooks.ts";
import type { ForcedAnswers } from "../../generated/models/sandbox-webhooks.ts";
import { arrangement } from "./arrangement.ts";

/** An endpoint and what the next attempts at it meet, in order, in place of what was set before. */
export interface ForcedAnswersAt extends ForcedAnswers {
  readonly endpoint_id: string;
}

/** Attempts of deliveries that meet what the kit chooses, with nothing sent. */
export const forcedAnswers = arrangement({
  need: "forced-answers",
  sandboxOperation: "forceAnswers",
  does: "choose what deliveries meet",
  async sandbox({ ask, path }, { endpoint_id, ...body }: ForcedAnswersAt) {
    const at = { ...path, endpoint_id };
    await ask("force answers", (transport) => forceAnswers(transport, { path: at, body }));
  },
});
