import { createHmac } from "node:crypto";
import type { World } from "../world.ts";

/** How a signature is made; the contract leaves it open. */
export interface SignatureDialect {
  /** The key: the bytes that the secret encodes, or the secret's own text. */
  readonly key: "decoded" | "raw";
  /** What is signed, joined with dots. */
  readonly content: "time-body" | "id-time-body";
  readonly encoding: "hex" | "base64";
}

export const usualDialect: SignatureDialect = { key: "decoded", content: "time-body", encoding: "hex" };

/** As long as the digest of the HMAC: more adds no strength. */
const secretBytes = 32;

/** A secret to sign with: base64. */
export const newSigningSecret = (randomBytes: World["randomBytes"]): string =>
  Buffer.from(randomBytes(secretBytes)).toString("base64");

export interface Signed {
  readonly eventId: string;
  /** Unix time of the signature. */
  readonly seconds: number;
  /** Exactly the bytes that are sent. */
  readonly body: Uint8Array;
}

/** `t=<seconds>,v1=<signature>`, with one signature (HMAC-SHA-256) for each secret, in their order. */
export function signatureHeader(
  signed: Signed,
  secrets: readonly [string, ...string[]],
  dialect: SignatureDialect = usualDialect,
): string {
  return [`t=${signed.seconds}`, ...secrets.map((secret) => `v1=${signature(signed, secret, dialect)}`)].join(",");
}

function signature({ eventId, seconds, body }: Signed, secret: string, dialect: SignatureDialect): string {
  const key = dialect.key === "decoded" ? Buffer.from(secret, "base64") : secret;
  const prefix = dialect.content === "time-body" ? `${seconds}.` : `${eventId}.${seconds}.`;
  return createHmac("sha256", key).update(prefix).update(body).digest(dialect.encoding);
}
