import { forcedAnswers } from "../../arrangements/forced-answers.ts";
import type { CheckContext } from "../../context/context.ts";
import { reset, respond } from "../../exchange/answer.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import type { Credential } from "../../provision/tenant.ts";
import { createEndpoint, type Endpoint } from "../../steps/endpoint.ts";

/** An endpoint whose attempts meet the status that was set last. */
export interface MetEndpoint {
  readonly endpoint: Endpoint;
  /** Null: nobody answers. */
  meet(status: number | null): Promise<void>;
  /** What reached it so far; nothing where nothing is sent. */
  deliveries(): readonly Delivery[];
}

export type MeetStatus = (t: CheckContext, as: Credential) => Promise<MetEndpoint>;

/** The sandbox answers, and nothing is sent. */
export const forcedStatus: MeetStatus = async (t, as) => {
  const endpoint = await createEndpoint(t, as);
  return {
    endpoint,
    meet: (status) =>
      as.tenant.arrange(forcedAnswers, {
        endpoint_id: endpoint.id,
        answers: [status === null ? { no_answer: "timeout" } : { status }],
        repeat_last: true,
      }),
    deliveries: () => [],
  };
};

/** The kit's receiver answers. */
export const receivedStatus: MeetStatus = async (t, as) => {
  const inbox = t.inbox();
  return {
    endpoint: await createEndpoint(t, as, { inbox }),
    meet: async (status) => inbox.answer(status === null ? reset : respond(status)),
    deliveries: () => inbox.deliveries(),
  };
};
