import { createHmac, timingSafeEqual } from "node:crypto";

/** How deliveries are signed: an HMAC, told by a header of the form `<time>=<unix seconds>,<signature>=<digest>`. */
export interface SignatureScheme {
  /** Name of the header, and what stands before the time and before each signature in it. */
  readonly header: string;
  readonly time: string;
  readonly signature: string;
  readonly hash: string;
  /** The key: the bytes that a secret encodes, or its own text. */
  readonly key: "base64" | "text";
  /** What is signed, joined with dots: `time`, `body`, or the value of the header of that name. */
  readonly content: readonly string[];
  readonly encoding: "hex" | "base64";
  /** Seconds by which the time may be off. */
  readonly toleranceSeconds: number;
}

/** A request as it came: of the body the very bytes, since it is they that are signed. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | string;
}

export interface VerifyOptions {
  /** Seconds by which the time may be off, instead of the scheme's. */
  readonly toleranceSeconds?: number;
  /** The present time in milliseconds since 1970. */
  readonly now?: number;
  /** What the server does otherwise than the scheme says, where the contract leaves that open. */
  readonly scheme?: Partial<SignatureScheme>;
}

/**
 * `unsigned`: there is no signature; `malformed`: it is not of the scheme's form; `expired`: its time is too far off;
 * `forged`: no secret made it; `not-json`: it is genuine and the body is no JSON.
 */
export type Verified<Event> =
  | { readonly ok: true; readonly event: Event; readonly signedAt: Date }
  | { readonly ok: false; readonly reason: "unsigned" | "malformed" | "expired" | "forged" | "not-json" };

/**
 * Whether one of the secrets signed a delivery, and what it holds. Digests are compared in constant time. A header that
 * came several times, as an array or joined with commas, holds as many signatures. A secret without a byte, such as one
 * that is not set yet, signs nothing: anybody could sign with it.
 */
export function verifySigned<Event>(
  usual: SignatureScheme,
  { headers, body }: Delivery,
  secrets: string | readonly string[],
  { now = Date.now(), scheme: otherwise = {}, ...options }: VerifyOptions,
): Verified<Event> {
  const scheme = { ...usual, ...otherwise };
  const header = headerOf(headers, scheme.header);
  if (header === undefined || header === "") return { ok: false, reason: "unsigned" };
  const signatures = signaturesIn(header, scheme);
  if (signatures.size === 0) return { ok: false, reason: "malformed" };
  const tolerance = options.toleranceSeconds ?? scheme.toleranceSeconds;
  const fresh = [...signatures].filter(([time]) => Math.abs(now / 1000 - Number(time)) <= tolerance);
  if (fresh.length === 0) return { ok: false, reason: "expired" };
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const keys = (typeof secrets === "string" ? [secrets] : secrets)
    .map((secret) => Buffer.from(secret, scheme.key === "base64" ? "base64" : "utf8"))
    .filter((key) => key.length > 0);
  const genuine = fresh.find(([time, digests]) =>
    keys.some((key) => {
      const own = digestOf(scheme, key, time, bytes, headers);
      return digests.some((digest) => isEqual(digest, own));
    }),
  );
  if (genuine === undefined) return { ok: false, reason: "forged" };
  try {
    const event = JSON.parse(Buffer.from(bytes).toString("utf8")) as Event;
    return { ok: true, event, signedAt: new Date(Number(genuine[0]) * 1000) };
  } catch {
    return { ok: false, reason: "not-json" };
  }
}

function headerOf(headers: Delivery["headers"], name: string): string | undefined {
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  return found === undefined || typeof found === "string" ? found : found.join(",");
}

/** The signatures of a header by the time that stands before them: the body is hashed once for each, however many there are. */
function signaturesIn(header: string, scheme: SignatureScheme): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let time: string | undefined;
  for (const part of header.split(",")) {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, Math.max(at, 0)).trimStart(), part.slice(at + 1).trimEnd()];
    if (name === scheme.time) time = /^\d{1,12}$/.test(value) ? value : undefined;
    if (name !== scheme.signature || time === undefined) continue;
    const digests = found.get(time);
    if (digests === undefined) found.set(time, [value]);
    else digests.push(value);
  }
  return found;
}

function digestOf(
  scheme: SignatureScheme,
  key: Uint8Array,
  time: string,
  body: Uint8Array,
  headers: Delivery["headers"],
): string {
  const hmac = createHmac(scheme.hash, key);
  scheme.content.forEach((part, index) => {
    if (index > 0) hmac.update(".");
    hmac.update(part === "body" ? body : part === "time" ? time : (headerOf(headers, part) ?? ""));
  });
  return hmac.digest(scheme.encoding);
}

/** How long it takes tells nothing of where the two differ. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
