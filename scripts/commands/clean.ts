import type { Command } from "commander";
import { isOf, isOrganization, leftBehindText } from "../../conformance/provision/left-behind.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
import type { Target } from "../../conformance/target/target.ts";
import { exitWith } from "./exit-with.ts";
import { type JournalEntry, journalFile, readJournal, removeFromJournal, shortenJournal } from "./journal.ts";
import { type Removal, removalOf } from "./remove-left-behind.ts";
import { targetFrom } from "./target-from.ts";
import { addTargetOptions, environmentHelp, type TargetOptions } from "./target-options.ts";

interface CleanOptions extends TargetOptions {
  readonly dryRun?: boolean;
}

/** Registers `clean`: removes what runs left behind on targets, as far as the target allows. */
export function addClean(program: Command): void {
  const command = program
    .command("clean")
    .description(`remove what runs left behind, as ${journalFile} lists it, and say what cannot be removed`);
  addTargetOptions(command)
    .option("--dry-run", "tell what would be removed, and remove nothing")
    .addHelpText("after", `${environmentHelp}\n${help}`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((options: CleanOptions, self: Command) => exitWith(self, () => clean(options)));
}

const help = `
What is gone already without this command can be taken out of the journal by hand: one line is one thing, or tells
with "removed" that one is gone.
Webhook endpoints are deleted. API keys are revoked by the target file's revoke_key hook, since the API has no
operation for it; organizations by its delete_organization hook where a hook made them, and through the sandbox where
that did. With an address, that of --url, BYLAW_URL or the
target file, only what is left there is looked at. Without one, what is left is listed.

Examples:
  npx bylaw clean                              what is left, and where
  npx bylaw clean --target target.yaml --dry-run
  npx bylaw clean --target target.yaml

Exit codes: 0 nothing is left; 1 something is left; 2 bad input, or an unreadable journal.`;

async function clean(options: CleanOptions): Promise<0 | 1 | 2> {
  const told = options.url !== undefined || options.target !== undefined || (process.env.BYLAW_URL ?? "") !== "";
  const target = told ? await targetFrom(options, "clean") : null;
  const entries = readJournal(journalFile);
  const mine = target === null ? entries : entries.filter((entry) => entry.baseUrl === target.baseUrl);
  if (mine.length === 0) {
    say(`Nothing is left behind${target === null ? "" : ` at ${target.baseUrl}`}.`);
    return 0;
  }
  return target === null ? listed(mine) : removed(mine, target, options.dryRun === true);
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function listed(entries: readonly JournalEntry[]): 1 {
  for (const [baseUrl, there] of Map.groupBy(entries, (entry) => entry.baseUrl)) {
    say(`${printableLine(baseUrl)}: ${counted(there.length, "thing")}`);
    for (const entry of there) say(`  ${nameOf(entry)}`);
  }
  say("Nothing was removed: give --url or --target to say where to remove it, and how.");
  return 1;
}

const nameOf = (entry: JournalEntry): string =>
  `${printableLine(leftBehindText(entry))} (${printableLine(entry.time)})`;

/** Removes what can be removed, one by one, so that an interruption loses nothing of what was done. */
async function removed(entries: readonly JournalEntry[], target: Target, dryRun: boolean): Promise<0 | 1> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const kept: { readonly entry: JournalEntry; readonly why: string }[] = [];
  const gone: JournalEntry[] = [];
  // Organizations first: what is theirs goes with them.
  for (const entry of entries.toSorted((a, b) => Number(isOrganization(b)) - Number(isOrganization(a)))) {
    if (stop.signal.aborted) {
      kept.push({ entry, why: "interrupted before it was tried" });
      continue;
    }
    const owner = gone.find((organization) => isOf(entry, organization));
    const outcome: Outcome =
      owner === undefined
        ? await dealWith(removalOf(entry, target, stop.signal), dryRun)
        : { kind: "removed", how: "gone with its organization" };
    if (outcome.kind === "kept") {
      kept.push({ entry, why: outcome.why });
      continue;
    }
    gone.push(entry);
    say(`${nameOf(entry)}: ${outcome.how}`);
    if (!dryRun) removeFromJournal(journalFile, [entry]);
  }
  process.off("SIGINT", interrupt);
  if (!dryRun) shortenJournal(journalFile);
  for (const [why, there] of Map.groupBy(kept, (k) => k.why)) {
    say(`${counted(there.length, "thing")} kept: ${printableLine(why)}`);
    for (const { entry } of there) say(`  ${nameOf(entry)}`);
  }
  say(
    `${dryRun ? "Would remove" : "Removed"} ${gone.length} of ${counted(entries.length, "thing")} at ${target.baseUrl}.`,
  );
  return kept.length === 0 ? 0 : 1;
}

type Outcome = { readonly kind: "removed"; readonly how: string } | { readonly kind: "kept"; readonly why: string };

async function dealWith(removal: Removal, onlyTell: boolean): Promise<Outcome> {
  if (removal.kind === "impossible") return { kind: "kept", why: removal.why };
  const { how } = removal;
  if (onlyTell) return { kind: "removed", how: `would be ${how}` };
  const result = await removal.remove();
  return result.ok ? { kind: "removed", how } : { kind: "kept", why: result.why };
}
