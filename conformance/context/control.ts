import { rowNamed } from "../exchange/admits.ts";
import { codeOf, type Exchange, errorOf, isSuccess, objectOf, statusOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { mappableFields } from "../target/mappable-fields.ts";

/** The status of what a server does not offer at the moment (RFC 9110, 15.6.4). */
const unavailable = 503;

/** Blocks unless the exchange succeeded; `what` tells what it was for. */
export function control(exchange: Exchange, what: string): Exchange {
  if (isSuccess(exchange)) return exchange;
  const named = isInvalid(exchange) ? Object.keys(objectOf(errorOf(exchange)?.details) ?? {}) : [];
  const answer = [summaryOf(exchange), ...(named.length === 0 ? [] : [named.join(", ")])].join(" for ");
  throw new Blocked(`${what} was answered ${answer}`, adviceOn(exchange), "server", exchange);
}

/** What to do about a refusal, before anybody knows whether a rule on it is broken. */
function adviceOn(exchange: Exchange): string {
  if (statusOf(exchange) === unavailable) return "have the server offer what it says is not available, if it can";
  const { operation } = exchange;
  if (operation === null || !Object.hasOwn(mappableFields, operation) || !isInvalid(exchange))
    return "see the rules on this request first";
  return `take what generated/openapi.yaml has for ${operation}, or say what your fields are called: shapes in the target file`;
}

/** Whether an answer takes the request for malformed. */
const isInvalid = (exchange: Exchange): boolean =>
  [rowNamed("ValidationFailed"), rowNamed("InvalidInput")].some(({ code }) => codeOf(exchange) === code);
