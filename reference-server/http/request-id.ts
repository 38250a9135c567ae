import { randomUUIDv7 } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Choices } from "../../generated/choices.ts";
import { constants } from "../../generated/constants.ts";

/** What of a client's own identifiers can be repeated: nothing that ends a line of a log. */
const harmless = /^[\w.:-]{1,128}$/;

/** The server's own, which sorts by time. The client's is taken over only by choice. */
export function requestIdFor(request: IncomingMessage, choice: Choices["requestId"]): string {
  const given = request.headers[constants.requestIdHeader.toLowerCase()];
  return choice === "echo" && typeof given === "string" && harmless.test(given) ? given : newRequestId();
}

export const newRequestId = (): string => `req_${randomUUIDv7()}`;
