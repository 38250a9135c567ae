import { referenceChoices } from "../../generated/choices.ts";
import { createLog, logDestination } from "../../reference-server/log.ts";
import { createServer } from "../../reference-server/server.ts";
import { openStore } from "../../reference-server/store/open-store.ts";

/** A process of its own: the server as in production, with its usual log, but for receivers on this machine. */
const { BENCH_STORE: place = "memory" } = process.env;
const server = createServer({
  store: await openStore(place),
  choices: referenceChoices,
  log: createLog("info", logDestination()),
  production: true,
  deliveries: { admitLoopback: true },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`Serving at ${url}`);
process.once("SIGTERM", () => server.close().then(() => process.exit()));
