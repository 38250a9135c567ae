/*
 * The process that keeps a PostgreSQL: it starts one on a free port and tells its parent where, stops and starts it when
 * it is told to, and ends it with all its files when the parent ends, in whatever way.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { accountForPostgres, handOver, temporaryFolder } from "./account.ts";
import { copyBinaries } from "./binaries.ts";
import type { KeeperAnswer, KeeperOrder } from "./embedded-postgres.ts";

type Child = ChildProcessByStdio<null, null, Readable>;

const account = accountForPostgres();
const folder = temporaryFolder(account);
const data = join(folder, "data");
const programs = join(folder, "programs");
const password = randomBytes(16).toString("hex");
let port = 0;
/** The program that was started last: `initdb` once, then the server. */
let running: Child | null = null;

process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
process.on("disconnect", end);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
process.on("message", (order: KeeperOrder) => answer(order === "stop" ? stop() : start()));
answer(create());

async function create(): Promise<void> {
  copyBinaries(programs);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(folder, account);
  const access = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  await succeed(run("initdb", [`--pgdata=${data}`, ...access, "--encoding=UTF8", "--locale=C", "--no-sync"]));
  for (let tries = 5; ; tries--) {
    // Below the ports that systems give to connections, so that it stays free while the server is stopped.
    port = randomInt(15_000, 32_000);
    try {
      return await start();
    } catch (problem) {
      if (tries === 1 || !String(problem).includes("could not bind")) throw problem;
    }
  }
}

/** Resolves once it takes connections. */
async function start(): Promise<void> {
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", "fsync=off"];
  const child = run("postgres", ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]);
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  child.stderr.on("data", (text) => {
    if (String(text).includes("ready to accept connections")) resolve();
  });
  await Promise.race([ready, succeed(child).then(() => Promise.reject(new Error("PostgreSQL ended at once.")))]);
}

/** To the server, this signal means to end all connections and itself in order. */
async function stop(): Promise<void> {
  if (running === null || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill("SIGINT");
  await ended;
}

function end(): void {
  stop().finally(() => process.exit());
}

function run(program: string, parameters: readonly string[]): Child {
  const child = spawn(join(programs, "bin", program), parameters, {
    ...account,
    // Its messages are read, so they are in English; where its parent stands, the account may have no access.
    env: { ...process.env, LC_ALL: "C" },
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running = child;
  return child;
}

/** Rejects, with what it said, unless a program ends well. */
async function succeed(child: Child): Promise<void> {
  let said = "";
  child.stderr.on("data", (text) => {
    said = (said + String(text)).slice(-2000);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${said.trim()}`);
}

function answer(work: Promise<void>): void {
  work.then(
    () => tell({ url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` }),
    (problem: unknown) => tell({ problem: problem instanceof Error ? problem.message : String(problem) }),
  );
}

function tell(message: KeeperAnswer): void {
  if (process.connected) process.send?.(message);
}
