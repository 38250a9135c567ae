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
import { type Acceptance, type AcceptedChanges, keyOf, type SeverityOverride } from "./accepted-changes.ts";
import { isLowered, verdictNamed } from "./severity.ts";

/** Reads the text of the file, telling every problem with its place. `name` is how places call the file. */
export function parseAcceptedChanges(
  name: string,
  text: string,
): { readonly changes: AcceptedChanges; readonly problems: readonly FileProblem[] } {
  const read = readPlaced(name, text);
  if ("problem" in read) return { changes: { accepted: [], severities: [] }, problems: [read.problem] };
  const { told, problems } = read;
  const file = membersOf(read.value ?? {}, [], ["accepted", "severities"], told);
  const accepted = listOf(file.accepted, ["accepted"], told).map((entry, index) =>
    acceptanceFrom(entry, ["accepted", index], read),
  );
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
  return { changes, problems };
}

const acceptanceMembers = ["id", "operation", "pointer", "reason", "owner", "expires"];

function acceptanceFrom(entry: unknown, path: Path, { placeOf, told }: Placed): Acceptance | null {
  const members = membersOf(entry, path, acceptanceMembers, told);
  const id = idOf(members.id, [...path, "id"], told);
  const pointer = textOf(members.pointer, [...path, "pointer"], told, "Copy the pointer from the report.", true);
  const answerable = answerableOf(members, path, told, {
    reason: "Write why the change may be made all the same.",
    owner: "Write who answers for it: a person or a team.",
  });
  const operation = members.operation ?? null;
  if (operation !== null && typeof operation !== "string") {
    told([...path, "operation"], '"operation" is no text.', "Copy it from the report, such as GET /widgets.");
    return null;
  }
  if (id === null || pointer === null || answerable === null) return null;
  return { id, operation, pointer, ...answerable, where: placeOf(path) };
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
