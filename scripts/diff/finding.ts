import { gravity, type Verdict } from "../../compiler/diff/change.ts";
import { tokensOf } from "../../compiler/diff/json-at.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { type JudgedChange, subjectOf } from "./judged-change.ts";

/** What follows from one edit, told as one; accepted places are told apart from the others. */
export interface Finding {
  /** What was edited: places in named schemas, operations or parts of the contract. */
  readonly subject: string;
  /** The gravest verdict of all places. */
  readonly verdict: Verdict;
  /** The change that is told in full: of the gravest the one that stands where the edit was made. */
  readonly shown: JudgedChange;
  /** What follows at other places or is told under other ids, the gravest first. */
  readonly others: readonly JudgedChange[];
}

const known = new WeakMap<readonly JudgedChange[], readonly Finding[]>();

/** Changes grouped by the edit behind them, the gravest first; once for each list, by identity, since a report asks again and again. */
export function findingsOf(changes: readonly JudgedChange[]): readonly Finding[] {
  const found = known.get(changes) ?? grouped(changes);
  known.set(changes, found);
  return found;
}

function grouped(changes: readonly JudgedChange[]): readonly Finding[] {
  const ranked = changes.toSorted(
    (one, other) => gravity[one.verdict] - gravity[other.verdict] || Number(isEdited(other)) - Number(isEdited(one)),
  );
  const found = [...Map.groupBy(ranked, keyOf).values()].flatMap(([shown, ...others]): readonly Finding[] =>
    shown === undefined ? [] : [{ subject: editedIn([shown, ...others]), verdict: shown.verdict, shown, others }],
  );
  return found.toSorted((one, other) => gravity[one.verdict] - gravity[other.verdict]);
}

/** The change stands where the edit was made. */
const isEdited = ({ pointer, edit }: JudgedChange): boolean => pointer.endsWith(edit.at);

/** Equal for changes of one edit that the project judges alike. The same edit of things with one name counts as one. */
function keyOf({ service, edit, acceptance }: JudgedChange): string {
  const { at, keyword, before, after } = edit;
  const decided = acceptance === null ? null : [acceptance.reason, acceptance.owner, acceptance.expires];
  const part = keyword === "$ref" ? namedPart(at, service).replace(ofAnswer, "") : namedPart(at, service);
  return JSON.stringify([part, keyword, before, after, decided]);
}

/** What an edited place is called, wherever it stands: a property, a named schema, or a part of an operation. */
function namedPart(at: string, service: string): string {
  const [property] = /\/properties\/(?!.*\/properties\/).*$/s.exec(at) ?? [];
  if (property !== undefined) return property;
  if (at.startsWith(components)) return at;
  const [, part = at] = /^\/(?:paths|webhooks)\/[^/]*\/[^/]*(\/.*)$/s.exec(at) ?? [];
  return `${service} ${part}`;
}

/** Of an answer's schema the status and the media type: one schema may take another's place in answers of many. */
const ofAnswer = /(?<=\/responses)\/[^/]*\/content\/[^/]*(?=\/schema$)/;

const components = "/components/schemas/";
const schemes = "/components/securitySchemes/";
const webhooks = "/webhooks/";

function editedIn(changes: readonly JudgedChange[]): string {
  const places = [...new Set(changes.map(subjectOfEdit))];
  const named = places.slice(0, namedSubjects).join(", ");
  return places.length > namedSubjects ? `${named} and ${places.length - namedSubjects} more` : named;
}

