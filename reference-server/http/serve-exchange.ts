import type { Choices } from "../../generated/choices.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { successBody, writeJson, writeRefusal } from "./envelope.ts";
import { type Exchange, routeOf, type Step } from "./exchange.ts";
import { ClientGone } from "./read-body.ts";
import type { ServiceRows } from "./service-rows.ts";
import { successStatus } from "./success-status.ts";

/** Takes one request along the steps and answers it with the envelope. Never throws. */
export async function serveExchange<Caller>(
  exchange: Exchange<Caller>,
  steps: readonly Step<Caller>[],
  rows: ServiceRows,
  choices: Choices,
): Promise<void> {
  const { response, requestId, log } = exchange;
  try {
    const refusal = await take(exchange, steps);
    if (refusal !== null) return writeRefusal(response, refusal, requestId);
    const { operation } = routeOf(exchange);
    const body = { ...successBody(exchange.data), ...exchange.beside };
    writeJson(response, successStatus(operation, choices), body, requestId);
  } catch (problem) {
    if (problem instanceof ClientGone || response.headersSent) return void response.destroy();
    log.error({ err: problem, request_id: requestId }, "a request failed");
    writeRefusal(response, rows.failed(), requestId);
  }
}

/** Ends with the first refusal; what was done on the way that a refused request must not leave behind is undone. */
async function take<Caller>(exchange: Exchange<Caller>, steps: readonly Step<Caller>[]): Promise<Refusal | null> {
  let completed = false;
  try {
    for (const step of steps) {
      const outcome = step(exchange);
      // Most steps have nothing to wait for; waiting for nothing costs more than they do.
      const refusal = outcome instanceof Promise ? await outcome : outcome;
      if (refusal !== null) return refusal;
    }
    completed = true;
    return null;
  } finally {
    if (!completed) await undoAll(exchange);
  }
}

/** What cannot be undone is told; the answer stays what it is. */
async function undoAll<Caller>({ undo, log, requestId }: Exchange<Caller>): Promise<void> {
  for (const each of undo)
    await each().catch((problem: unknown) =>
      log.error({ err: problem, request_id: requestId }, "something that a refused request left behind was not undone"),
    );
}
