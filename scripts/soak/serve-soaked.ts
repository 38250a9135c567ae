import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { referenceChoices } from "../../generated/choices.ts";
import { simulatedCarrier } from "../../reference-server/domain/carrier/carrier.ts";
import { loadEdited } from "../../reference-server/edits/load-edited.ts";
import { plantedFaults } from "./planted-faults.ts";
import { answerTimeout, soakedNow, soakedPace } from "./soaked-time.ts";

/** What the process is told in the first line of its standard input. */
export interface SoakOrder {
  readonly store: string;
  readonly sandboxToken: string;
  /** Address to which messages are handed over, each by its id. */
  readonly carrier: string;
  /** Where the servers' time begins: real milliseconds since 1970. */
  readonly start: number;
  /** Id of a planted fault. */
  readonly fault: string | null;
}

/** A process of its own: a server on a store that others may share, until it is killed or its standard input ends. */
const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit());
const [line] = await once(input, "line");
const { store, sandboxToken, carrier, start, fault } = JSON.parse(String(line)) as SoakOrder;
const { createServer, openStore } = await loadEdited(plantedFaults.filter(({ id }) => id === fault));

const server = createServer({
  store: await openStore(store),
  choices: { ...referenceChoices, retrySchedule: "three-attempts" },
  sandboxToken,
  log: pino({ level: "error" }, pino.destination(2)),
  // Checks its own answers: each record that it lists has to be whole.
  production: false,
  world: { now: () => soakedNow(start), randomBytes, newId: randomUUID },
  deliveries: {
    admitLoopback: true,
    timeout: answerTimeout,
    pace: soakedPace,
    carrier: {
      async handOver(text) {
        await fetch(carrier, { method: "POST", body: text.id });
        return simulatedCarrier.handOver(text);
      },
      report: simulatedCarrier.report,
    },
  },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`Serving at ${url}`);
