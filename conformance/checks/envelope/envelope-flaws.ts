import { type Exchange, objectOf, summaryOf } from "../../exchange/exchange.ts";

/** What an answer lacks to be the error envelope; empty when it is one. */
export function envelopeFlaws({ outcome }: Exchange): readonly string[] {
  if (outcome.kind === "lost") return ["no answer"];
  const body = objectOf(outcome.json);
  if (body === null) return ["no JSON object"];
  const error = objectOf(body.error) ?? {};
  return [
    ...(body.success === false ? [] : ["no success: false"]),
    ...["code", "message", "request_id"].filter((name) => typeof error[name] !== "string").map((n) => `no error.${n}`),
  ];
}

/** Status, code and what is missing, for messages. */
export function envelopeSummary(exchange: Exchange): string {
  const flaws = envelopeFlaws(exchange);
  return flaws.length === 0 ? summaryOf(exchange) : `${summaryOf(exchange)} (${flaws.join(", ")})`;
}
