import { readFileSync } from "node:fs";
import { Command } from "commander";

/** A command by name; its module is loaded only when it is called or asked for help. */
interface Entry {
  readonly name: string;
  /** Line in the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<(program: Command) => void>;
}

const entries: readonly Entry[] = [
  {
    name: "compile",
    summary: "compile the spec into generated/",
    load: async () => (await import("./commands/compile.ts")).addCompile,
  },
  {
    name: "lint",
    summary: "check the spec without writing anything",
    load: async () => (await import("./commands/lint.ts")).addLint,
  },
  {
    name: "lock",
    summary: "bring the lock of rule ids in line with the spec",
    load: async () => (await import("./commands/lock.ts")).addLock,
  },
  {
    name: "diff",
    summary: "compare two contracts and judge every change",
    load: async () => (await import("./commands/diff.ts")).addDiff,
  },
  {
    name: "rules",
    summary: "list the rules of the contract",
    load: async () => (await import("./commands/rules.ts")).addRules,
  },
  {
    name: "explain",
    summary: "explain a rule, question, error, scope or operation",
    load: async () => (await import("./commands/explain.ts")).addExplain,
  },
  {
    name: "new",
    summary: "begin an operation, a rule, a check or a mutant",
    load: async () => (await import("./commands/new.ts")).addNew,
  },
  {
    name: "serve",
    summary: "start the reference server",
    load: async () => (await import("./commands/serve.ts")).addServe,
  },
  {
    name: "verify",
    summary: "check an implementation against the contract",
    load: async () => (await import("./commands/verify.ts")).addVerify,
  },
  {
    name: "doctor",
    summary: "look at a target before a run",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    name: "replay",
    summary: "repeat a failure of an earlier run",
    load: async () => (await import("./commands/replay.ts")).addReplay,
  },
  {
    name: "baseline",
    summary: "begin a file of known failures",
    load: async () => (await import("./commands/baseline.ts")).addBaseline,
  },
  {
    name: "compare",
    summary: "tell what differs between two runs",
    load: async () => (await import("./commands/compare.ts")).addCompare,
  },
  {
    name: "clean",
    summary: "remove what runs left behind on targets",
    load: async () => (await import("./commands/clean.ts")).addClean,
  },
  {
    name: "mock",
    summary: "serve answers made up from the contract",
    load: async () => (await import("./commands/mock.ts")).addMock,
  },
];

const help = `
Examples:
  npx bylaw compile           after a change in spec/
  npx bylaw explain KEYC-15   what a rule says, and what it rests on

Exit codes:
  0  done, nothing wrong
  1  something is wrong with the contract, the generated files or the target
  2  bad usage, unreadable input, or a fault of bylaw itself

BYLAW_DEBUG=1 adds the stack trace to an unexpected error. NO_COLOR=1 turns colours off.`;

/** The name of the command that the arguments call, or ask help for. */
function calledName(args: readonly string[]): string | undefined {
  const words = args.filter((argument) => !argument.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}

/** Does what the arguments say, and sets the exit code of the process or ends it. */
export async function commandLine(args: readonly string[]): Promise<void> {
  const program = new Command("bylaw")
    .description("One contract in TypeSpec: compiled, explained, served and verified.")
    .version(versionOfPackage(), "-V, --version", "print the version")
    .addHelpText("after", help)
    .showHelpAfterError("  Add --help to see what the command takes.")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  const called = calledName(args);
  for (const { name, summary, load } of entries) {
    if (name !== called) {
      program.command(name).summary(summary);
      continue;
    }
    (await load())(program);
    program.commands.at(-1)?.summary(summary);
  }
  await program.parseAsync(args, { from: "user" });
}

function versionOfPackage(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
