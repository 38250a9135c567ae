import { randomUUID } from "node:crypto";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { isRefusal, type Wire, withBody } from "../wire.ts";
import { wireMutant } from "./mutant.ts";

/** Answers the second refusal that a caller gets in this way as a success. */
const relenting =
  (operation: OperationId, row: ErrorRowName): Wire =>
  (serve) => {
    const counts = new Map<string | undefined, number>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== operation || !isRefusal(answer, row)) return answer;
      const { authorization } = request.headers;
      const count = (counts.get(authorization) ?? 0) + 1;
      counts.set(authorization, count);
      return count === 2 ? withBody({ ...answer, status: 200 }, { success: true, data: { id: randomUUID() } }) : answer;
    };
  };

const second = (breaks: RuleId, operation: OperationId, row: ErrorRowName): Mutant =>
  wireMutant(
    breaks,
    `second-${operation}`,
    `refuses ${operation} with ${row} the first time, and not the second`,
    relenting(operation, row),
  );

/** Servers that refuse what they should, but only the first time. */
export const secondRefusalMutants: readonly Mutant[] = [
  second("AUTH-12", "sendMessage", "Forbidden"),
  second("BRD-10", "getBrand", "NotFound"),
  second("BRD-26", "getCampaign", "NotFound"),
  second("KEYG-11", "getApiKey", "Forbidden"),
  second("KEYG-12", "getApiKey", "Forbidden"),
  second("LKP-11", "getLookup", "NotFound"),
  second("MSG-02", "sendMessage", "Forbidden"),
  second("NUM-03", "orderPhoneNumbers", "InsufficientCredit"),
  second("NUM-04", "bulkOrderPhoneNumbers", "InsufficientCredit"),
  second("NUM-11", "orderPhoneNumbers", "BrandNotVerified"),
  second("NUM-12", "getPhoneNumber", "NotFound"),
  second("NUM-42", "orderPhoneNumbers", "NotFound"),
  second("WHE-13", "testWebhookEndpoint", "NotFound"),
  second("WHL-31", "listDeliveryAttempts", "ValidationFailed"),
  second("WHL-49", "listDeliveryAttempts", "Forbidden"),
  second("WHL-50", "listDeliveryAttempts", "Forbidden"),
  second("WHP-32", "replayDelivery", "Forbidden"),
  second("WHR-16", "rotateEndpointSecret", "NotFound"),
  second("WHR-18", "rotateEndpointSecret", "Forbidden"),
];
