#!/usr/bin/env node
// The launcher: plain JavaScript that any Node.js reads. It runs bylaw on Node.js 24, which reads TypeScript itself.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const needed = 24;
const program = fileURLToPath(new URL("bylaw.ts", import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= needed) {
  await import("./bylaw.ts");
} else {
  const names = process.platform === "win32" ? ["node.exe"] : ["node"];
  const pinned = names
    .map((name) => fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url)))
    .find((path) => existsSync(path));
  if (pinned === undefined) {
    console.error(
      `error: bylaw needs Node.js ${needed} or newer; this is ${process.versions.node}.\n` +
        '  Run "npm ci" in the project, which brings its own Node.js (install scripts must be allowed), or install Node.js ' +
        `${needed}.`,
    );
    process.exitCode = 2;
  } else {
    runOn(pinned);
  }
}

/** Runs the program with the same arguments and streams, hands signals on, and ends as it ends. */
function runOn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends these to both processes; the child decides what they mean.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => {
    console.error(`error: ${node} does not run: ${error.message}\n  Run "npm ci" again, or install Node.js ${needed}.`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 2);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
