import { isDeepStrictEqual } from "node:util";
import { abstracted, unnamed } from "../evidence/abstracted.ts";
import { parsedBody } from "./parsed-body.ts";

/** A call like one that shows a breach, and how it fared. */
export interface CallAlike {
  /** Its number in the run. */
  readonly exchange: number;
  /** Whether it was answered as it is to be. */
  readonly holds: boolean;
  /** What was wanted of it, in words; null where nothing is said. */
  readonly expected: string | null;
  /** What came of it, such as "402". */
  readonly came: string;
  /**
   * What it was made of by name, as JSON: members, parameters, headers, settings of its organization; or in words, as how a
   * moment stands to another.
   */
  readonly parts: ReadonlyMap<string, string>;
}

/** Calls alike that differ from others by the same. */
export interface AlikeRow {
  readonly holds: boolean;
  /** By what, such as `amount 5, with min_topup_cents 5000 → 402`. */
  readonly says: string;
  readonly times: number;
}

/** Rows of either kind that are told; of more where all of them are values of one thing. */
const mostRows = { ofSeveral: 4, ofOne: 8 };

/** The same where all failed: what differs among them explains little. */
const mostFailedAlone = 2;

/** Calls of either kind that are looked at. */
const mostCompared = 30;

/**
 * How calls alike fared, each by what it differs in from the others: those that failed first, and of either kind first
 * those that differ least from the one asked about, by its number. None where nothing tells them apart, or where only one
 * was made.
 */
export function rowsOf(
  calls: readonly CallAlike[],
  asked: number,
  redact: (text: string) => string,
): readonly AlikeRow[] {
  const order = calls.toSorted((one, other) => Number(other.exchange === asked) - Number(one.exchange === asked));
  const [failed, held] = [order.filter(({ holds }) => !holds), order.filter(({ holds }) => holds)];
  // Before anything is cut: a part of a secret is none that is known.
  const compared = [...failed.slice(0, mostCompared), ...held.slice(0, mostCompared)].map((call) => ({
    ...call,
    expected: call.expected === null ? null : redact(call.expected),
    came: redact(call.came),
    parts: new Map([...call.parts].map(([name, json]) => [name, redact(json)])),
  }));
  const tellings = tellingsOf(compared);
  const words = wordsApart(compared.map(({ expected }) => abstracted(expected ?? "")));
  // A bare figure does not say of what it is one, and a value that the call was made with is told of its part.
  const isTold = words.some((text) => /\p{L}/u.test(text.replace("‹figure›", "")));
  const isSent = compared.every(({ parts }, at) => [...parts.values()].includes(JSON.stringify(words[at])));
  const wanted = isTold && !isSent ? words : words.map(() => "");
  if (compared.length < 2 || (tellings.length === 0 && wanted.every((words) => words === ""))) return [];
  const told = decidingOnly(
    compared.map(({ holds, came, parts }, index): Row => {
      return { holds, came, texts: [wanted[index] ?? "", ...tellings.map(({ of }) => of(parts))], times: 1 };
    }),
    // Behind what was wanted.
    tellings.findIndex(({ name }) => !isBelonging(name)) + 1,
  );
  const [asking] = told;
  const distance = ({ texts }: Row): number => texts.filter((text, index) => text !== asking?.texts[index]).length;
  const isOfOne = told.every(({ texts }) => texts.length === 1);
  const nearest = (wantsHeld: boolean): readonly Row[] =>
    merged(told.filter(({ holds }) => holds === wantsHeld))
      .toSorted((one, other) => distance(one) - distance(other))
      .slice(0, held.length === 0 ? mostFailedAlone : isOfOne ? mostRows.ofOne : mostRows.ofSeveral);
  const rows = withoutShared(explaining([...nearest(false), ...nearest(true)]));
  // That something may be there or not tells nothing where all failed.
  if (held.length === 0 && rows.some(({ texts }) => texts.every((text) => text === ""))) return [];
  return rows.map(({ holds, texts, came, times }) => {
    const apart = texts
      .filter((text) => text !== "")
      .slice(0, mostTold)
      .join(", ");
    return { holds, says: `${apart === "" ? "without any of these" : apart} → ${cut(came, valueLimit)}`, times };
  });
}

