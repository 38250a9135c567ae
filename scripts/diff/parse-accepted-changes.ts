import type { Json } from "../../compiler/contract.ts";
import type { Verdict } from "../../compiler/diff/change.ts";
import { type ChangeId, changeIds, changeTable } from "../../compiler/diff/change-table.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import {
  answerableOf,
  type FileProblem,
  isThere,
  listOf,
  membersOf,
  type Path,
  type Placed,
  readPlaced,
  type Told,
  tellRepeated,
  textOf,
} from "../decisions/decision-file.ts";
import {
  type Acceptance,
  type AcceptedChanges,
  keyOf,
  type PlaceAcceptance,
  type SeverityOverride,
} from "./accepted-changes.ts";
import { isLowered, verdictNamed } from "./severity.ts";

/** The content of a file as far as it can be read, with its problems. */
export interface ParsedChanges {
  readonly changes: AcceptedChanges;
  readonly problems: readonly FileProblem[];
  /** Entries that name a place and no edit: each is a problem, and its decision can be carried over. */
  readonly placeEntries: readonly PlaceAcceptance[];
}

/** Reads the text of the file, telling every problem with its place. `name` is how places call the file. */
export function parseAcceptedChanges(name: string, text: string): ParsedChanges {
  const read = readPlaced(name, text);
  if ("problem" in read) {
    return { changes: { accepted: [], severities: [] }, problems: [read.problem], placeEntries: [] };
  }
  const { told, problems } = read;
  const file = membersOf(read.value ?? {}, [], ["accepted", "severities"], told);
  const placeEntries: PlaceAcceptance[] = [];
  const accepted = listOf(file.accepted, ["accepted"], told).map((entry, index) => {
    const path = ["accepted", index];
    if (!isPlaceEntry(entry)) return acceptanceFrom(entry, path, read);
    told(path, placeEntryMessage, placeEntryFix);
    placeEntries.push(...placeEntryFrom(entry));
    return null;
  });
  const severities = listOf(file.severities, ["severities"], told).map((entry, index) =>
    severityFrom(entry, ["severities", index], read),
  );
  tellRepeated(accepted, keyOf, (index, message) => told(["accepted", index], message, "Keep one of the two."));
  tellRepeated(
    severities,
    ({ id }) => id,
    (index, message) => told(["severities", index], message, "Keep one of the two."),
  );
  const changes = { accepted: accepted.filter(isThere), severities: severities.filter(isThere) };
  return { changes, problems, placeEntries };
}

const placeEntryMessage =
  "This entry names a place and no edit, as earlier versions of bylaw wrote it; any later change of that place would pass.";
const placeEntryFix =
  "Remove it if its change is merged. Otherwise run bylaw diff BASE [HEAD] --print-acceptances, and replace the entry by what that prints; reason, owner and day are carried over.";

type Entry = Partial<Record<string, unknown>>;

/** True if an entry has properties of one that names a place, and none of one that names an edit. */
function isPlaceEntry(entry: unknown): entry is Entry {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return false;
  return "pointer" in entry && !("fingerprint" in entry);
}

/** Such an entry, where its texts can be read. */
function placeEntryFrom({ id, operation = null, pointer, ...entry }: Entry): readonly PlaceAcceptance[] {
  const isText = (value: unknown): value is string => typeof value === "string";
  const { reason, owner, expires } = entry;
  if (!isText(id) || !isText(pointer) || !(operation === null || isText(operation))) return [];
  if (!isText(reason) || !isText(owner) || !isText(expires)) return [];
  return [{ id, operation, pointer, reason, owner, expires }];
}

const acceptanceMembers = ["fingerprint", "ids", "at", "keyword", "from", "to", "reason", "owner", "expires"];

const asPrinted = "Copy it from what --print-acceptances prints.";

function acceptanceFrom(entry: unknown, path: Path, { placeOf, told }: Placed): Acceptance | null {
  const members = membersOf(entry, path, acceptanceMembers, told);
  const fingerprint = textOf(members.fingerprint, [...path, "fingerprint"], told, asPrinted);
  const keyword = textOf(members.keyword, [...path, "keyword"], told, asPrinted);
  const names = filledListOf(members.ids, [...path, "ids"], told);
  const ids = names.map((id, index) => idOf(id, [...path, "ids", index], told)).filter(isThere);
  const places = filledListOf(members.at, [...path, "at"], told);
  const at = places.map((place, index) => textOf(place, [...path, "at", index], told, asPrinted, true)).filter(isThere);
  const [from, to] = (["from", "to"] as const).map((name) => valuesOf(members[name], [...path, name], told));
  const answerable = answerableOf(members, path, told, {
    reason: "Write why the change may be made all the same.",
    owner: "Write who answers for it: a person or a team.",
  });
  if (fingerprint === null || keyword === null || from == null || to == null || answerable === null) return null;
  if (ids.length === 0 || ids.length < names.length || at.length === 0 || at.length < places.length) return null;
  return { fingerprint, ids, at, keyword, from, to, ...answerable, where: placeOf(path) };
}

/** The items of a list that has some. */
function filledListOf(value: unknown, path: Path, told: Told): readonly unknown[] {
  const list = listOf(value, path, told);
  const isMissing = value === undefined || value === null;
  if (list.length === 0 && (isMissing || Array.isArray(value))) {
    told(path, `"${path.at(-1)}" is ${isMissing ? "missing" : "empty"}.`, asPrinted);
  }
  return list;
}

/** Values of an edit; a list without any says that there was none. */
function valuesOf(value: unknown, path: Path, told: Told): readonly Json[] | null {
  if (Array.isArray(value)) return value;
  told(path, value === undefined ? `"${path.at(-1)}" is missing.` : "This is no list.", asPrinted);
  return null;
}

function severityFrom(entry: unknown, path: Path, { placeOf, told }: Placed): SeverityOverride | null {
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

function verdictOf(value: unknown, path: Path, told: Told): Verdict | null {
  const verdict = typeof value === "string" ? verdictNamed(value) : null;
  if (verdict === null) told(path, '"verdict" is no verdict.', "Write breaking, risky or safe.");
  return verdict;
}
