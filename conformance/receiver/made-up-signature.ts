import { createHmac, randomUUID } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import type { Dialect, Signed } from "./signature.ts";

/** A body with more bytes than characters. */
const body = Buffer.from('{"a":"\u00e9"}');

export const withHeaders = (...headers: Signed["headers"]): Signed => ({
  headers,
  body,
  truncated: false,
  broken: false,
});

/** A delivery with a signature in that dialect by each of these secrets. */
export function signedIn(dialect: Dialect, secrets: readonly string[]): Signed {
  const id = `${constants.eventIdPrefix}${randomUUID()}`;
  const t = "1767225600";
  const values = secrets.map((secret) => `v1=${signatureOf(dialect, secret, t, id)}`);
  return withHeaders(
    [constants.eventIdHeader, id],
    [constants.signatureHeader.toLowerCase(), [`t=${t}`, ...values].join(",")],
  );
}

function signatureOf({ key, content, encoding }: Dialect, secret: string, t: string, id: string): string {
  return createHmac("sha256", key === "raw" ? secret : Buffer.from(secret, "base64"))
    .update(content === "t.body" ? `${t}.` : `${id}.${t}.`)
    .update(body)
    .digest(encoding);
}
