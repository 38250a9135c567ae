import { createHmac, timingSafeEqual } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { deliveryHeaders } from "../../generated/events.ts";
import { type Delivery, headerValues } from "../exchange/delivery.ts";

/** What of a delivery its signature is about. */
export type Signed = Pick<Delivery, "headers" | "body" | "truncated" | "broken">;

/** A signature header that has the contract's form. */
export type ParsedSignature =
  | {
      readonly ok: true;
      /** When the request was signed, as it was written. */
      readonly t: string;
      /** The same in milliseconds since the epoch. */
      readonly signedAt: number;
      /** Values of `v1`; any of them may verify. */
      readonly values: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

const pattern = new RegExp(deliveryHeaders.find(({ name }) => name === constants.signatureHeader)?.pattern ?? "", "u");

/** Reads the signature header by the contract's pattern and nothing looser. */
export function parseSignature(delivery: Pick<Delivery, "headers">): ParsedSignature {
  const [value, ...others] = headerValues(delivery, constants.signatureHeader);
  if (value === undefined) return { ok: false, why: `there is no ${constants.signatureHeader} header` };
  if (others.length > 0) return { ok: false, why: `${constants.signatureHeader} is there ${others.length + 1} times` };
  if (!pattern.test(value))
    return { ok: false, why: `${constants.signatureHeader} is not of the form ${pattern.source}` };
  const [first = "", ...rest] = value.split(",");
  const t = first.slice("t=".length);
  return { ok: true, t, signedAt: Number(t) * 1000, values: rest.map((part) => part.slice("v1=".length)) };
}

/** One of the ways to sign that the document leaves open; all are HMAC-SHA-256. */
export interface Dialect {
  /** Bytes that the secret stands for in base64, or its characters. */
  readonly key: "decoded" | "raw";
  /** What is signed: `t`, a full stop and the body, or the event's id and a full stop before that. */
  readonly content: "t.body" | "id.t.body";
  readonly encoding: "hex" | "base64";
}

/** The reference's first. */
export const dialects: readonly Dialect[] = (["t.body", "id.t.body"] as const).flatMap((content) =>
  (["decoded", "raw"] as const).flatMap((key) =>
    (["hex", "base64"] as const).map((encoding) => ({ key, content, encoding })),
  ),
);

/** Such as "HMAC-SHA-256 over t.body with the decoded secret, in hex". */
export const dialectText = ({ key, content, encoding }: Dialect): string =>
  `HMAC-SHA-256 over ${content} with the ${key} secret, in ${encoding}`;

/** The dialects in which some value of the signature verifies. */
export const dialectsOf = (delivery: Signed, secret: string): readonly Dialect[] =>
  dialects.filter((dialect) => verifiesIn(dialect, delivery, secret));

/** Whether some value of the signature is that of the bytes received; compares in constant time. */
function verifiesIn(dialect: Dialect, delivery: Signed, secret: string): boolean {
  const parsed = parseSignature(delivery);
  if (!parsed.ok || delivery.truncated || delivery.broken) return false;
  const key = keyOf(secret, dialect.key);
  const head = headOf(dialect.content, parsed.t, headerValues(delivery, constants.eventIdHeader));
  if (key === null || head === null) return false;
  const expected = createHmac("sha256", key).update(head).update(delivery.body).digest();
  return parsed.values.some((value) => {
    const bytes = bytesOf(value, dialect.encoding);
    return bytes !== null && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

function keyOf(secret: string, form: Dialect["key"]): Buffer | null {
  if (form === "raw") return Buffer.from(secret, "utf8");
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(secret) ? Buffer.from(secret, "base64") : null;
}

/** What is signed before the body; null when the delivery has no one event id to begin it with. */
function headOf(content: Dialect["content"], t: string, ids: readonly string[]): string | null {
  if (content === "t.body") return `${t}.`;
  const [id, ...others] = ids;
  return id === undefined || others.length > 0 ? null : `${id}.${t}.`;
}

/** The bytes of a signature of SHA-256's length; null when it is written in another way. */
function bytesOf(value: string, encoding: Dialect["encoding"]): Buffer | null {
  if (encoding === "hex") return /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, "hex") : null;
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, "base64") : null;
}
