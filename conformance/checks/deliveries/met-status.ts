import type { CheckContext } from "../../check/context.ts";
import type { Credential } from "../../ladder/tenant.ts";
import { respond } from "../../receiver/answer.ts";
import { createEndpoint, type Endpoint } from "../webhooks/endpoint.ts";

/** Creates an endpoint whose attempts meet the status that was set last. */
export type MeetStatus = (
  t: CheckContext,
  as: Credential,
) => Promise<{ readonly endpoint: Endpoint; meet(status: number): Promise<void> }>;

/** The sandbox answers, and nothing is sent. */
export const forcedStatus: MeetStatus = async (t, as) => {
  const endpoint = await createEndpoint(t, as);
  return { endpoint, meet: (status) => as.tenant.forceAnswers(endpoint.id, [{ status }], { repeatLast: true }) };
};

/** The kit's receiver answers. */
export const receivedStatus: MeetStatus = async (t, as) => {
  const inbox = t.inbox();
  return {
    endpoint: await createEndpoint(t, as, { inbox }),
    meet: async (status) => inbox.answer(respond(status)),
  };
};
