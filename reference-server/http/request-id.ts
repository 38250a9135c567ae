import { randomUUIDv7 } from "node:crypto";

/** Name of the header that every answer has. */
export const requestIdHeader = "X-Request-Id";

/** Ours alone: an identifier that the client sends is not taken over. Sorts by time. */
export const newRequestId = (): string => `req_${randomUUIDv7()}`;
