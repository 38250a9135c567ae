import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface EditsOptions {
  /** Parts of names; those trials are run whose name has one of them. */
  readonly only: readonly string[];
  /** The commit since which something changed; null where that does not matter. */
  readonly changed: string | null;
  /** Names of choices that are put together into a pack of their own; null for none. */
  readonly pack: readonly string[] | null;
  /** How many lawful choices are drawn for each pack, and a seed for each; null for none. */
  readonly drawn: Drawn | null;
  /** How many mutants are drawn for whole runs, whose reports are judged, and by which seeds; null for none. */
  readonly reports: Drawn | null;
  /** True for the trials that did not pass in the last whole run, or that it did not reach. */
  readonly again: boolean;
  /** Processes for trials of each kind; null for what suits a quiet machine. */
  readonly processes: number | null;
  readonly format: "text" | "json";
}

/** So many of something, drawn once for each seed. */
export interface Drawn {
  readonly size: number;
  readonly seeds: readonly number[];
}

export const editsHelp = `Runs the kit against edited servers: mutants, which a check of their own rule must find, and lawful ones, which no check
may mind. A mutant's trial begins with the check that found it the last time and ends when it is found. Lawful choices run
in packs: apart from all that touch the same rules, and together with them. Of a pack that does not hold, the smallest part
is told that fails in the same way. A choice that NAME or --changed asks for runs alone too.

  npm run edits -- [NAME…] [--changed | --base COMMIT] [--format text|json]
  npm run edits -- --again
  npm run edits -- --pack CHOICE,…
  npm run edits -- --packs-of N [--seed SEED,…]
  npm run edits -- --reports-of N [--seed SEED,…]

  NAME        runs those whose name contains one of these; a colon at its end stands for the end of the name (default:
              all, which rewrites conformance/MATRIX.md and the figures of README.md)
  --changed   runs those that a change may concern: of their definition, of the source that they edit, of a check of
              their rule or of its place in spec/; compared with origin/main or else HEAD, with what is not committed
  --base      compares with this commit instead; implies --changed
  --again     runs what did not pass in the last whole run, and what that run did not reach, as after an interruption;
              rewrites conformance/MATRIX.md and the figures of README.md with the results of both
  --pack      runs these lawful choices together under the whole suite
  --packs-of  draws so many lawful choices, or as many as can stand together, and runs them so
  --reports-of
              draws so many mutants, runs each under the whole suite, to its end, and judges what the report says of it
  --seed      draws by this seed, once for each (default: 1)
  --processes runs so many trials at a time, for a busy machine (default: five for each processor)
  --format    json prints one document to stdout: { passed, failed, trials: [{ name, does, holds, message, checks }] }
  --help      prints this

Examples:
  npm run edits -- KEYC-30
  npm run edits -- "mutant AUTH" "lawful pack 1:"
  npm run edits -- --changed
  npm run edits -- --base HEAD~3 --format json
  npm run edits -- --pack "Q54-reads,bucketAlgorithm fixed-window"
  npm run edits -- --packs-of 60 --seed 1,2,3
  npm run edits -- --reports-of 60

Exit codes:
  0   every mutant was found, and no lawful server was called a violator
  1   at least one edit fared otherwise
  2   nothing could be run: wrong arguments, no such edit, or Node.js is too old
`;

/** What the arguments ask for; a text says what is wrong with them. */
export function readEditsOptions(args: readonly string[]): EditsOptions | "help" | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        changed: { type: "boolean", default: false },
        base: { type: "string" },
        pack: { type: "string" },
        "packs-of": { type: "string" },
        "reports-of": { type: "string" },
        seed: { type: "string" },
        format: { type: "string", default: "text" },
        again: { type: "boolean", default: false },
        processes: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return "help";
    const { format } = values;
    if (format !== "text" && format !== "json") return { problem: `--format ${format}: Choose text or json.` };
    const pack = values.pack?.split(",").map((name) => name.trim()) ?? null;
    const drawn = drawnOf("--packs-of", values["packs-of"], values.seed);
    if (drawn !== null && "problem" in drawn) return drawn;
    const reports = drawnOf("--reports-of", values["reports-of"], values.seed);
    if (reports !== null && "problem" in reports) return reports;
    if (values.seed !== undefined && drawn === null && reports === null)
      return { problem: "--seed is for --packs-of and --reports-of: Give one of these too." };
    const changed = values.base ?? (values.changed ? "" : null);
    const { again } = values;
    const processes = values.processes === undefined ? null : Number(values.processes);
    if (processes !== null && !(Number.isInteger(processes) && processes >= 1))
      return { problem: `--processes ${values.processes}: Give a whole number of one or more.` };
    const alone = [positionals.length > 0 || changed !== null, pack !== null, drawn !== null, reports !== null, again];
    if (alone.filter(Boolean).length > 1)
      return {
        problem:
          "--again, --pack, --packs-of and --reports-of stand alone: Leave out the others, names, --changed and --base.",
      };
    return { only: positionals, changed, pack, drawn, reports, again, processes, format };
  } catch (problem) {
    return { problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

function drawnOf(
  flag: string,
  size: string | undefined,
  seeds: string | undefined,
): Drawn | null | { readonly problem: string } {
  if (size === undefined) return null;
  const numbers = (seeds ?? "1").split(",").map(Number);
  if (!(Number(size) >= 1)) return { problem: `${flag} ${size}: Give a number.` };
  if (!numbers.every(Number.isInteger)) return { problem: `--seed ${seeds}: Give whole numbers, such as 1,2,3.` };
  return { size: Number(size), seeds: numbers };
}
