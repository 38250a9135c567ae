import { parentPort } from "node:worker_threads";
import { pino } from "pino";
import { referenceChoices } from "../../generated/choices.ts";
import { createLog } from "../../reference-server/log.ts";
import { createServer } from "../../reference-server/server.ts";
import { openStore } from "../../reference-server/store/open-store.ts";

/** A thread of its own, which serves until it is ended; it tells where, and the token of its sandbox is what it is given. */
parentPort?.once("message", async (sandboxToken: string) => {
  const server = createServer({
    store: await openStore("memory"),
    choices: referenceChoices,
    sandboxToken,
    log: createLog("silent", pino.destination(2)),
    // The kit looks at each answer itself.
    production: true,
    // The kit's receiver runs beside it.
    deliveries: { admitLoopback: true },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  parentPort?.postMessage(url);
});
