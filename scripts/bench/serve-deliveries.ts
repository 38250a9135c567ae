import { createServer as createHttpServer } from "node:http";
import { referenceChoices } from "../../generated/choices.ts";
import { createLog, logDestination } from "../../reference-server/log.ts";
import { createServer } from "../../reference-server/server.ts";
import { openStore } from "../../reference-server/store/open-store.ts";
import { countStatements } from "./count-statements.ts";

/** What the process has done so far. */
export interface WorkCounts {
  readonly claims: number;
  readonly statements: number;
}

/**
 * A process of its own: the server as in production, with its usual log, but for receivers on this machine. A second
 * port, which it prints first, tells what it has asked of its database.
 */
const statements = countStatements();
const { BENCH_STORE: place = "memory" } = process.env;
const store = await openStore(place);
const { dueWork } = store;
const claimDue = dueWork.claimDue.bind(dueWork);
let claims = 0;
dueWork.claimDue = (claim) => {
  claims++;
  return claimDue(claim);
};
const counts = createHttpServer((_, response) => {
  const told: WorkCounts = { claims, statements: statements() };
  response.end(JSON.stringify(told));
});
await new Promise<void>((listening) => counts.listen(0, "127.0.0.1", listening));
const at = counts.address();
console.log(typeof at === "object" && at !== null ? at.port : "");
const server = createServer({
  store,
  choices: referenceChoices,
  log: createLog("info", logDestination()),
  production: true,
  deliveries: { admitLoopback: true },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`Serving at ${url}`);
process.once("SIGTERM", () => server.close().then(() => process.exit()));
