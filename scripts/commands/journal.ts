import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { objectOf } from "../../conformance/exchange/exchange.ts";
import { type LeftBehind, leftBehindKinds } from "../../conformance/provision/left-behind.ts";
import { CannotRun } from "./cannot-run.ts";

/** Something that a run left behind on a target. No secret is ever kept. */
export interface JournalEntry extends LeftBehind {
  /** When it was made; RFC 3339. */
  readonly time: string;
  readonly baseUrl: string;
}

/** Where runs keep what they leave behind, below the folder in which they were started. */
export const journalFile = join(".bylaw", "journal.jsonl");

/** A line that tells that a thing of an earlier line is gone. */
interface Strike extends Pick<JournalEntry, "baseUrl" | "kind" | "id"> {
  /** When that became known; RFC 3339. */
  readonly removed: string;
}

/** Adds an entry at once, so that even a run that is killed leaves a trace of what it made. */
export const appendToJournal = (file: string, entry: JournalEntry): void => append(file, [entry]);

/** Takes things out. Nothing is rewritten for that, so that runs beside each other never lose what another one added. */
export function removeFromJournal(file: string, things: readonly Omit<Strike, "removed">[]): void {
  const removed = new Date().toISOString();
  append(
    file,
    things.map(({ baseUrl, kind, id }): Strike => ({ removed, baseUrl, kind, id })),
  );
}

function append(file: string, lines: readonly (JournalEntry | Strike)[]): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** All entries that were not taken out, the oldest first; none when there is no journal. */
export function readJournal(file: string): readonly JournalEntry[] {
  const entries = new Map<string, JournalEntry>();
  for (const line of linesOf(file)) {
    if ("removed" in line) entries.delete(identityOf(line));
    else entries.set(identityOf(line), line);
  }
  return [...entries.values()];
}

/** Forgets what was taken out. What is added meanwhile stays: it goes to a file of the same name. */
export function shortenJournal(file: string): void {
  // One that cannot be read is kept as it is, with the lines that it would lose.
  if (linesOf(file).length === 0) return;
  const taken = `${file}.${process.pid}`;
  renameSync(file, taken);
  const kept = readJournal(taken);
  if (kept.length > 0) append(file, kept);
  rmSync(taken);
}

function linesOf(file: string): (JournalEntry | Strike)[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return [];
    throw new CannotRun(`${file}: The journal cannot be read.\n  Make it readable, or run this where it lies.`);
  }
  return text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : lineIn(line, `${file}:${index + 1}`)));
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const identityOf = ({ baseUrl, kind, id }: Omit<Strike, "removed">): string => JSON.stringify([baseUrl, kind, id]);

function lineIn(line: string, where: string): JournalEntry | Strike {
  const value = parsed(line);
  if (isEntry(value) || isStrike(value)) return value;
  throw new CannotRun(`${where}: This line is no entry of the journal.\n  Mend or delete it; nothing was removed.`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is JournalEntry {
  const entry = objectOf(value);
  return isThing(entry) && typeof entry?.time === "string" && isTextOrNull(entry.organizationId);
}

function isStrike(value: unknown): value is Strike {
  const entry = objectOf(value);
  return isThing(entry) && typeof entry?.removed === "string";
}

const isThing = (entry: Readonly<Record<string, unknown>> | null): boolean =>
  typeof entry?.baseUrl === "string" && typeof entry.id === "string" && isKind(entry.kind);

const isKind = (kind: unknown): boolean => leftBehindKinds.some((known) => known === kind);

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";
