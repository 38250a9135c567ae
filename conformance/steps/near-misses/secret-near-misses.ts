import { arguableMiss, changesOf, miss, type NearMiss } from "./near-miss.ts";

/** Characters that may be changed; others may separate parts. */
const changeable = /[0-9A-Za-z]/;

/**
 * Near misses of a secret that begins with `mark`, such as a key or a cursor. Changed characters are taken from the
 * secret's own, so that it stays of one alphabet. `random` gives numbers from 0 up to 1.
 */
export function secretNearMisses(secret: string, mark: string, random: () => number): readonly NearMiss[] {
  const head = secret.startsWith(mark) ? mark : "";
  const body = secret.slice(head.length);
  const padding = /[^0-9A-Za-z]*$/.exec(body)?.[0] ?? "";
  const core = body.slice(0, body.length - padding.length);
  const missAtEnd = padding === "" ? miss : arguableMiss;
  const half = Math.ceil(body.length / 2);
  const [first, second] = [body.slice(0, half), body.slice(half)];
  const alphabet = [...new Set(body)].filter((character) => changeable.test(character));
  const other = (character: string): string => {
    const others = alphabet.filter((a) => a !== character);
    return changeable.test(character) ? (others[Math.floor(random() * others.length)] ?? character) : character;
  };
  const altered = (text: string): string => [...text].map(other).join("");
  const more = altered(body.slice(0, 4));
  const within = { head, body, last: core.length - 1, other, random };
  return changesOf(secret, [
    ...oneCharacterChanged(within),
    miss("its last character changed", ...lastChanged(head + core, alphabet).map((changed) => changed + padding)),
    missAtEnd("its last character left out", secret.slice(0, -1)),
    miss("its second half changed", head + first + altered(second)),
    miss("its second half left out", head + first),
    miss("its first half changed", head + altered(first) + second),
    // Decoders may overlook what makes up no whole byte, or follows the padding.
    missAtEnd("characters added at its end", ...[1, 2, 4].map((count) => secret + more.slice(0, count))),
    miss("a character added before it", head + more.slice(0, 1) + body),
    miss("its first character left out", head + body.slice(1)),
    ...inOtherCase(head, body),
    ...(head === "" ? [] : [miss("its mark alone", head), miss("its mark left out", body)]),
    ...(head === "" ? [] : [arguableMiss("its mark in upper case", head.toUpperCase() + body)]),
  ]);
}

interface Within {
  readonly head: string;
  readonly body: string;
  /** Place of the last changeable character in the body. */
  readonly last: number;
  readonly other: (character: string) => string;
  readonly random: () => number;
}

/** One character in each quarter, but for the last of all, whose low bits an encoding may not use. */
function oneCharacterChanged({ head, body, last, other, random }: Within): readonly NearMiss[] {
  const places = [...body.slice(0, last)].flatMap((character, at) => (changeable.test(character) ? [at] : []));
  const quarter = places.length / 4;
  const chosen = [0, 1, 2, 3].map((q) => places[Math.floor((q + random()) * quarter)]);
  return [...new Set([places[0], ...chosen])]
    .filter((at) => at !== undefined)
    .map((at) => {
      const changed = other(body.charAt(at));
      const place = head.length + at + 1;
      return miss(
        `character ${place} of ${head.length + body.length} changed`,
        head + body.slice(0, at) + changed + body.slice(at + 1),
      );
    });
}

/**
 * The outermost characters of the alphabet in the two orders in which encodings number them: where the last character
 * has spare low bits, some of these differ from it in the high ones.
 */
function lastChanged(secret: string, alphabet: readonly string[]): readonly string[] {
  const ascii = alphabet.toSorted();
  const lettersFirst = [...ascii.filter((a) => !/\d/.test(a)), ...ascii.filter((a) => /\d/.test(a))];
  const outermost = [ascii, lettersFirst].flatMap((order) => [order.at(0) ?? "", order.at(-1) ?? ""]);
  return outermost
    .map((character) => secret.slice(0, -1) + character)
    .filter((changed) => changed.length === secret.length);
}

/** A secret that uses both cases tells them apart; one that does not may be digits to which case is nothing. */
function inOtherCase(head: string, body: string): readonly NearMiss[] {
  const mixed = /[a-z]/.test(body) && /[A-Z]/.test(body);
  const missOf = mixed ? miss : arguableMiss;
  const swapped = [...body].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
  const letter = [...body].findIndex((c) => /[A-Za-z]/.test(c));
  const one = body.slice(0, letter) + swapped.charAt(letter) + body.slice(letter + 1);
  return [
    missOf("upper and lower case swapped", head + swapped),
    missOf("all in upper case", head + body.toUpperCase()),
    missOf("all in lower case", head + body.toLowerCase()),
    ...(letter < 0 ? [] : [missOf("one letter in the other case", head + one)]),
  ];
}
