import { livePrefix } from "../api-keys/rotated-key.ts";

/** A value of `Authorization` that must not authenticate, and the rule that says so. */
export interface BadAuthorization {
  readonly rule: "AUTH-02" | "AUTH-03" | "AUTH-04" | "AUTH-06";
  readonly value: string;
}

/** Values with one defect each, made from the token of a living key. */
export function badAuthorizations(token: string, random: () => number): readonly BadAuthorization[] {
  const values: Readonly<Record<BadAuthorization["rule"], readonly string[]>> = {
    "AUTH-02": [`Basic ${token}`, `Token ${token}`, `ApiKey ${token}`, `BearerToken ${token}`, token],
    "AUTH-03": ["", "Bearer", "Bearer ", "Bearer    ", `Bearer ${token} ${token}`],
    "AUTH-04": [`Bearer ${unknownKey(token, random)}`],
    "AUTH-06": invalidSessions(random).map((session) => `Bearer ${session}`),
  };
  return Object.entries(values).flatMap(([rule, all]) =>
    all.map((value) => ({ rule: rule as BadAuthorization["rule"], value })),
  );
}

/** A key that nobody has: as long as a living one and of the same kinds of characters at the same places. */
export function unknownKey(token: string, random: () => number): string {
  const own = token.startsWith(livePrefix) ? token.slice(livePrefix.length) : token;
  return livePrefix + altered(own, random);
}

/** The same token but for its second half. */
export function spoilt(token: string, random: () => number): string {
  const half = Math.floor(token.length / 2);
  return token.slice(0, half) + altered(token.slice(half), random);
}

/** The document does not show what a session token looks like: an opaque one and two of the common signed form. */
function invalidSessions(random: () => number): readonly string[] {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = part({ sub: "bylaw", exp: 4_102_444_800 });
  return [
    altered("aaaaaaaaaa0000000000AAAAAAAAAA0000000000", random),
    `${part({ alg: "none", typ: "JWT" })}.${claims}.`,
    `${part({ alg: "HS256", typ: "JWT" })}.${claims}.${altered("a0A0".repeat(10), random)}`,
  ];
}

const alphabets = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] as const;

/** Each digit becomes another digit and each letter another letter of its case. */
const altered = (text: string, random: () => number): string =>
  [...text]
    .map((character) => {
      const alphabet = alphabets.find((a) => a.includes(character));
      if (alphabet === undefined) return character;
      const step = 1 + Math.floor(random() * (alphabet.length - 1));
      return alphabet[(alphabet.indexOf(character) + step) % alphabet.length];
    })
    .join("");
