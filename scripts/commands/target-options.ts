import { Command } from "commander";
import { durationText } from "../../conformance/target/duration.ts";
import type { Target } from "../../conformance/target/target.ts";
import { timingSettings } from "../../conformance/target/timing.ts";

/** Flags that describe a target. */
export interface TargetOptions {
  readonly url?: string;
  readonly target?: string;
  readonly sandboxUrl?: string;
  readonly keyStdin?: boolean;
  readonly requestTimeout?: string;
  readonly maxWait?: string;
  readonly receiverListen?: string;
  readonly receiverUrl?: string;
}

/** Secrets never stand in a flag, where every process of the machine could read them. */
export function addTargetOptions(command: Command): Command {
  command
    .option("--url <address>", "address of the implementation; BYLAW_URL")
    .option(
      "--target <file>",
      "YAML file that describes the implementation; conformance/examples/target.yaml shows all",
    )
    .option("--sandbox-url <address>", "address of its sandbox API, if it has one; BYLAW_SANDBOX_URL")
    .option("--key-stdin", "read the API key from standard input; BYLAW_API_KEY otherwise")
    .option("--receiver-listen <host:port>", "where the kit takes deliveries; BYLAW_RECEIVER_LISTEN")
    .option("--receiver-url <address>", "how the implementation reaches that, if otherwise; BYLAW_RECEIVER_URL");
  for (const { flag, says, default: usual } of timingSettings) {
    const sentence = says.charAt(0).toLowerCase() + says.slice(1, -1);
    if (flag !== null) command.option(`${flag} <time>`, `${sentence}; such as 90s (default: ${durationText(usual)})`);
  }
  return command;
}

/** Flags that name the same target again; a key that was piped in is to be in the environment then. */
export function targetFlags(options: TargetOptions, { baseUrl }: Target): readonly string[] {
  const { target } = options;
  // An address of the environment is named too: it may be another one by then.
  const url = target === undefined ? (options.url ?? baseUrl) : options.url;
  const given = { "--target": target, ...flagsOf({ ...options, ...(url === undefined ? {} : { url }) }) };
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
}

/** What the flags of an earlier run said of its target. */
export const optionsFromFlags = (flags: readonly string[]): TargetOptions =>
  addTargetOptions(new Command().exitOverride()).parse(flags, { from: "user" }).opts<TargetOptions>();

/** The values of those flags that a target is read from; the key that is piped in is not among them. */
export const flagsOf = (options: TargetOptions) => ({
  "--url": options.url,
  "--sandbox-url": options.sandboxUrl,
  "--request-timeout": options.requestTimeout,
  "--max-wait": options.maxWait,
  "--receiver-listen": options.receiverListen,
  "--receiver-url": options.receiverUrl,
});

/** What to show below the flags of a command that reads a target. */
export const environmentHelp = `
Secrets come from the environment, never from a flag:
  BYLAW_API_KEY         API key of the first organization, with as many scopes as there are
  BYLAW_OTHER_API_KEY   API key of a second organization
  BYLAW_SESSION_TOKEN   token of a signed-in user of the first organization
  BYLAW_REVOKED_KEY     a revoked key of the first organization
  BYLAW_SANDBOX_TOKEN   token of the sandbox API`;