/** Values that all calls share and that could be others, such as `mode "defer"`, where all of them failed; at most three. */
export function neverVaried(calls: readonly CallAlike[], redact: (text: string) => string): readonly string[] {
  const [first, ...others] = calls;
  if (first === undefined || others.length === 0 || calls.some(({ holds }) => holds)) return [];
  const isChosen = (name: string, json: string): boolean =>
    !isBelonging(name) && /^(-?\d{1,9}|true|false|"[a-z][a-z_.:-]{0,39}")$/i.test(json);
  return [...first.parts]
    .filter(([name, json]) => isChosen(name, json) && others.every(({ parts }) => parts.get(name) === json))
    .map(([name, json]) => redact(`${name} ${json}`))
    .slice(0, mostShared);
}

/** Values that are told of calls that all failed. */
const mostShared = 3;

/** Calls of which the same is told. */
interface Row extends Pick<CallAlike, "holds" | "came"> {
  /** One text for each difference. */
  readonly texts: readonly string[];
  readonly times: number;
}

const merged = (rows: readonly Row[]): readonly Row[] =>
  [...Map.groupBy(rows, ({ came, texts }) => JSON.stringify([abstracted(came), texts])).values()].flatMap(
    ([first, ...others]) =>
      first === undefined ? [] : { ...first, times: first.times + others.reduce((sum, { times }) => sum + times, 0) },
  );

/**
 * Rows with what decides alone: a difference of which every value is of those that failed or of those that held, or else two
 * that are so together, of several the plainest; `own` is the first of what a call itself was made with. As they are where nothing decides.
 */
function decidingOnly(rows: readonly Row[], own: number): readonly Row[] {
  const columns = [...(rows[0]?.texts.keys() ?? [])];
  const values = (some: readonly number[], holds: boolean): ReadonlySet<string> =>
    new Set(rows.filter((row) => row.holds === holds).map(({ texts }) => JSON.stringify(some.map((at) => texts[at]))));
  const variety = (some: readonly number[]): number => values(some, false).size + values(some, true).size;
  const isDeciding = (some: readonly number[]): boolean =>
    [...values(some, false)].every((value) => !values(some, true).has(value));
  const least = (sets: readonly (readonly number[])[]): readonly (readonly number[])[] =>
    sets.filter((some) => sets.every((other) => variety(some) <= variety(other)));
  // What a call was expected to be, and the first of its parts.
  const plain = (): readonly Row[] => rows.map((row) => ({ ...row, texts: row.texts.slice(0, mostTold + 1) }));
  if (rows.every(({ holds }) => holds === rows[0]?.holds)) return plain();
  const one = least(columns.map((at) => [at]).filter(isDeciding)).flat();
  const [two = []] =
    one.length > 0
      ? []
      : least(columns.flatMap((at) => columns.slice(at + 1).map((other) => [at, other])).filter(isDeciding));
  // What is of others than the call itself is told with what that was made with.
  const isOfOthers =
    one.length > 0 && own > 0 && rows.every(({ texts }) => one.every((at) => isOther(texts[at] ?? "")));
  const deciding = one.length > 0 ? [...(isOfOthers ? [own] : []), ...one] : two;
  return deciding.length === 0
    ? plain()
    : rows.map((row) => ({ ...row, texts: row.texts.filter((_, at) => deciding.includes(at)) }));
}

/** Rows without those that held and are as one that failed; none where all are, or the first that failed is as one that held. */
function explaining(rows: readonly Row[]): readonly Row[] {
  const [first] = rows;
  if (first === undefined) return [];
  const isAsOther = ({ holds, texts }: Row): boolean =>
    rows.some((other) => other.holds !== holds && isDeepStrictEqual(other.texts, texts));
  // Of those that failed each is told: where another one like it held, more than this decides.
  const left = isAsOther(first) ? [] : rows.filter((row) => !row.holds || !isAsOther(row));
  const isTold = ({ holds }: Row): boolean => left.some((row) => row.holds === holds);
  return rows.every(isTold) ? left : [];
}

/** Rows without what all of them share, as long as anything is left that tells them apart. */
function withoutShared(rows: readonly Row[]): readonly Row[] {
  const isApart = (index: number): boolean => new Set(rows.map(({ texts }) => texts[index])).size > 1;
  const isAnyApart = rows[0]?.texts.some((_, index) => isApart(index)) ?? false;
  return isAnyApart ? rows.map((row) => ({ ...row, texts: row.texts.filter((_, index) => isApart(index)) })) : rows;
}

/** Tells of a call's parts one in which calls differ; empty where it has none. */
interface Telling {
  readonly name: string;
  readonly of: (parts: CallAlike["parts"]) => string;
}

/** Differences that a row tells. */
const mostTold = 4;

