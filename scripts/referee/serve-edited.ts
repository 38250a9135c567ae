import { pino } from "pino";
import { referenceChoices } from "../../generated/choices.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { loadEdited } from "../../reference-server/edits/load-edited.ts";

/** A process of its own: the server with the edits that its arguments name, until its standard input ends. */
const [token = "", ...edits] = process.argv.slice(2);
loadEdited(allEdits.filter(({ id }) => edits.includes(id)));

// Loaded only now, so that the edits are in it.
const { createServer } = await import("../../reference-server/server.ts");
const { openSqlite } = await import("../../reference-server/store/sqlite.ts");

const server = createServer({
  store: await openSqlite(":memory:"),
  choices: referenceChoices,
  sandboxToken: token,
  log: pino({ level: "silent" }),
  // Checks no answer of its own: another one judges.
  production: true,
  deliveries: { admitLoopback: true },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`Serving at ${url}`);
process.stdin.resume().on("end", () => server.close(0));
