import { stringify } from "yaml";
import type { Json } from "../../compiler/contract.ts";
import { gravity } from "../../compiler/diff/change.ts";
import { canonicalJson } from "../../compiler/schema/canonical-json.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
import type { Answerable } from "../decisions/decision-file.ts";
import type { PlaceAcceptance } from "./accepted-changes.ts";
import { type DiffReport, isFailing } from "./diff-report.ts";
import { findingsOf } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";

/** Days for which a printed entry holds. */
const validDays = 90;

const millisecondsPerDay = 86_400_000;

/**
 * An entry for each edit with changes that fail, ready for the file of accepted changes except for reason and owner: a
 * person gives those, and the file is refused without them. The decision of an entry that names only the place of such
 * a change is carried over.
 */
export function acceptanceEntries({ changes, failOn, today, placeEntries }: DiffReport): string {
  const edits = findingsOf(changes).flatMap(({ shown, others }) => [
    ...Map.groupBy([shown, ...others], editKeyOf).values(),
  ]);
  const failing = edits.filter((edit) => edit.some((change) => isFailing(change, failOn)));
  if (failing.length === 0) return "# No change fails, so there is nothing to accept.\naccepted: []\n";
  const expires = new Date(Date.parse(`${today}T00:00:00Z`) + validDays * millisecondsPerDay)
    .toISOString()
    .slice(0, 10);
  const entries = failing.map((edit) =>
    entryText(edit, carriedFrom(placeEntries, edit) ?? { reason: "", owner: "", expires }),
  );
  return `# Give each entry a reason and an owner; without them the file is refused.\naccepted:\n${entries.join("")}`;
}

/** Equal for changes that one entry accepts. */
const editKeyOf = ({ fingerprint, edit }: JudgedChange): string =>
  canonicalJson([fingerprint, edit.keyword, [...edit.before], [...edit.after]]);

/** Messages that a comment shows before the rest is counted. */
const shownMessages = 3;

function entryText(changes: readonly JudgedChange[], { reason, owner, expires }: Answerable): string {
  const graves = changes
    .filter(({ verdict }) => verdict !== "safe")
    .toSorted((one, other) => gravity[one.verdict] - gravity[other.verdict]);
  const [first] = graves;
  if (first === undefined) return "";
  const { fingerprint, edit } = first;
  const messages = [...new Set(graves.map(({ verdict, message }) => `${verdict}: ${printableLine(message)}`))];
  const about = [
    ...messages.slice(0, shownMessages),
    ...(messages.length > shownMessages ? [`and ${messages.length - shownMessages} more`] : []),
  ];
  const named = {
    fingerprint,
    ids: [...new Set(graves.map(({ id }) => id))],
    at: [...new Set(graves.map((change) => change.edit.at))].toSorted(),
    keyword: edit.keyword,
  };
  const text = `${yamlOf([named])}  from: ${flowOf(edit.before)}\n  to: ${flowOf(edit.after)}\n${indented(yamlOf({ reason, owner, expires }))}`;
  return indented(`${about.map((line) => `# ${line}\n`).join("")}${text}`);
}

const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, defaultStringType: "PLAIN" });

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Values as JSON, which is YAML too, with invisible characters as escapes. */
const flowOf = (values: readonly Json[]): string =>
  JSON.stringify(values).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** The decision of the entries that name places of the changes, where they agree on one. */
function carriedFrom(entries: readonly PlaceAcceptance[], changes: readonly JudgedChange[]): Answerable | null {
  const places = new Set(changes.map(({ id, operation, pointer }) => JSON.stringify([id, operation, pointer])));
  const decisions = entries
    .filter(({ id, operation, pointer }) => places.has(JSON.stringify([id, operation, pointer])))
    .map(({ reason, owner, expires }) => ({ reason, owner, expires }));
  const [first, ...others] = [...new Map(decisions.map((one) => [JSON.stringify(one), one])).values()];
  return first === undefined || others.length > 0 ? null : first;
}
