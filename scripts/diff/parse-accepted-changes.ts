import type { Verdict } from "../../compiler/diff/change.ts";
import { type ChangeId, changeIds, changeTable } from "../../compiler/diff/change-table.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { type Acceptance, type AcceptedChanges, keyOf, type SeverityOverride } from "./accepted-changes.ts";
import { type PlacedYaml, placedYaml } from "./placed-yaml.ts";
import { isLowered, verdictNamed } from "./severity.ts";

/** Something about the file that has to be put right. */
export interface FileProblem {
  readonly where: string;
  /** JSON Pointer into the file. */
  readonly pointer: string;
  readonly message: string;
  readonly fix: string;
}

export const fileProblemText = ({ where, pointer, message, fix }: FileProblem): string =>
  `${where}: ${pointer === "" ? "" : `${pointer}: `}${message}\n  ${fix}`;

type Path = readonly (string | number)[];
type Told = (path: Path, message: string, fix: string) => void;

/** Reads the text of the file, telling every problem with its place. `name` is how places call the file. */
export function parseAcceptedChanges(
  name: string,
  text: string,
): { readonly changes: AcceptedChanges; readonly problems: readonly FileProblem[] } {
  const read = placedYaml(name, text);
  if ("broken" in read) {
    const { where, message } = read.broken;
    const fix = "Correct the YAML; indentation counts, and texts with special characters stand in quotes.";
    return { changes: { accepted: [], severities: [] }, problems: [{ where, pointer: "", message, fix }] };
  }
  const problems: FileProblem[] = [];
  const told: Told = (path, message, fix) =>
    problems.push({ where: read.placeOf(path), pointer: path.map((part) => `/${part}`).join(""), message, fix });
  const file = membersOf(read.value ?? {}, [], ["accepted", "severities"], told);
  const accepted = listOf(file.accepted, ["accepted"], told).map((entry, index) =>
    acceptanceFrom(entry, ["accepted", index], read, told),
  );
  const severities = listOf(file.severities, ["severities"], told).map((entry, index) =>
    severityFrom(entry, ["severities", index], read, told),
  );
  tellRepeated(accepted, keyOf, (index, message) => told(["accepted", index], message, "Keep one of the two."));
  tellRepeated(
    severities,
    ({ id }) => id,
    (index, message) => told(["severities", index], message, "Keep one of the two."),
  );
  const changes = { accepted: accepted.filter(isThere), severities: severities.filter(isThere) };
  return { changes, problems };
}

const isThere = <T>(entry: T | null): entry is T => entry !== null;

const acceptanceMembers = ["id", "operation", "pointer", "reason", "owner", "expires"];

function acceptanceFrom(entry: unknown, path: Path, { placeOf }: PlacedYaml, told: Told): Acceptance | null {
  const members = membersOf(entry, path, acceptanceMembers, told);
  const id = idOf(members.id, [...path, "id"], told);
  const pointer = textOf(members.pointer, [...path, "pointer"], told, "Copy the pointer from the report.", true);
  const reason = textOf(members.reason, [...path, "reason"], told, "Write why the change may be made all the same.");
  const owner = textOf(members.owner, [...path, "owner"], told, "Write who answers for it: a person or a team.");
  const expires = dateOf(members.expires, [...path, "expires"], told);
  const operation = members.operation ?? null;
  if (operation !== null && typeof operation !== "string") {
    told([...path, "operation"], '"operation" is no text.', "Copy it from the report, such as GET /widgets.");
    return null;
  }
  if (id === null || pointer === null || reason === null || owner === null || expires === null) return null;
  return { id, operation, pointer, reason, owner, expires, where: placeOf(path) };
}

function severityFrom(entry: unknown, path: Path, { placeOf }: PlacedYaml, told: Told): SeverityOverride | null {
  const members = membersOf(entry, path, ["id", "verdict", "reason"], told);
  const id = idOf(members.id, [...path, "id"], told);
  const verdict = verdictOf(members.verdict, [...path, "verdict"], told);
  if (id === null || verdict === null) return null;
  const needsReason = isLowered(id, verdict) && changeTable[id].verdict === "breaking";
  if (members.reason === undefined && !needsReason) return { id, verdict, reason: null, where: placeOf(path) };
  const fix = `Write why ${id} breaks nobody here; without a reason a breaking change is not lowered.`;
  const reason = textOf(members.reason, [...path, "reason"], told, fix);
  return reason === null ? null : { id, verdict, reason, where: placeOf(path) };
}

/** The members of a mapping; unknown ones are told. */
function membersOf(value: unknown, path: Path, known: readonly string[], told: Told): Partial<Record<string, unknown>> {
  const options = `Known here: ${known.join(", ")}.`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    told(path, `This is no mapping of names to values.`, options);
    return {};
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      told([...path, name], `"${name.slice(0, 80)}" is not known here.${didYouMean(name, known)}`, options);
    }
  }
  return { ...value };
}

function listOf(value: unknown, path: Path, told: Told): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  told(path, "This is no list.", 'Begin each entry with "- ".');
  return [];
}

function idOf(value: unknown, path: Path, told: Told): ChangeId | null {
  if (typeof value !== "string" || value === "") {
    told(path, '"id" is missing.', "Write the id of the change as the report names it, such as operation-removed.");
    return null;
  }
  const id = changeIds.find((known) => known === value);
  if (id !== undefined) return id;
  const message = `"${value.slice(0, 80)}" is no id of a change.${didYouMean(value, changeIds)}`;
  told(path, message, "Copy the id from the report.");
  return null;
}

function textOf(value: unknown, path: Path, told: Told, fix: string, mayBeEmpty = false): string | null {
  if (typeof value === "string" && (mayBeEmpty || value.trim() !== "")) return value;
  const name = path.at(-1);
  const state =
    value === undefined || value === null ? "is missing" : typeof value === "string" ? "is empty" : "is no text";
  told(path, `"${name}" ${state}.`, fix);
  return null;
}

function dateOf(value: unknown, path: Path, told: Told): string | null {
  const fix = "Write the last day on which the acceptance holds, as YYYY-MM-DD.";
  const text = textOf(value, path, told, fix);
  if (text === null) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // Months and days that do not exist come back as others.
  if (day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  told(path, `"${text.slice(0, 80)}" is no date.`, fix);
  return null;
}

function verdictOf(value: unknown, path: Path, told: Told): Verdict | null {
  const verdict = typeof value === "string" ? verdictNamed(value) : null;
  if (verdict === null) told(path, '"verdict" is no verdict.', "Write breaking, risky or safe.");
  return verdict;
}

function tellRepeated<T extends { readonly where: string }>(
  entries: readonly (T | null)[],
  key: (entry: T) => string,
  told: (index: number, message: string) => void,
): void {
  const first = new Map<string, T>();
  for (const [index, entry] of entries.entries()) {
    if (entry === null) continue;
    const earlier = first.get(key(entry));
    if (earlier === undefined) first.set(key(entry), entry);
    else told(index, `This is said twice; the first time at ${earlier.where}.`);
  }
}
