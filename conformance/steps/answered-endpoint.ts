import { forcedAnswers } from "../arrangements/forced-answers.ts";
import type { CheckContext } from "../context/context.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { createEndpoint, type Endpoint, type EndpointWish } from "./endpoint.ts";

/**
 * Creates an endpoint for a check to which the attempts matter and not the receiver. They succeed at once where the kit
 * can force answers, in which case nothing is sent, or has a receiver that the target admits; else nobody answers them.
 */
export async function answeredEndpoint(
  t: CheckContext,
  as: Credential,
  wish: Pick<EndpointWish, "events"> = {},
): Promise<Endpoint> {
  const { tenant } = as;
  if (tenant.can(forcedAnswers)) {
    const endpoint = await createEndpoint(t, as, wish);
    await tenant.arrange(forcedAnswers, { endpoint_id: endpoint.id, answers: [{ status: 200 }], repeat_last: true });
    return endpoint;
  }
  const inbox = await t.spareInbox();
  if (inbox === null) return createEndpoint(t, as, wish);
  return createEndpoint(t, as, { ...wish, inbox }).catch((error: unknown) => {
    if (error instanceof Blocked) return createEndpoint(t, as, wish);
    throw error;
  });
}
