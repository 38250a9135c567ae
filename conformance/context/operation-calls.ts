import { type OperationId, operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { rowNamed } from "../exchange/admits.ts";
import { type Exchange, statusOf, summaryOf } from "../exchange/exchange.ts";
import { retryAfterIn } from "../exchange/retry-after.ts";
import { Blocked, NotApplicable } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import type { Sender } from "../sending/sender.ts";
import type { CallInput, CheckContext } from "./context.ts";

/** How a check calls the target. */
export type OperationCalls = Pick<CheckContext, "attempt" | "call" | "send">;

/** Times that a call is sent again after its bucket was found empty. */
const patience = 5;

/** Seconds that a `Retry-After` may ask for; no bucket of the contract takes longer to refill. */
const longestWait = 3600;

/** A target that needs more than this part of the time for a request to answer the simplest one is busy with others. */
const slowness = 20;

const durationOf = ({ sentAt, answeredAt }: Exchange): number => answeredAt - sentAt;

/** `unserved` tells why the target does not serve an operation; `note` is told what came of each call. */
export function newOperationCalls(
  sender: Pick<Sender, "send">,
  unserved: (operation: OperationId) => string | null,
  note: (exchange: Exchange, as: Credential | null) => void,
): OperationCalls {
  /** A lost exchange is the server's doing only if the server still answers others, and soon if time ran out. */
  const alive = async (exchange: Exchange): Promise<Exchange> => {
    if (exchange.outcome.kind === "response" && exchange.outcome.truncated) {
      const what = `${exchange.request.method} ${new URL(exchange.request.url).pathname}`;
      throw new Blocked(`the answer to ${what} is longer than the kit reads`, "see why it is so long", "server");
    }
    if (exchange.outcome.kind !== "lost") return exchange;
    const probe = await sender.send({ method: "GET", path: operations.getApiKey.path, headers: {}, body: null });
    if (probe.outcome.kind === "lost") {
      const message = `the target stopped answering: ${summaryOf(exchange)}`;
      throw new Blocked(message, "see whether the target still runs", "environment");
    }
    if (exchange.outcome.reason === "timeout" && durationOf(probe) * slowness > durationOf(exchange)) {
      const message = `the target is slow: ${summaryOf(exchange)}, and its next answer took ${durationOf(probe)} ms`;
      throw new Blocked(message, "raise timing.request_timeout, or give the target more of a machine", "environment");
    }
    return exchange;
  };

  const attempt: OperationCalls["attempt"] = async (id, input, as) => {
    const operation: Operation = operations[id];
    const missing = unserved(id);
    if (missing !== null) throw new NotApplicable(missing);
    const body = input.rawBody ?? (input.body === undefined ? null : JSON.stringify(input.body));
    const headers = {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...input.headers,
    };
    const { repeatedHeaders = [], isOddHttp = false } = input;
    const path = pathOf(operation, input);
    const exchange = await sender.send({ method: operation.method, path, headers, repeatedHeaders, body, isOddHttp });
    note(exchange, as);
    return alive(exchange);
  };

  return {
    attempt,
    send: async (outgoing) => alive(await sender.send(outgoing)),
    async call(id, input, as) {
      for (let tries = 1; ; tries += 1) {
        const exchange = await attempt(id, input, as);
        // Calls without a limit in the contract may have one of the server's own.
        if (statusOf(exchange) !== rowNamed("RateLimited").referenceStatus) return exchange;
        await as.tenant.advance(secondsUntil(exchange, id, tries), `room for ${id}`);
      }
    },
  };
}

/** Seconds that a throttled call asks to wait. Blocks when it names none, too many, or has been tried often enough. */
function secondsUntil(exchange: Exchange, id: OperationId, tries: number): number {
  const told = retryAfterIn(exchange);
  const seconds = Number(told);
  const usable = seconds > 0 && seconds <= longestWait;
  if (usable && tries <= patience) return seconds;
  const why = usable
    ? `is still throttled after ${tries} tries`
    : `is throttled, with ${told === null ? "no Retry-After" : `Retry-After: ${told}`}`;
  throw new Blocked(`${id} ${why}`, "give the kit an organization that nobody else uses");
}

function pathOf(operation: Operation, input: CallInput): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ""));
  const query = new URLSearchParams(input.query).toString();
  return query === "" ? path : `${path}?${query}`;
}
