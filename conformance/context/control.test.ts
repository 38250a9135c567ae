import { expect, test } from "vitest";
import type { OperationId } from "../../generated/operations.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { control } from "./control.ts";

const refused = (
  operation: OperationId,
  code: string,
  details?: Readonly<Record<string, string>>,
  status = 422,
): Exchange => {
  const json = { success: false, error: { code, message: "m", request_id: "r", details } };
  return {
    ...{ number: 1, operation, credential: null, startedAt: 0, sentAt: 0, answeredAt: 1, durationMs: 1 },
    request: { method: "POST", url: "http://made-up/", headers: {}, body: null },
    outcome: { kind: "response", status, headers: {}, text: JSON.stringify(json), json, truncated: false },
  };
};

function blockedBy(exchange: Exchange): Blocked {
  try {
    control(exchange, "searching");
  } catch (error) {
    if (error instanceof Blocked) return error;
  }
  throw new Error("It did not block.");
}

test("a request of a shape that the document leaves open, which was not understood, names fields and shapes", () => {
  const { message, unblock } = blockedBy(refused("searchPhoneNumbers", "VALIDATION_FAILED", { area_code: "missing" }));
  expect(message).toBe("searching was answered 422 VALIDATION_FAILED for area_code");
  expect(unblock).toMatch(/generated\/openapi\.yaml has for searchPhoneNumbers.*shapes in the target file/);
});

test("what is refused for another reason, or has a shape that the document shows, points at rules", () => {
  for (const exchange of [refused("searchPhoneNumbers", "FORBIDDEN"), refused("createApiKey", "VALIDATION_FAILED")])
    expect(blockedBy(exchange).unblock).toBe("see the rules on this request first");
});

test("what a server says it does not offer is to be offered", () => {
  const { message, unblock } = blockedBy(refused("uploadMedia", "MMS_DISABLED", undefined, 503));
  expect(message).toBe("searching was answered 503 MMS_DISABLED");
  expect(unblock).toBe("have the server offer what it says is not available, if it can");
});
