import { type Problem, type ProblemKind, problemKinds } from "./problem.ts";

/** Problems of a file by kind; a kind without problems is absent. */
export type Counts = Readonly<Partial<Record<ProblemKind, number>>>;

/** Counts of each file that has problems, by path. */
export type Baseline = ReadonlyMap<string, Counts>;

/** Reads a baseline. A merge may keep two lines of one file: the lower counts are right. */
export function readBaseline(text: string): Baseline {
  const entries = new Map<string, Counts>();
  for (const line of text.split("\n")) {
    // Git writes such lines where it cannot merge.
    if (line === "" || /^(?:#|<{7}|={7}|>{7}|\|{7})/.test(line)) continue;
    const [path = "", ...columns] = line.split(" ");
    const counts: Record<string, number> = Object.fromEntries(
      columns.map((column) => column.split("=")).map(([kind = "", count]) => [kind, Number(count)]),
    );
    const other = entries.get(path);
    entries.set(
      path,
      countsFrom((kind) => Math.min(counts[kind] ?? 0, other?.[kind] ?? (other ? 0 : Infinity))),
    );
  }
  return entries;
}

/** The text of a baseline, with one line for each file. */
export const baselineText = (baseline: Baseline): string =>
  `# Problems of each file that the prose lint allows. "npm run prose -- --write" lowers the counts; nothing raises them.\n${[
    ...baseline,
  ]
    .map(([path, counts]) => [
      path,
      ...problemKinds.flatMap((kind) => (counts[kind] ? [`${kind}=${counts[kind]}`] : [])),
    ])
    .filter(({ length }) => length > 1)
    .map((columns) => columns.join(" "))
    .sort()
    .map((line) => `${line}\n`)
    .join("")}`;

/** How many problems of each kind there are. */
export const countsOf = (problems: readonly Problem[]): Counts =>
  countsFrom((kind) => problems.filter((problem) => problem.kind === kind).length);

function countsFrom(count: (kind: ProblemKind) => number): Counts {
  const pairs = problemKinds.map((kind) => [kind, count(kind)] as const).filter(([, number]) => number > 0);
  return Object.fromEntries(pairs);
}

/** A file that has more or fewer problems of a kind than its baseline entry. */
export interface Change {
  readonly path: string;
  readonly kind: ProblemKind;
  readonly allowed: number;
  readonly count: number;
}

export interface Comparison {
  readonly worse: readonly Change[];
  readonly better: readonly Change[];
  /** Entries whose file does not exist. */
  readonly gone: readonly string[];
}

/** Compares all files with the baseline; `files` has those without problems too. */
export function compare(files: Baseline, baseline: Baseline): Comparison {
  const changes = [...files].flatMap(([path, counts]) =>
    problemKinds.map((kind) => ({ path, kind, allowed: baseline.get(path)?.[kind] ?? 0, count: counts[kind] ?? 0 })),
  );
  return {
    worse: changes.filter(({ count, allowed }) => count > allowed),
    better: changes.filter(({ count, allowed }) => count < allowed),
    gone: [...baseline.keys()].filter((path) => !files.has(path)),
  };
}

/** The baseline with the lower counts of today. `renames` has the new path of each renamed file by its old one. */
export function lowered(files: Baseline, baseline: Baseline, renames: ReadonlyMap<string, string>): Baseline {
  const carried = [...renames].reduce((all, [from, to]) => moved(files, all, from, to), baseline);
  return new Map(
    [...carried].flatMap(([path, allowed]) => {
      const counts = files.get(path);
      return counts === undefined
        ? []
        : [[path, countsFrom((kind) => Math.min(counts[kind] ?? 0, allowed[kind] ?? 0))] as const];
    }),
  );
}

/** The baseline after text went from one file to another: what the first file lost, the second may have. */
export function moved(files: Baseline, baseline: Baseline, from: string, to: string): Baseline {
  const share = countsFrom((kind) => {
    const lost = (baseline.get(from)?.[kind] ?? 0) - (files.get(from)?.[kind] ?? 0);
    const wanted = (files.get(to)?.[kind] ?? 0) - (baseline.get(to)?.[kind] ?? 0);
    return Math.max(0, Math.min(lost, wanted));
  });
  const added = (path: string, sign: 1 | -1): Counts =>
    countsFrom((kind) => (baseline.get(path)?.[kind] ?? 0) + sign * (share[kind] ?? 0));
  return new Map([...baseline, [from, added(from, -1)], [to, added(to, 1)]]);
}
