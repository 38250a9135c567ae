import type { Operation } from "../../generated/runtime/operation.ts";
import { successBody, writeJson, writeRefusal } from "./envelope.ts";
import { type Exchange, type Step } from "./exchange.ts";
import { ClientGone } from "./read-body.ts";
import { serviceRows } from "./service-rows.ts";

/** Says nothing of the cause; the log has it under the request id. */
const failureMessage = "The server failed to answer. Try again later; if it goes on, report the request id.";

/** Takes one request along the steps and answers it. Never throws. */
export async function serveExchange<Caller>(
  exchange: Exchange<Caller>,
  steps: readonly Step<Caller>[],
  service: Operation["service"],
): Promise<void> {
  const { response, requestId, log } = exchange;
  try {
    for (const step of steps) {
      const refusal = await step(exchange);
      if (refusal !== null) return writeRefusal(response, refusal, requestId);
    }
    if (exchange.route === null) throw new Error("The steps came to an end without an answer.");
    writeJson(response, exchange.route.operation.success.reference, successBody(exchange.data));
  } catch (problem) {
    if (problem instanceof ClientGone) return void response.destroy();
    log.error({ err: problem, request_id: requestId }, "a request failed");
    if (response.headersSent) return void response.destroy();
    writeRefusal(response, serviceRows[service].failed(failureMessage), requestId);
  }
}
