import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import { printableLine } from "../../conformance/reports/printable.ts";
import { CannotRun } from "./cannot-run.ts";
import { exitWith } from "./exit-with.ts";

interface MockOptions {
  readonly port: number;
  readonly host: string;
}

/** Registers `mock`: answers made up from the OpenAPI document, without a server behind them. */
export function addMock(program: Command): void {
  program
    .command("mock")
    .description("serve answers made up from generated/openapi.yaml, with Prism; nothing is stored")
    .option("--port <number>", "port to listen on; 0 takes any free one", portFrom, 4010)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addHelpText("after", help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((options: MockOptions, self: Command) => exitWith(self, () => mock(options)));
}

const help = `
What it serves has the right shape and no meaning; "npx bylaw serve" starts a server that behaves.

Example:
  npx bylaw mock --port 4010

Exit codes: 0 stopped by SIGINT or SIGTERM; 2 it cannot start, or Prism ended by itself.`;

const document = fileURLToPath(new URL("../../generated/openapi.yaml", import.meta.url));

async function mock({ port: wanted, host }: MockOptions): Promise<0> {
  const prism = prismProgram();
  if (!existsSync(document)) {
    throw new CannotRun('There is no generated/openapi.yaml.\n  Run "npx bylaw compile" first.');
  }
  const port = await freePort(wanted, host);
  const args = [prism, "mock", "--port", String(port), "--host", host, document];
  // A group of its own: what a terminal's SIGINT stops is this process, which stops Prism.
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    child.kill("SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  process.on("exit", () => child.kill("SIGTERM"));
  let said = "";
  let ready = false;
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString("utf8")).slice(-4000);
    if (ready || stopped || !said.includes("listening on")) return;
    ready = true;
    process.stdout.write(`Mocking at http://${host}:${port} (Prism, generated/openapi.yaml)\n`);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  await new Promise<void>((resolve) => {
    child.on("error", ({ message }) => hear(Buffer.from(message)));
    child.on("close", () => resolve());
  });
  if (stopped) return 0;
  const last = stripVTControlCharacters(said).trim().split("\n").at(-1) ?? "";
  const why = last === "" ? "" : ` after "${printableLine(last).slice(0, 200)}"`;
  throw new CannotRun(
    `Prism ended by itself${why}.\n  See whether generated/openapi.yaml is sound: npm run lint:openapi`,
  );
}

/** The file of Prism's command line. */
function prismProgram(): string {
  try {
    return createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  } catch {
    throw new CannotRun(
      'Prism, which answers for the mock, is not installed.\n  Run "npm ci" in the project, without leaving out development dependencies.',
    );
  }
}

/** The port itself, or any free one for 0; Prism's own message about a port in use is a stack trace. */
function freePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", (error) => reject(new CannotRun(portProblem(error, port, host))));
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}

function portProblem(error: Error, port: number, host: string): string {
  switch ("code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return `--port ${port}: The port is in use.\n  Stop what uses it, or choose another one with --port.`;
    case "EACCES":
      return `--port ${port}: The port may not be used.\n  Choose one above 1023 with --port.`;
    default:
      return `--host ${host}: Nothing can listen there (${error.message}).\n  Name an address of this machine.`;
  }
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}
