import { setFlagsFromString } from "node:v8";
import { type Command, Option } from "commander";
import { beginReference, referenceFlag } from "./begin-reference.ts";
import { exitWith } from "./exit-with.ts";
import { listed } from "./listed.ts";
import type { VerifyOptions } from "./run-verify.ts";
import { addTargetOptions, environmentHelp } from "./target-options.ts";
import { effectsFrom, pathFrom, seedFrom, usualSeed } from "./values-of-flags.ts";
import { wholeFrom } from "./whole-from.ts";

/** Registers `verify`: checks an implementation against the contract. Exit codes: see its help. */
export function addVerify(program: Command): void {
  const command = program
    .command("verify")
    .description("check an implementation against the contract, over HTTP")
    .addOption(
      new Option(referenceFlag, "start the reference server with its sandbox and verify that, every rule").conflicts([
        ...["url", "target", "sandboxUrl", "keyStdin", "receiverListen", "receiverUrl"],
      ]),
    );
  addTargetOptions(command)
    .addOption(
      new Option(
        "--profile <name>",
        "core (the default): what an address and one key reach, harmlessly; full: every rule",
      ).choices(["core", "full"]),
    )
    .option("--allow <effects>", "leave for what is not harmless: spends, sends, exhausts", effectsFrom)
    .option("--only <ids>", "checks, rules or areas to run, such as KEYC-15 or limits", listed)
    .option("--skip <ids>", "checks, rules or areas to leave out", listed)
    .option("--seed <number>", "seed of all chosen values; random takes any", seedFrom, usualSeed)
    .option("--path <path>", "counterexample of the one check that --only names", pathFrom)
    .option("--runs <number>", "values to try for each property", wholeFrom(1, 100_000))
    .option("--jobs <number>", "checks at a time, where each has an organization of its own", wholeFrom(1, 64))
    .option("--report <folder>", "where the reports go", "report")
    .option("--baseline <file>", "failures that are known: they are tried and told, and do not fail the run")
    .option("--plan", "tell what the run would do and cost, and send nothing")
    .addOption(new Option("--format <form>", "what standard output gets").choices(["text", "json"]).default("text"))
    .option("--quiet", "print the verdict and where the reports lie, nothing else")
    .addHelpText("after", help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((options: VerifyOptions, self: Command) => exitWith(self, () => begun(options)));
}

const help = `${environmentHelp}

Examples:
  npx bylaw verify --url http://127.0.0.1:8080           with the key in BYLAW_API_KEY
  npx bylaw verify --target target.yaml --profile full --allow exhausts
  npx bylaw verify --url http://127.0.0.1:8080 --only KEYC,limits.api-key-burst
  npx bylaw verify --url http://127.0.0.1:8080 --plan
  npx bylaw verify --url http://127.0.0.1:8080 --baseline .bylaw/baseline.yaml

Exit codes:
  0   no violation that the baseline does not know, and something was decided
  1   a violation that it does not know, or a stale entry of it
  2   the run itself failed: bad input, target out of reach or gone, interrupted, or a fault of the kit
  130 interrupted twice`;

/** The reference server starts while the kit is loaded: each takes as long as the other. */
async function begun(options: VerifyOptions): Promise<0 | 1 | 2> {
  const reference = options.reference === true ? beginReference() : null;
  // A run ends before code that is optimized in earnest has repaid what that took, on the cores that server and kit want.
  if (reference !== null) setFlagsFromString("--no-turbofan");
  try {
    const { verify } = await import("./run-verify.ts");
    return await verify(options, reference);
  } finally {
    await reference?.close();
  }
}