/** A named schema, else the operation; of what is no operation's own the part of the contract. */
function subjectOfEdit(change: JudgedChange): string {
  const { at } = change.edit;
  if (at.startsWith(components)) return `schema ${nameIn(at)}`;
  if (at.startsWith(webhooks)) return `webhook ${tokensOf(at)[1] ?? ""}`;
  if (at.startsWith(schemes)) return `security scheme ${at.slice(schemes.length)}`;
  if (/^\/(?:paths|servers|operations)\//.test(at) || at === "/paths") return subjectOf(change);
  return at.split("/")[1]?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? subjectOf(change);
}

/** Things named before the rest is counted, where one edit was made to several. */
const namedSubjects = 3;

/** A place in a named schema, as `Order/labels/*`, whatever parts it is put together of. */
const nameIn = (at: string): string =>
  at
    .slice(components.length)
    .replaceAll(/\/allOf\/\d+(?=\/properties\/)/g, "")
    // A property may be called `items` itself.
    .replace(/\/properties\/([^/]+)|\/items(?=\/|$)/g, (_, property?: string) => `/${property ?? "*"}`);

/** Places named before the rest is counted. */
export const namedPlaces = 5;

/** Things of one kind that an edit reaches. */
export interface Reached {
  /** How many of what, such as "3 operations". */
  readonly count: string;
  readonly names: readonly string[];
}

/** What an edit reaches, by kind; nothing where it is one thing, and where it is a fact's of none. */
export function reachOf({ shown, others }: Finding): readonly Reached[] {
  const changes = [shown, ...others];
  const [operations, webhooks] = [operationsOf(changes), webhooksOf(changes)];
  if (operations.length + webhooks.length < 2) return [];
  return [
    { count: counted(operations.length, "operation"), names: operations },
    { count: counted(webhooks.length, "webhook"), names: webhooks },
  ].filter(({ names }) => names.length > 0);
}

/** The same in one line; null where there is nothing to tell. */
export function reachText(finding: Finding, most = namedPlaces): string | null {
  const told = reachOf(finding).map(({ count, names }) => {
    const rest = names.length > most ? ` and ${names.length - most} more` : "";
    return `${count}: ${names.slice(0, most).join(", ")}${rest}`;
  });
  return told.length === 0 ? null : `reaches ${told.join("; ")}`;
}

/** Names of the requests that the server makes by itself. */
const webhooksOf = (changes: readonly JudgedChange[]): readonly string[] => [
  ...new Set(
    changes.flatMap(({ operation, pointer, service }) => {
      const [list, name] = tokensOf(pointer.startsWith(`/${service}/`) ? pointer.slice(service.length + 1) : pointer);
      return operation === null && list === "webhooks" && name !== undefined ? [name] : [];
    }),
  ),
];

const operationsOf = (changes: readonly JudgedChange[]): readonly string[] => [
  ...new Set(changes.flatMap(({ operation }) => operation ?? [])),
];

/** What else follows from the edit: changes of one kind and verdict, the gravest first. */
export interface Consequence {
  readonly verdict: Verdict;
  readonly id: JudgedChange["id"];
  readonly changes: readonly JudgedChange[];
}

/** Consequences by kind, without those of the kind that is shown. */
export function consequencesOf(finding: Finding): readonly Consequence[] {
  const groups = Map.groupBy(furtherOf(finding), ({ id, verdict }) => `${verdict} ${id}`);
  return [...groups.values()].flatMap((changes) => {
    const [first] = changes;
    return first === undefined ? [] : [{ verdict: first.verdict, id: first.id, changes }];
  });
}

/** What is not told by the change that is shown: of one place the gravest counts, as where one type became another. */
export function furtherOf({ shown, others }: Finding): readonly JudgedChange[] {
  const placeOf = ({ operation, pointer }: JudgedChange): string => `${operation ?? ""} ${pointer}`;
  const gravest = new Map<string, number>();
  for (const change of [shown, ...others]) {
    const known = gravest.get(placeOf(change)) ?? Number.POSITIVE_INFINITY;
    gravest.set(placeOf(change), Math.min(known, gravity[change.verdict]));
  }
  return others.filter(
    (change) =>
      (change.id !== shown.id || change.verdict !== shown.verdict) &&
      gravity[change.verdict] === gravest.get(placeOf(change)),
  );
}

/** `also safe: …`, with the number of such places. */
export function consequenceText({ verdict, changes }: Consequence): string {
  const [first] = changes;
  const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : "";
  return `also ${verdict}: ${first?.message ?? ""}${more}`;
}
