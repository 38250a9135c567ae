#!/usr/bin/env node
import { commandLine } from "./command-line.ts";

function endWith(problem: unknown): never {
  const message = problem instanceof Error ? problem.message : String(problem);
  const trace = process.env.BYLAW_DEBUG && problem instanceof Error ? `\n${problem.stack}` : "";
  process.stderr.write(
    `error: ${message.split("\n", 1)[0]}\n  This is a fault of bylaw itself; BYLAW_DEBUG=1 shows where it happened.${trace}\n`,
  );
  process.exit(2);
}

process.on("uncaughtException", endWith);
await commandLine(process.argv.slice(2)).catch(endWith);
