import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Concession, concessions } from "./concessions.ts";
import type { Judgement } from "./judge.ts";

/** One trial of the last whole run per line, as it ended. */
const defaultFile = join(import.meta.dirname, "../../node_modules/.cache/edits.jsonl");

type Line = Omit<Judgement, "conceded"> & {
  readonly name: string;
  /** Names of concessions: a later run may have others. */
  readonly conceded: readonly string[];
};

/** The record of a whole run. A run that was interrupted has the trials that ended before. */
export interface LastRun {
  /** Begins the record of another run. */
  clear(): void;
  add(name: string, judgement: Judgement): void;
  /** Returns the judgements by the name of the trial. If a name has two, the later one counts. */
  read(): ReadonlyMap<string, Judgement>;
}

/** Returns the record in a file, which need not exist. */
export function lastRun(file = defaultFile): LastRun {
  return {
    clear() {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
    },
    add(name, judgement) {
      const conceded = judgement.conceded.map(nameOf);
      const line: Line = { ...judgement, name, conceded };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
    read() {
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
      return new Map(lines.map((line) => judgementIn(JSON.parse(line) as Line)));
    },
  };
}

const nameOf = ({ choices, leaves, rules }: Concession): string => [leaves, ...choices, ...rules].join();

function judgementIn({ name, conceded, ...judgement }: Line): readonly [string, Judgement] {
  const known = concessions.filter((each) => conceded.includes(nameOf(each)));
  return [name, { ...judgement, conceded: known }];
}
