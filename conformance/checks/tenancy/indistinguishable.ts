import type { CheckContext } from "../../check/context.ts";
import { Blocked } from "../../check/verdict.ts";
import { codeOf, type Exchange, errorOf, isSuccess, statusOf } from "../../exchange/exchange.ts";

/** An answer and the id that was asked for. */
export interface Asked {
  readonly exchange: Exchange;
  readonly id: string;
}

/** Decides whether nothing tells another organization's record from one that never was. */
export function indistinguishable(t: CheckContext, rule: "TEN-05", foreign: Asked, unknown: Asked): void {
  // Where nothing is refused, there is nothing to tell apart.
  if (isSuccess(unknown.exchange)) {
    const { method, url } = unknown.exchange.request;
    throw new Blocked(`${method} ${url} of what never was succeeded`, "see the rule on unknown ids first", "server");
  }
  const exchanges = [foreign.exchange, unknown.exchange];
  t.equal(rule, "the refusal", told(foreign), told(unknown), ...exchanges);
  const headers = headerNames(foreign.exchange);
  t.verify(rule, headers === headerNames(unknown.exchange), {
    expected: `the headers ${headerNames(unknown.exchange)}`,
    actual: headers,
    exchanges,
    // The rule does not speak of headers, and what stands between server and kit may add some.
    warnOnly: true,
  });
}

/** What an answer tells, with the id that was asked for, and its own, masked wherever they are repeated. */
export function told({ exchange, id }: Asked): object {
  const { message, details, request_id } = errorOf(exchange) ?? {};
  const forms = [id, id.toLowerCase(), id.toUpperCase(), ...(typeof request_id === "string" ? [request_id] : [])];
  const masked = forms.reduce((text, form) => text.replaceAll(form, "{id}"), JSON.stringify({ message, details }));
  return { status: statusOf(exchange), code: codeOf(exchange), told: masked };
}

/** Headers of the connection and the moment, which differ between two answers anyway (RFC 9110, 7.6.1). */
const transient: readonly string[] = ["connection", "date", "keep-alive", "transfer-encoding"];

const headerNames = ({ outcome }: Exchange): string =>
  outcome.kind === "response"
    ? Object.keys(outcome.headers)
        .filter((name) => !transient.includes(name))
        .sort()
        .join(", ")
    : "none";
