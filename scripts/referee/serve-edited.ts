import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";

/** A process of its own: the server with the edits that its arguments name, until its standard input ends. */
const [sandboxToken = "", ...edits] = process.argv.slice(2);
const { url, close } = await startEdited(
  allEdits.filter(({ id }) => edits.includes(id)),
  { sandboxToken },
);
console.log(`Serving at ${url}`);
process.stdin.resume().on("end", close);
