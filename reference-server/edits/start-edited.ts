import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { type Choices, referenceChoices } from "../../generated/choices.ts";
import { Outage } from "../http/outage.ts";
import { createLog } from "../log.ts";
import type { Edit } from "./edit.ts";
import { loadEdited } from "./load-edited.ts";

/** A server with edits in it, which runs in this process until it is closed. */
export interface EditedServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly sandboxToken: string;
  /** What it logged as a failure of its own so far, one line each, but for those that its sandbox was asked for. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export interface EditedOptions {
  /** Options that differ from the reference's. */
  readonly choices?: Readonly<Partial<Choices>>;
  /** A random one unless given. */
  readonly sandboxToken?: string;
}

/** Starts a server with these edits on a store of its own in memory. Throws `StaleEdit` where one does not apply. */
export async function startEdited(
  edits: readonly Edit[],
  { choices, sandboxToken = randomBytes(16).toString("hex") }: EditedOptions = {},
): Promise<EditedServer> {
  const { createServer, openStore } = await loadEdited(edits);
  const failures: string[] = [];
  const server = createServer({
    store: await openStore("memory"),
    choices: { ...referenceChoices, ...choices },
    sandboxToken,
    log: createLog("error", noteIn(failures)),
    // Checks no answer of its own: another one judges.
    production: true,
    deliveries: { admitLoopback: true },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  return { url, sandboxToken, failures, close: () => server.close(0) };
}

const noteIn = (failures: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      const { msg, err } = JSON.parse(String(chunk)) as { msg: string; err?: { type: string; message: string } };
      if (err?.type !== Outage.name) failures.push(err === undefined ? msg : `${msg}: ${err.message}`);
      done();
    },
  });
