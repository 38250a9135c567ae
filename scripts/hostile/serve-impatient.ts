import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { referenceChoices } from "../../generated/choices.ts";
import { createLog } from "../../reference-server/log.ts";
import { createServer } from "../../reference-server/server.ts";
import { openSqlite } from "../../reference-server/store/engine/sqlite.ts";
import { patience } from "./patience.ts";

/** A process of its own: the server with short patience. Answers "heap" and "faults" on standard input. */
const [sandboxToken = ""] = process.argv.slice(2);
const faults: string[] = [];
const errorLevel = 50;
const log = createLog(
  "error",
  new Writable({
    write(line, _encoding, done) {
      const { level, msg, err } = JSON.parse(String(line));
      if (level >= errorLevel) faults.push(`${msg}: ${err?.stack ?? ""}`);
      done();
    },
  }),
);
process.on("uncaughtException", (problem) => faults.push(`uncaught: ${problem.stack}`));

const server = createServer({
  store: await openSqlite(":memory:"),
  choices: referenceChoices,
  ...{ sandboxToken, log, production: false, patience },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`Serving at ${url}`);

createInterface(process.stdin).on("line", (question) => {
  if (question === "heap") console.log(`heap ${heapBytes()}`);
  else console.log(`faults ${JSON.stringify(faults.splice(0))}`);
});

/** Bytes in use after a full collection. */
function heapBytes(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
