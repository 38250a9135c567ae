import { constants } from "../../../generated/constants.ts";
import { nearMisses } from "../../steps/near-misses/near-misses.ts";

/** Values of `Authorization` that must not authenticate, and the rule that says so. */
export interface BadAuthorization {
  readonly rule: "AUTH-02" | "AUTH-03" | "AUTH-04" | "AUTH-06";
  /** What it is, to go after "for": "a key with its last character changed". */
  readonly what: string;
  /** Of several, an obedient server may take some for valid, never all. */
  readonly values: readonly string[];
  /** To take it is only worth a warning. */
  readonly arguable: boolean;
  /** What stands before the server may refuse such a field as no HTTP: an error of another row only warns. */
  readonly strange: boolean;
}

/** Values with one defect each, made from the token of a living key. `random` gives numbers from 0 up to 1. */
export function badAuthorizations(token: string, random: () => number): readonly BadAuthorization[] {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const half = Math.ceil(token.length / 2);
  const bad =
    (rule: BadAuthorization["rule"], { arguable = false, strange = false } = {}) =>
    ([what, value]: readonly [string, string]): BadAuthorization => ({
      rule,
      what,
      values: [value],
      arguable,
      strange,
    });
  const schemes = [
    ["the scheme Basic", `Basic ${token}`],
    ["a key as user of the scheme Basic", `Basic ${base64(`${token}:`)}`],
    ["a key as password of the scheme Basic", `Basic ${base64(`bylaw:${token}`)}`],
    ...["Token", "ApiKey", "BearerToken", "Beare", "Bearers", "XBearer"].map(
      (scheme) => [`the scheme ${scheme}`, `${scheme} ${token}`] as const,
    ),
    ["a key without a scheme", token],
  ] as const;
  const malformed = [
    ["nothing", ""],
    ["a scheme without a key", "Bearer"],
    ["a blank in place of a key", "Bearer "],
    ["blanks in place of a key", "Bearer    "],
    ["a key twice", `Bearer ${token} ${token}`],
    ["a key with a word behind it", `Bearer ${token} bylaw`],
    ["a key with a word before it", `Bearer bylaw ${token}`],
    ["a key with a blank within", `Bearer ${token.slice(0, half)} ${token.slice(half)}`],
    ["a key twice, with a comma between", `Bearer ${token}, Bearer ${token}`],
    ["a key with a comma behind it", `Bearer ${token},`],
    ["a key with a semicolon behind it", `Bearer ${token};`],
    ["a key with a parameter behind it", `Bearer ${token};a=b`],
    ["a key as a parameter", `Bearer token=${token}`],
    ["a key in angle brackets", `Bearer <${token}>`],
    ["a key in quotes", `Bearer "${token}"`],
    ["a key in single quotes", `Bearer '${token}'`],
    ["no blank before the key", `Bearer${token}`],
    ["a colon behind the scheme", `Bearer: ${token}`],
    ["an equals sign behind the scheme", `Bearer=${token}`],
  ] as const;
  // A field value loses plain blanks at its end on the way; these stay.
  const padded = [
    ["a key with a no-break space behind it", `Bearer ${token}\u00a0`],
    ["a key with a no-break space before it", `Bearer \u00a0${token}`],
  ] as const;
  const keys = nearMisses(token, { kind: "secret", mark: constants.liveKeyPrefix }, random);
  return [
    ...schemes.map(bad("AUTH-02")),
    ...malformed.map(bad("AUTH-03")),
    ...padded.map(bad("AUTH-03", { strange: true })),
    // What else may stand between scheme and token, RFC 9110 (11.4) says and the document does not.
    bad("AUTH-03", { arguable: true })(["a tab before the key", `Bearer\t${token}`]),
    bad("AUTH-04")(["a key with an escape in it", `Bearer ${token.slice(0, -1)}${escaped(token.slice(-1))}`]),
    bad("AUTH-04")(["a word of a thousand letters", `Bearer ${constants.liveKeyPrefix}${"a".repeat(1000)}`]),
    bad("AUTH-04")(["a key that nobody has", `Bearer ${unknownKey(token, random)}`]),
    ...jokers(token).map(bad("AUTH-04")),
    // A front that looks for attacks may refuse it by itself.
    bad("AUTH-04", { strange: true })([
      "a quote of SQL behind its mark",
      `Bearer ${constants.liveKeyPrefix}'/**/OR/**/'1'='1`,
    ]),
    ...words.map((word) => bad("AUTH-03")([`the word ${word} in place of a key`, `Bearer ${word}`])),
    ...keys.map(({ dimension, values, arguable }) => ({
      rule: "AUTH-04" as const,
      what: `a key with ${dimension}`,
      values: values.map((value) => `Bearer ${value}`),
      arguable,
      strange: false,
    })),
    ...invalidSessions(random).map((session) => bad("AUTH-06")(["an invalid session", `Bearer ${session}`])),
  ];
}

/** What a program writes for a value that it has not. */
const words = ["null", "undefined", "true", "false", "0", "1", "NaN", "{}", "[object Object]"] as const;

/** Texts that match a key, or every key, for who looks it up by a pattern or in a statement put together from it. */
function jokers(token: string): readonly (readonly [string, string])[] {
  const mark = token.startsWith(constants.liveKeyPrefix) ? constants.liveKeyPrefix : "";
  const body = token.slice(mark.length);
  const half = Math.ceil(body.length / 2);
  return [
    ["a joker in place of a key", "Bearer *"],
    ["the joker of SQL in place of a key", "Bearer %"],
    ["its mark and the joker of SQL", `Bearer ${mark}%`],
    ["its first half and the joker of SQL", `Bearer ${mark}${body.slice(0, half)}%`],
    ["its first half and a joker", `Bearer ${mark}${body.slice(0, half)}*`],
    // Not for its last character: who decodes a key may overlook bits of that.
    ["an underscore for a character within", `Bearer ${mark}${withJoker(body, half)}`],
    ["a pattern for any text behind its mark", `Bearer ${mark}.*`],
  ];
}

/** The text with what SQL takes for any character in place of the one that stands there. */
const withJoker = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === "_" ? "%" : "_"}${text.slice(at + 1)}`;

/** A key that nobody has: as long as a living one and of the same kinds of characters at the same places. */
export function unknownKey(token: string, random: () => number): string {
  const own = token.startsWith(constants.liveKeyPrefix) ? token.slice(constants.liveKeyPrefix.length) : token;
  return constants.liveKeyPrefix + altered(own, random);
}

/** A character as an address may write it. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

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
