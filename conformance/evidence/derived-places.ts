import { isDeepStrictEqual } from "node:util";
import { constants } from "../../generated/constants.ts";
import { deliveryHeaders } from "../../generated/events.ts";
import { type Delivery, headerValues, jsonOfDelivery } from "../exchange/delivery.ts";
import { type Exchange, headerOf, summaryOf } from "../exchange/exchange.ts";
import { retryAfterHeader } from "../exchange/retry-after.ts";
import { differences } from "./differences.ts";
import { childPointer, namesIn, valuesIn } from "./json-pointer.ts";
import { atDeliveryHeader, atMember, atPart, header, type Place, status } from "./place.ts";

/** What a check compared and what shows it. */
export interface Compared {
  readonly what: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

type Whole = Exchange | Delivery;

/** What was seen, in order: the last shows a breach, and what came before led there. */
type Evidence = readonly Whole[];

/**
 * Where a breach shows: where two values that were compared differ, or else where the words of the finding point. Empty
 * where neither leads to one place: nothing is better than a wrong one.
 */
export function derivedPlaces(words: Words, compared: Compared | null, evidence: Evidence): readonly Place[] {
  const latest = evidence.toReversed();
  try {
    return (compared === null ? placesOfWords(words, latest) : placesOfDifference(compared, latest)).slice(
      0,
      mostPlaces,
    );
  } catch (error) {
    // A body may be nested deeper than anybody can walk: a breach stays one without a place.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** What is told of a breach. */
interface Words {
  readonly expected: string;
  readonly actual: string;
}

/** Differences of one comparison that are told. */
const mostPlaces = 20;

/**
 * The actual value is found in the evidence where it stands there once or under the name; where it does not, each part of
 * it that differs may.
 */
function placesOfDifference({ what, actual, expected }: Compared, latest: Evidence): readonly Place[] {
  const root = placeOfValue(actual, namedIn(what), latest) ?? placeOfMissing(what, actual, latest);
  return differences(expected, actual).map(({ pointer, expected: admitted, actual: seen }) => {
    if (root !== null) return atMember(inOf(root.whole), root.pointer + pointer, admitted, seen);
    const own = isTelling(seen) ? placeOfValue(seen, namesIn(pointer).slice(-1), latest) : null;
    return own === null
      ? atMember(null, pointer, admitted, seen)
      : atMember(inOf(own.whole), own.pointer, admitted, seen);
  });
}

/** A status that the words tell, a header or a member that they name, a value that they quote, or what is to verify. */
function placesOfWords({ expected, actual }: Words, latest: Evidence): readonly Place[] {
  const told = latest.filter((whole) => "outcome" in whole).find((exchange) => actual.includes(summaryOf(exchange)));
  // What stands beside the status is what is wrong with an answer whose status is not.
  const rest = told === undefined ? actual : actual.replace(summaryOf(told), "");
  const named = headerNamed(rest, latest) ?? (told === undefined ? headerNamed(expected, latest) : null);
  if (named !== null) return [placeOfHeader(named, expected)];
  if (told !== undefined) return [atPart(told, status, expected)];
  const quoted = headerQuoted(expected, actual, latest) ?? (/\bverif/.test(expected) ? signatureIn(latest) : null);
  if (quoted !== null) return [placeOfHeader(quoted, expected)];
  const found =
    placesCalled(actual, latest) ??
    listed(placeOfQuoted(expected, actual, latest)) ??
    placesCalled(expected, latest) ??
    listed(placeOfName(namedIn(expected), latest) ?? placeOfMissing(expected, undefined, latest)) ??
    [];
  return found.map(({ whole, pointer, value }) => ({
    ...atMember(inOf(whole), pointer, null, value),
    admitted: expected,
  }));
}

const listed = (found: Found | null): readonly Found[] | null => (found === null ? null : [found]);

const inOf = (whole: Whole): Place["in"] => ({
  kind: "outcome" in whole ? "exchange" : "delivery",
  number: whole.number,
});

interface Found {
  readonly whole: Whole;
  readonly pointer: string;
  readonly value: unknown;
}

/** Where a value stands that one body has once, or under one of these names. */
function placeOfValue(value: unknown, names: readonly string[], latest: Evidence): Found | null {
  if (value === undefined) return null;
  for (const whole of latest) {
    const places = [...valuesIn(jsonOf(whole))].filter(([, own]) => isDeepStrictEqual(own, value));
    const named = places.filter(([pointer]) => names.includes(namesIn(pointer).at(-1) ?? ""));
    const [place, ...others] = named.length > 0 ? named : isTelling(value) ? places : [];
    if (place !== undefined) return others.length > 0 ? null : { whole, pointer: place[0], value };
  }
  return null;
}

/** The members that words call by their way from the top, such as `error.hint`, in the latest body that has any; null for none. */
function placesCalled(words: string, latest: Evidence): readonly Found[] | null {
  const ways = waysIn(words)
    .filter((way) => way.length > 1)
    .map((way) => way.join("."));
  for (const whole of latest) {
    const places = [...valuesIn(jsonOf(whole))].filter(([at]) => ways.includes(namesIn(at).join(".")));
    if (places.length > 0) return places.map(([pointer, value]) => ({ whole, pointer, value }));
  }
  return null;
}

/** Where what was seen stands: all of the words, or one of them that was not expected. */
function placeOfQuoted(expected: string, actual: string, latest: Evidence): Found | null {
  const whole = placeOfValue(quotedIn(actual), namedIn(expected), latest);
  if (whole !== null) return whole;
  for (const token of unexpectedIn(expected, actual)) {
    const place = firstOfOneName(token, latest);
    if (place !== null) return place;
  }
  return null;
}

/** Words of what was seen that look like values, and were not expected. */
const unexpectedIn = (expected: string, actual: string): readonly string[] =>
  (actual.match(/[\w.~+/:%@-]{8,}/g) ?? []).filter((text) => /[\d._-]/.test(text) && !expected.includes(text));

/** The header of a delivery that has such a word for its value. */
function headerQuoted(expected: string, actual: string, latest: Evidence): NamedHeader | null {
  for (const token of unexpectedIn(expected, actual))
    for (const whole of latest) {
      const header = "outcome" in whole ? undefined : whole.headers.find(([, value]) => value === token);
      if (header !== undefined) return { whole, name: header[0], value: token };
    }
  return null;
}

/** What is to verify: the signature of the last delivery that has one. */
function signatureIn(latest: Evidence): NamedHeader | null {
  const name = constants.signatureHeader;
  const whole = latest.find((one) => !("outcome" in one) && headerIn(one, name) !== null);
  return whole === undefined ? null : { whole, name, value: headerIn(whole, name) };
}

/** The outermost place of a value in the latest body that has it; null where several names have it there. */
function firstOfOneName(value: string, latest: Evidence): Found | null {
  for (const whole of latest) {
    const places = [...valuesIn(jsonOf(whole))].filter(([, own]) => own === value).map(([pointer]) => pointer);
    const depth = Math.min(...places.map((pointer) => namesIn(pointer).length));
    const outermost = places.filter((pointer) => namesIn(pointer).length === depth);
    const [first] = outermost;
    if (first !== undefined)
      return new Set(outermost.map((at) => namesIn(at).at(-1))).size === 1 ? { whole, pointer: first, value } : null;
  }
  return null;
}

/** Where the one member of such a name stands, in the latest body that has one. */
function placeOfName(names: readonly string[], latest: Evidence): Found | null {
  for (const whole of latest) {
    const places = [...valuesIn(jsonOf(whole))].filter(([at]) => names.includes(namesIn(at).at(-1) ?? ""));
    const [place, ...others] = places;
    if (place !== undefined) return others.length > 0 ? null : { whole, pointer: place[0], value: place[1] };
  }
  return null;
}

/** Where a member would stand that is called by its way, such as `meta.total`, or that a single record should have. */
function placeOfMissing(what: string, value: unknown, latest: Evidence): Found | null {
  const [whole] = latest;
  if (value !== undefined || whole === undefined) return null;
  const body = jsonOf(whole);
  const asked = parametersOf(whole);
  for (const way of waysIn(what)) {
    // What was asked by is no member that is missing.
    if (way.length === 1 && asked.has(way[0] ?? "")) continue;
    const parent = [...valuesIn(body)].find(([at]) => namesIn(at).join(".") === way.slice(0, -1).join("."));
    if (parent !== undefined && isObject(parent[1]))
      return { whole, pointer: childPointer(parent[0], way.at(-1) ?? ""), value: undefined };
  }
  return null;
}

/** Names of what a request was asked by. */
const parametersOf = (whole: Whole): ReadonlySet<string> =>
  new Set("outcome" in whole && URL.canParse(whole.request.url) ? new URL(whole.request.url).searchParams.keys() : []);

/** Ways to members that words call by them: as they stand, and below `data`, where a name alone belongs first. */
const waysIn = (words: string): readonly (readonly string[])[] =>
  (words.match(/\b[a-z]\w*(?:\.[a-z]\w*)+\b|\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).flatMap((text) => {
    const way = text.split(".");
    return way.length === 1 ? [["data", ...way], way] : [way, ["data", ...way]];
  });

/** Names of members that words may mean: those with an underscore or a dot anywhere, or any word that stands first. */
const namedIn = (words: string): readonly string[] => [
  ...waysIn(words).map((way) => way.at(-1) ?? ""),
  ...(/^[a-z]\w+/.exec(words) ?? []),
];

/** The value of JSON that words are; undefined where they are none. */
function quotedIn(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return isTelling(words) && /^\S+$/.test(words) ? words : undefined;
  }
}

/** What does not stand in a body by chance. */
const isTelling = (value: unknown): boolean =>
  (typeof value === "string" && value.length >= 8) ||
  (typeof value === "object" && value !== null && Object.keys(value).length > 0);

function jsonOf(whole: Whole): unknown {
  if ("outcome" in whole) return whole.outcome.kind === "response" ? whole.outcome.json : undefined;
  return jsonOfDelivery(whole);
}

interface NamedHeader {
  readonly whole: Whole;
  readonly name: string;
  /** Null where it is missing. */
  readonly value: string | null;
}

const placeOfHeader = ({ whole, name, value }: NamedHeader, admitted: string): Place =>
  "outcome" in whole ? atPart(whole, header(name), admitted) : atDeliveryHeader(whole, name, admitted, value);

/** Headers of the contract, which may be missing. */
const knownHeaders: ReadonlySet<string> = new Set(
  [...deliveryHeaders.map(({ name }) => name), constants.requestIdHeader, retryAfterHeader].map((name) =>
    name.toLowerCase(),
  ),
);

/** A header that the words call by its name; of the latest that has it, or could. */
function headerNamed(words: string, latest: Evidence): NamedHeader | null {
  const names = words.match(/\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+\b/g) ?? [];
  for (const name of names) {
    const whole = latest.find((one) => headerIn(one, name) !== null);
    if (whole !== undefined) return { whole, name, value: headerIn(whole, name) };
  }
  const whole = latest.find((one) => !("outcome" in one) || one.outcome.kind === "response");
  const name = names.find((one) => knownHeaders.has(one.toLowerCase()));
  return whole === undefined || name === undefined ? null : { whole, name, value: null };
}

function headerIn(whole: Whole, name: string): string | null {
  if ("outcome" in whole) return headerOf(whole, name);
  const values = headerValues(whole, name);
  return values.length === 0 ? null : values.join(", ");
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
