import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import { type Choices, referenceChoices } from "../../generated/choices.ts";
import { choicesFrom } from "../../reference-server/choices.ts";
import { usualSendPatience } from "../../reference-server/delivery/send-attempt.ts";
import { createLog, logDestination } from "../../reference-server/log.ts";
import { seedOrganization, usualSeedCredit } from "../../reference-server/seed-organization.ts";
import { createServer, machine, type Server } from "../../reference-server/server.ts";
import { openStore, shownPlace, storeForms } from "../../reference-server/store/open-store.ts";
import { withDeliveryLines } from "./serve-delivery-lines.ts";

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly store: string;
  readonly sandboxTokenEnv: string;
  readonly choices?: string;
  readonly logLevel: string;
  readonly seedOrganization: boolean;
  readonly seedCredit: number;
  readonly admitLoopback: boolean;
  readonly deliveryTimeout: number;
  readonly publicUrl?: string;
}

/** What keeps the server from starting; the message is all that a user needs. */
class CannotServe extends Error {}

/** In seconds; one that hangs for longer only occupies the server. */
const longestDelivery = 120;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** Registers `serve`: the reference server on one port. Exit code 2 when it cannot start. */
export function addServe(program: Command): void {
  program
    .command("serve")
    .description("start the reference server")
    .option("--port <number>", "port to listen on; 0 takes any free one", portFrom, 8080)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--store <place>", `where data is kept: ${storeForms}`, "memory")
    .option(
      "--sandbox-token-env <name>",
      "environment variable with the sandbox's token; unset: no sandbox",
      "BYLAW_SANDBOX_TOKEN",
    )
    .option(
      "--choices <file>",
      "JSON or YAML file of options that answer open questions otherwise than the reference does",
    )
    .addOption(
      new Option("--log-level <level>", "least level that is logged to standard error")
        .choices(logLevels)
        .default("info"),
    )
    .option(
      "--seed-organization",
      "create an organization and print it with a key of all scopes, once, as a line of JSON",
      false,
    )
    .option(
      "--seed-credit <dollars>",
      "what --seed-organization puts into the wallet, for messages and lookups",
      dollarsFrom,
      usualSeedCredit,
    )
    .option(
      "--admit-loopback",
      "let webhook endpoints be on this machine, over http too; for development and tests",
      false,
    )
    .option(
      "--delivery-timeout <seconds>",
      "time that a webhook endpoint has for its answer",
      secondsFrom,
      usualSendPatience.total / 1000,
    )
    .option(
      "--public-url <address>",
      "where recipients reach the server's pages, such as https://messaging.example.test; where it listens unless given",
      addressFrom,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (flags: ServeFlags, command: Command) => {
      try {
        await serve(flags);
      } catch (problem) {
        command.error(`error: ${messageOf(problem)}`, { exitCode: 2 });
      }
    });
}

async function serve(flags: ServeFlags): Promise<void> {
  const production = process.env.NODE_ENV === "production";
  if (production && flags.admitLoopback)
    throw new CannotServe(
      "In production nobody may have the server call itself. Leave out --admit-loopback, or unset NODE_ENV.",
    );
  const choices = choicesIn(flags.choices);
  const token = process.env[flags.sandboxTokenEnv] ?? "";
  const log = createLog(flags.logLevel, withDeliveryLines(logDestination(), console.log));
  const store = await openStore(flags.store, {
    lostConnection: (problem) => log.warn({ err: problem }, "an unused connection to the database was lost"),
  });
  const server = createServer({
    store,
    choices,
    ...(token === "" ? {} : { sandboxToken: token }),
    log,
    production,
    ...(flags.publicUrl === undefined ? {} : { publicUrl: flags.publicUrl }),
    deliveries: { admitLoopback: flags.admitLoopback, timeout: flags.deliveryTimeout * 1000 },
  });
  try {
    const { url } = await server.listen(flags);
    if (flags.seedOrganization)
      console.log(JSON.stringify(await seedOrganization(store, machine, choices, flags.seedCredit)));
    closeOnSignals(server);
    console.log(`Serving at ${url} (store: ${shownPlace(flags.store)}, sandbox: ${token === "" ? "off" : "on"})`);
  } catch (problem) {
    await server.close();
    throw problem;
  }
}

/** The first signal lets requests in flight finish; a second one does not wait for them. */
function closeOnSignals(server: Server): void {
  const signals = ["SIGTERM", "SIGINT"] as const;
  const close = () => {
    for (const signal of signals) process.off(signal, close).once(signal, () => process.exit(1));
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of signals) process.on(signal, close);
}

function choicesIn(file: string | undefined): Choices {
  if (file === undefined) return referenceChoices;
  try {
    return choicesFrom(parse(readFileSync(file, "utf8")));
  } catch (problem) {
    throw new CannotServe(`The choices in ${file} cannot be used.\n${messageOf(problem)}`);
  }
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

/** Without a slash at the end. */
function addressFrom(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && ["http:", "https:"].includes(url.protocol) && url.search === "" && url.hash === "")
    return url.href.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be an http or https address without a query.");
}

function secondsFrom(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,3}(\.\d{1,3})?$/.test(text) && seconds > 0 && seconds <= longestDelivery) return seconds;
  throw new InvalidArgumentError(`It must be a number above 0, up to ${longestDelivery}.`);
}

function dollarsFrom(text: string): number {
  if (/^\d{1,7}(\.\d{1,2})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be an amount of US dollars, such as 25 or 0.50.");
}

function messageOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  switch ("code" in problem ? problem.code : undefined) {
    case "EADDRINUSE":
      return "The port is in use. Stop what uses it, or choose another one with --port.";
    case "EACCES":
      return "The port may not be used. Choose one above 1023 with --port.";
    default:
      return problem.message;
  }
}
