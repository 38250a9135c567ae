import type { Contract, Rule } from "./contract.ts";
import type { Problem } from "./problem.ts";

/** One rule id that was ever used. */
export interface LockEntry {
  readonly id: string;
  /** The sentence with its placeholders. */
  readonly sentence: string;
  readonly retired: boolean;
  /** One-based line in the file; 0 for an entry that is not written yet. */
  readonly line: number;
  /** Comment lines directly above the entry. */
  readonly comments: readonly string[];
}

/** Every rule id that was ever used, as `spec/rules.lock` lists them. */
export interface RulesLock {
  /** Path for messages, relative to the project. */
  readonly file: string;
  readonly head: readonly string[];
  readonly entries: readonly LockEntry[];
  /** Comments after the last entry. */
  readonly tail: readonly string[];
}

const standardHead = [
  "# Every rule id that was ever used, with its sentence as written: one per line, by area and number.",
  "# A changed value behind a placeholder keeps the id. A changed meaning takes a new id.",
  "# A removed rule stays: `ID  (retired) sentence`. No id is ever used again.",
];

export const emptyLock = (file: string): RulesLock => ({ file, head: standardHead, entries: [], tail: [] });

/** A rule's sentence as the lock holds it: on one line. */
export const sentenceOf = (rule: Pick<Rule, "template">): string => rule.template.replace(/\s+/g, " ").trim();

const entryLine = /^([A-Z]{3,4}-\d{2,3}) {2}(\(retired\) )?(\S.*)$/;

/** Reads a lock file. A line that is neither an entry nor a comment is a problem, and so is an id that stands twice. */
export function parseRulesLock(
  text: string,
  file: string,
): { readonly lock: RulesLock; readonly problems: readonly Problem[] } {
  const entries: LockEntry[] = [];
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  let head: readonly string[] = [];
  let pending: string[] = [];
  const fault = (code: string, line: number, message: string, fix: string): void => {
    problems.push({ code, severity: "error", message, fix, place: { file, line, column: 1 } });
  };
  for (const [index, written] of text.split("\n").entries()) {
    const line = index + 1;
    const content = written.trimEnd();
    const [, id = "", retired, sentence = ""] = entryLine.exec(content) ?? [];
    if (content.startsWith("#")) pending.push(content);
    else if (id !== "") {
      const first = seen.get(id);
      if (first !== undefined)
        fault("lock-duplicate", line, `${id} already stands on line ${first}.`, "Keep one of the two lines.");
      seen.set(id, line);
      if (entries.length === 0 && head.length === 0) [head, pending] = [pending, []];
      entries.push({ id, sentence, retired: retired !== undefined, line, comments: pending });
      pending = [];
    } else if (content !== "") {
      const fix = "Write `ID  sentence` or `ID  (retired) sentence`, with two spaces after the id.";
      fault("lock-line", line, "This line of the lock is neither an entry nor a comment.", fix);
    } else if (entries.length === 0 && head.length === 0) [head, pending] = [pending, []];
  }
  return { lock: { file, head, entries, tail: pending }, problems };
}

/** The text of a lock file: entries by area and number, each with its comments. */
export function printRulesLock({ head, entries, tail }: RulesLock): string {
  const lines = [...entries]
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .flatMap(({ id, sentence, retired, comments }) => [
      ...comments,
      `${id}  ${retired ? "(retired) " : ""}${sentence}`,
    ]);
  // Comments above the first entry would be read as part of the head without the empty line.
  const apart = head.length > 0 && lines[0]?.startsWith("#") ? [""] : [];
  return `${[...head, ...apart, ...lines, ...tail].join("\n")}\n`;
}

/** A lock that follows a contract, and what was done to it. */
export interface Relocking {
  readonly lock: RulesLock;
  readonly added: readonly string[];
  readonly retired: readonly string[];
  readonly changed: readonly string[];
  /** Why the lock may not follow; empty when it may. */
  readonly problems: readonly Problem[];
}

/**
 * The lock with the contract's new ids added and vanished ones marked as retired. The sentence of an id that stays
 * is replaced only if `mayChange` names it, and a retired id is never taken back.
 */
export function relock(contract: Contract, lock: RulesLock, mayChange: ReadonlySet<string> = new Set()): Relocking {
  const declared = new Map(contract.rules.map((rule) => [rule.id, rule]));
  const problems: Problem[] = [];
  const retired: string[] = [];
  const changed: string[] = [];
  const refuse = (code: string, rule: Rule, message: string, fix: string): void => {
    problems.push({ code, severity: "error", message, fix, place: rule.place });
  };
  const kept = lock.entries.map((entry): LockEntry => {
    const { id, sentence } = entry;
    const rule = declared.get(id);
    if (rule === undefined) {
      if (!entry.retired) retired.push(id);
      return { ...entry, retired: true };
    }
    if (entry.retired) {
      refuse(
        "rule-reused",
        rule,
        `${id} was retired (${lock.file}:${entry.line}) and must not be used again.`,
        "Take a number that was never used.",
      );
      return entry;
    }
    if (sentenceOf(rule) === sentence) return entry;
    if (!mayChange.has(id)) {
      const fix = `If it demands the same in other words, run "npx bylaw lock --change ${id}"; if it demands something else, give it a new id.`;
      refuse(
        "rule-meaning-changed",
        rule,
        `${id} no longer says what was locked at ${lock.file}:${entry.line}: "${sentence}"`,
        fix,
      );
      return entry;
    }
    changed.push(id);
    return { ...entry, sentence: sentenceOf(rule) };
  });
  const known = new Set(lock.entries.map((entry) => entry.id));
  const added = [...declared.values()].filter((rule) => !known.has(rule.id));
  const fresh = added.map((rule) => ({
    id: rule.id,
    sentence: sentenceOf(rule),
    retired: false,
    line: 0,
    comments: [],
  }));
  const entries = [...kept, ...fresh];
  return { lock: { ...lock, entries }, added: added.map(({ id }) => id), retired, changed, problems };
}
