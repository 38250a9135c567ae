import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { type PlacedYaml, placedYaml } from "./placed-yaml.ts";

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

export type Path = readonly (string | number)[];
/** Notes what is wrong at a path, and what to do. */
export type Told = (path: Path, message: string, fix: string) => void;

/** A file that was read, and what is found wrong with it. */
export interface Placed extends PlacedYaml {
  readonly told: Told;
  readonly problems: readonly FileProblem[];
}

/** Reads the YAML of a file in which a project keeps decisions. `name` is how places call the file. */
export function readPlaced(name: string, text: string): Placed | { readonly problem: FileProblem } {
  const read = placedYaml(name, text);
  if ("broken" in read) {
    const fix = "Correct the YAML; indentation counts, and texts with special characters stand in quotes.";
    return { problem: { ...read.broken, pointer: "", fix } };
  }
  const problems: FileProblem[] = [];
  const told: Told = (path, message, fix) =>
    problems.push({ where: read.placeOf(path), pointer: path.map((part) => `/${part}`).join(""), message, fix });
  return { ...read, told, problems };
}

export const isThere = <T>(entry: T | null): entry is T => entry !== null;

/** The members of a mapping; unknown ones are told. */
export function membersOf(
  value: unknown,
  path: Path,
  known: readonly string[],
  told: Told,
): Partial<Record<string, unknown>> {
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

export function listOf(value: unknown, path: Path, told: Told): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  told(path, "This is no list.", 'Begin each entry with "- ".');
  return [];
}

/** A text that is not empty; null, with what is wrong told, where it is none. */
export function textOf(value: unknown, path: Path, told: Told, fix: string, mayBeEmpty = false): string | null {
  if (typeof value === "string" && (mayBeEmpty || value.trim() !== "")) return value;
  const name = path.at(-1);
  const state =
    value === undefined || value === null ? "is missing" : typeof value === "string" ? "is empty" : "is no text";
  told(path, `"${name}" ${state}.`, fix);
  return null;
}

/** What every decision says beside what is decided. */
export interface Answerable {
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it holds, as YYYY-MM-DD. */
  readonly expires: string;
}

/** Why a decision was made, who answers for it and until when; null, with what is wrong told, where one is missing. */
export function answerableOf(
  entry: Partial<Record<string, unknown>>,
  path: Path,
  told: Told,
  fixes: Readonly<Record<"reason" | "owner", string>>,
): Answerable | null {
  const reason = textOf(entry.reason, [...path, "reason"], told, fixes.reason);
  const owner = textOf(entry.owner, [...path, "owner"], told, fixes.owner);
  const expires = dateOf(entry.expires, [...path, "expires"], told);
  return reason === null || owner === null || expires === null ? null : { reason, owner, expires };
}

/** A day as YYYY-MM-DD; null, with what is wrong told, where it is none. */
function dateOf(value: unknown, path: Path, told: Told): string | null {
  const fix = "Write the last day on which it holds, as YYYY-MM-DD.";
  const text = textOf(value, path, told, fix);
  if (text === null) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // Months and days that do not exist come back as others.
  if (day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  told(path, `"${text.slice(0, 80)}" is no date.`, fix);
  return null;
}

/** Tells of each entry that has the key of an earlier one. */
export function tellRepeated<T extends { readonly where: string }>(
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
