import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { constants } from "../../../generated/constants.ts";
import type { World } from "../world.ts";

/** What a bearer token stands for. */
export type SecretKind = "key" | "session";

const marks: Readonly<Record<SecretKind, string>> = { key: constants.liveKeyPrefix, session: "svc_sess_" };

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Base62 digits of random: 178 bits, so that a plain hash is enough to keep them. */
const randomLength = 30;

/** Base62 digits that hold any 32-bit checksum. */
const checksumLength = 6;

const shape = new RegExp(`^(?:${Object.values(marks).join("|")})[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A mark, random digits, and a checksum by which a scanner or server tells a mistyped secret without a look-up. */
export function newSecret(kind: SecretKind, randomBytes: World["randomBytes"]): string {
  const body = randomDigits(randomBytes);
  return marks[kind] + body + checksum(body);
}

/** What kind of secret this is; null when it cannot be one. */
export function secretKind(text: string): SecretKind | null {
  if (!shape.test(text)) return null;
  const kind: SecretKind = text.startsWith(marks.key) ? "key" : "session";
  const body = text.slice(marks[kind].length, -checksumLength);
  return text.endsWith(checksum(body)) ? kind : null;
}

/** All that is kept of a secret: SHA-256 in hexadecimal. */
export const hashSecret = (secret: string): string => hash("sha256", secret);

/** Compares two hashes in a time that does not tell where they differ. */
export function sameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function randomDigits(randomBytes: World["randomBytes"]): string {
  const evenLimit = 256 - (256 % digits.length);
  let text = "";
  while (text.length < randomLength) {
    for (const byte of randomBytes(randomLength - text.length)) {
      // Bytes past the last whole multiple of 62 would favour the first digits.
      if (byte < evenLimit) text += digits.charAt(byte % digits.length);
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < checksumLength; place++) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
