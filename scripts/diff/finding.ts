import { gravity } from "../../compiler/diff/change.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { subjectOf } from "./diff-report.ts";
import type { JudgedChange } from "./judged-change.ts";

/** What follows from one edit, told as one; accepted places are told apart from the others. */
export interface Finding {
  /** What was edited: places in named schemas, operations or parts of the contract. */
  readonly subject: string;
  /** The gravest change, told in full; its verdict is the finding's. */
  readonly shown: JudgedChange;
  /** The same edit at other places, the gravest first. */
  readonly others: readonly JudgedChange[];
}

/** Changes grouped by the edit behind them, the gravest first. */
export function findingsOf(changes: readonly JudgedChange[]): readonly Finding[] {
  const ranked = changes.toSorted((one, other) => gravity[one.verdict] - gravity[other.verdict]);
  return [...Map.groupBy(ranked, keyOf).values()].flatMap(([shown, ...others]): readonly Finding[] =>
    shown === undefined ? [] : [{ subject: editedIn([shown, ...others]), shown, others }],
  );
}

/** Equal for changes of one edit that the project judges alike. The same edit of things with one name counts as one. */
function keyOf({ service, edit, acceptance }: JudgedChange): string {
  const { at, keyword, before, after } = edit;
  const decided = acceptance === null ? null : [acceptance.reason, acceptance.owner, acceptance.expires];
  return JSON.stringify([namedPart(at, service), keyword, before, after, decided]);
}

/** What an edited place is called, wherever it stands: a property, a named schema, or a part of an operation. */
function namedPart(at: string, service: string): string {
  const [property] = /\/properties\/(?!.*\/properties\/).*$/s.exec(at) ?? [];
  if (property !== undefined) return property;
  if (at.startsWith(components)) return at;
  const [, part = at] = /^\/(?:paths|webhooks)\/[^/]*\/[^/]*(\/.*)$/s.exec(at) ?? [];
  return `${service} ${part}`;
}

const components = "/components/schemas/";

function editedIn(changes: readonly JudgedChange[]): string {
  const places = [
    ...new Set(
      changes.map((change) => {
        const { at } = change.edit;
        return at.startsWith(components) ? `schema ${nameIn(at)}` : subjectOf(change);
      }),
    ),
  ];
  const named = places.slice(0, namedSubjects).join(", ");
  return places.length > namedSubjects ? `${named} and ${places.length - namedSubjects} more` : named;
}

/** Things named before the rest is counted, where one edit was made to several. */
const namedSubjects = 3;

/** A place in a named schema, as `Order/labels/*`. */
const nameIn = (at: string): string =>
  at.slice(components.length).replaceAll("/properties/", "/").replaceAll("/items", "/*");

/** Places named before the rest is counted. */
const namedPlaces = 8;

/** Where else it shows, in one line; null when nowhere. */
export function othersText({ shown, others }: Finding): string | null {
  if (others.length === 0) return null;
  const reached = [...new Set([shown, ...others].map(subjectOf))];
  const named = reached.slice(0, namedPlaces);
  const rest = reached.length > namedPlaces ? ` and ${reached.length - namedPlaces} more` : "";
  const operations = reached.length === others.length + 1 ? "" : `, ${counted(others.length + 1, "place")}`;
  return `one edit reaches ${counted(reached.length, "operation")}${operations}: ${named.join(", ")}${rest}`;
}
