import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LeftBehind } from "../../conformance/ladder/left-behind.ts";
import { CannotRun } from "./cannot-run.ts";

/** Something that a run left behind on a target. No secret is ever kept. */
export interface JournalEntry extends LeftBehind {
  /** When it was made; RFC 3339. */
  readonly time: string;
  readonly baseUrl: string;
}

/** Where runs keep what they leave behind, below the folder in which they were started. */
export const journalFile = join(".bylaw", "journal.jsonl");

/** Adds an entry at once, so that even a run that is killed leaves a trace of what it made. */
export function appendToJournal(file: string, entry: JournalEntry): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** All entries, the oldest first; none when there is no journal. */
export function readJournal(file: string): readonly JournalEntry[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new CannotRun(`${file}: The journal cannot be read.\n  Make it readable, or run this where it lies.`);
  }
  return text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : entryIn(line, `${file}:${index + 1}`)));
}

/** Takes entries out; whatever was added since they were read stays. */
export function removeFromJournal(file: string, removed: readonly Omit<JournalEntry, "time">[]): void {
  const gone = new Set(removed.map(identityOf));
  const kept = readJournal(file).filter((entry) => !gone.has(identityOf(entry)));
  const next = `${file}.next`;
  writeFileSync(next, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  renameSync(next, file);
}

const identityOf = ({ baseUrl, kind, id }: Omit<JournalEntry, "time">): string => JSON.stringify([baseUrl, kind, id]);

function entryIn(line: string, where: string): JournalEntry {
  const entry = parsed(line);
  if (isEntry(entry)) return entry;
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
  if (typeof value !== "object" || value === null) return false;
  const { time, baseUrl, kind, id, organizationId }: Partial<Record<keyof JournalEntry, unknown>> = value;
  return (
    [time, baseUrl, id].every((text) => typeof text === "string") &&
    (kind === "api-key" || kind === "organization" || kind === "sandbox-organization" || kind === "webhook-endpoint") &&
    (organizationId === null || typeof organizationId === "string")
  );
}
