import type { IncomingMessage } from "node:http";

/** The token of a single well-formed `Authorization: Bearer` header. The scheme's case does not matter. */
export function bearerToken(request: IncomingMessage): string | null {
  const headers = valuesOf(request, "authorization");
  const [only = ""] = headers;
  return headers.length === 1 ? (/^bearer +(\S+)$/i.exec(only)?.[1] ?? null) : null;
}

/** Each value of one header by itself. `headersDistinct` would sort all others too. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