/** What differs among calls; of what is of one call alone, as ids, secrets and made-up labels are, whether it is there. */
function tellingsOf(calls: readonly CallAlike[]): readonly Telling[] {
  const names = [...new Set(calls.flatMap(({ parts }) => [...parts.keys()]))];
  return names.flatMap((name): Telling[] => {
    const values = calls.map(({ parts }) => parts.get(name));
    if (new Set(values).size < 2) return [];
    if (name.startsWith(ofOrganization) && isSharedByAll(calls, name)) return [];
    const isInAll = !values.includes(undefined);
    if (isInAll && new Set(values.map((value) => unnamed(value ?? ""))).size === 1) return [];
    if (values.every((value) => value === undefined || isOfOneCall(value)))
      return isInAll ? [] : [{ name, of: (parts) => (parts.has(name) ? `with ${name}` : `without ${name}`) }];
    // A moment that each call had for itself.
    const isForItself = new Set(values).size === values.length && calls.some(({ holds }) => holds);
    if (isForItself && values.every((value) => value === undefined || isTime(value))) return [];
    return [{ name, of: (parts) => partText(name, parts.get(name)) }];
  });
}

const isTime = (json: string): boolean => /^"\d{4}-\d{2}-\d{2}T/.test(json);

/** The same of a text that is told of one, where anything is. */
const isOther = (text: string): boolean => text === "" || isBelonging(text);

/** Whether a name is of what belongs to a call's organization, its caller or a record that it names. */
const isBelonging = (name: string): boolean => /^\??\{?\w+\}?'s /.test(name);

/** Begins the name of what an organization was created with. */
export const ofOrganization = "organization's ";

/** Whether all that failed have one value, and some that did not have it too: what a check needs, as a rule, and no cause. */
function isSharedByAll(calls: readonly CallAlike[], name: string): boolean {
  const [value, ...others] = new Set(calls.filter(({ holds }) => !holds).map(({ parts }) => parts.get(name)));
  return others.length === 0 && calls.some(({ holds, parts }) => holds && parts.get(name) === value);
}

/** Whether a value, or each of a list, was made up for one call or names a record: no fault can hang on which it is. */
function isOfOneCall(json: string): boolean {
  const value = json.startsWith("[") ? parsedBody(json) : null;
  return Array.isArray(value) && value.length > 0
    ? value.every((one) => isMadeUp(JSON.stringify(one)))
    : isMadeUp(json);
}

const isMadeUp = (json: string): boolean =>
  /^"(?:bylaw-.*|https?:\/\/[^"\s]*[\w-]{20,}|\$\{\w+\}|\+\d{7,15}|(?:[a-z]+_)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=[^"]*\d)[\w+/-]{20,}=*)"$/i.test(
    json,
  );

/** Names that stand with their calls as parts of a text. */
const partText = (name: string, json: string | undefined): string =>
  json === undefined ? "" : `${name} ${clipped(json)}`;

/** Characters of a value. */
const valueLimit = 72;

/** A value in few words: of a long list how many it holds, and its ends. */
function clipped(json: string): string {
  if (json.length <= valueLimit) return json;
  const value = parsedBody(json);
  if (Array.isArray(value) && value.length > 1)
    return `[${value.length}: ${cut(JSON.stringify(value[0]))} … ${cut(JSON.stringify(value.at(-1)))}]`;
  return cut(json, valueLimit);
}

const cut = (text: string, limit = valueLimit / 2): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** Words that texts begin and end with for one to be a variant of the other. */
const leastShared = 3;

/**
 * Texts without the words that all of them begin and end with, as long as they are variants of one; empty where they are the
 * same.
 */
function wordsApart(texts: readonly string[]): readonly string[] {
  const [first = [], ...others] = texts.map((text) => text.split(" "));
  const isShared = (at: (words: readonly string[]) => string | undefined): boolean =>
    others.every((words) => at(words) === at(first));
  if (others.every((words) => words.join(" ") === first.join(" "))) return texts.map(() => "");
  const shortest = Math.min(first.length, ...others.map((words) => words.length));
  let before = 0;
  while (before < shortest && isShared((words) => words[before])) before += 1;
  let behind = 0;
  while (behind < shortest - before && isShared((words) => words.at(-1 - behind))) behind += 1;
  if (before + behind < leastShared) return texts.map((text) => cut(text, valueLimit));
  return [first, ...others].map((words) =>
    words
      .slice(before, words.length - behind)
      .join(" ")
      .replace(/[\s,;:]+$/, ""),
  );
}
