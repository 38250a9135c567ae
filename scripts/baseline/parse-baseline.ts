import type { BaselineEntry } from "../../conformance/runner/baseline.ts";
import {
  answerableOf,
  type FileProblem,
  isThere,
  listOf,
  membersOf,
  type Path,
  type Placed,
  readPlaced,
  tellRepeated,
  textOf,
} from "../decisions/decision-file.ts";

/** Reads the text of a baseline, telling every problem with its place. `name` is how places call the file. */
export function parseBaseline(
  name: string,
  text: string,
): { readonly entries: readonly BaselineEntry[]; readonly problems: readonly FileProblem[] } {
  const read = readPlaced(name, text);
  if ("problem" in read) return { entries: [], problems: [read.problem] };
  const { told, problems } = read;
  const file = membersOf(read.value ?? {}, [], ["known"], told);
  const known = listOf(file.known, ["known"], told).map((entry, index) => entryFrom(entry, ["known", index], read));
  tellRepeated(
    known,
    ({ rule, checks, operations }) => JSON.stringify([rule, [...checks].sort(), [...operations].sort()]),
    (index, message) => told(["known", index], message, "Keep one of the two."),
  );
  return { entries: known.filter(isThere), problems };
}

const members = ["rule", "checks", "operations", "reason", "owner", "expires"];

function entryFrom(value: unknown, path: Path, read: Placed): BaselineEntry | null {
  const { told, placeOf } = read;
  const entry = membersOf(value, path, members, told);
  const rule = textOf(entry.rule, [...path, "rule"], told, "Write the id of the rule, such as KEYC-15.");
  const checks = namesIn(entry.checks, [...path, "checks"], read);
  const operations = namesIn(entry.operations, [...path, "operations"], read);
  const answerable = answerableOf(entry, path, told, {
    reason: "Write why the failure is put up with.",
    owner: "Write who mends it: a person or a team.",
  });
  if (rule === null || answerable === null) return null;
  return { rule, checks, operations, ...answerable, where: placeOf(path) };
}

function namesIn(value: unknown, path: Path, { told }: Placed): readonly string[] {
  return listOf(value, path, told).flatMap((name, index) => {
    if (typeof name === "string" && name !== "") return [name];
    told([...path, index], "This is no id.", "Copy it from the report.");
    return [];
  });
}
