#!/usr/bin/env node
// The launcher: plain JavaScript that any Node.js reads. It runs bylaw on Node.js 24, which reads TypeScript itself.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const needed = 24;
const launcher = fileURLToPath(import.meta.url);
const endWithLauncher = new URL("end-with-launcher.js", import.meta.url).href;

if (Number.parseInt(process.versions.node, 10) >= needed) {
  // Every start reads the same modules again, and takes the types out of them; where the folder cannot be written, each
  // start does it anew. Modules are known by their places in the project, so that a copy or a move of it is no other one.
  process.env.NODE_COMPILE_CACHE_PORTABLE ??= "1";
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/bylaw", import.meta.url)));
  await import("./bylaw.ts");
} else {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const pinned = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url));
  if (existsSync(pinned)) {
    runOn(pinned);
  } else {
    console.error(
      `error: bylaw needs Node.js ${needed} or newer; this is ${process.versions.node}.\n` +
        '  Run "npm ci" in the project, which brings its own Node.js (install scripts must be allowed), or install Node.js ' +
        `${needed}.`,
    );
    process.exitCode = 2;
  }
}

/**
 * Runs the program with the same arguments and streams, hands signals on, and ends as it ends. The channel between them
 * carries nothing; that it closes tells the program of the launcher's end.
 */
function runOn(node) {
  const child = spawn(node, ["--import", endWithLauncher, launcher, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"]) {
    // A terminal sends Ctrl-C and its own end to the child as well, and a second Ctrl-C means more than one.
    const fromTerminal = process.stdin.isTTY && signal !== "SIGTERM";
    process.on(signal, () => {
      if (!fromTerminal) child.kill(signal);
    });
  }
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
