import type { IncomingMessage } from "node:http";

/** The token of a single well-formed `Authorization: Bearer` header. The scheme's case does not matter. */
export function bearerToken(request: IncomingMessage): string | null {
  const headers = request.headersDistinct.authorization ?? [];
  const [only = ""] = headers;
  return headers.length === 1 ? (/^bearer +(\S+)$/i.exec(only)?.[1] ?? null) : null;
}
