import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { type Choices, referenceChoices } from "../../generated/choices.ts";
import type { Address } from "../http/listener.ts";
import { Outage } from "../http/outage.ts";
import { createLog } from "../log.ts";
import type { Edit } from "./edit.ts";
import { createFront } from "./front.ts";
import { loadEdited } from "./load-edited.ts";
import type { Ports } from "./ports.ts";
import type { WireTrace } from "./wire-traces.ts";

/** A server with edits in it, which runs in this process until it is closed. */
export interface EditedServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly sandboxToken: string;
  /** What it logged as a failure of its own so far, one line each, but for those that its sandbox was asked for. */
  readonly failures: readonly string[];
  /** Calls that wires changed so far. */
  readonly traces: readonly WireTrace[];
  close(): Promise<void>;
}

export interface EditedOptions {
  /** Options that differ from the reference's. */
  readonly choices?: Readonly<Partial<Choices>>;
  /** A random one unless given. */
  readonly sandboxToken?: string;
  /** Whether it is noted which calls the wires changed; so it is unless given. */
  readonly traced?: boolean;
}

/**
 * Starts a server with these edits on a store of its own in memory. Wire and port edits work everywhere; edits of the
 * source only where Node itself loads the modules: not under vitest or tsx. Throws `StaleEdit` where one does not
 * apply.
 */
export async function startEdited(
  edits: readonly Edit[],
  { choices, sandboxToken = randomBytes(16).toString("hex"), traced = true }: EditedOptions = {},
): Promise<EditedServer> {
  const { createServer, machine, createHttpSender, openStore } = await loadEdited(edits);
  const failures: string[] = [];
  const log = createLog("error", noteIn(failures));
  const chosen = { ...referenceChoices, ...choices };
  const admitLoopback = true;
  const ports = edits
    .flatMap(({ changes }) => changes.flatMap((change) => ("ports" in change ? change.ports : [])))
    .reduce<Ports>((decorated, decorate) => decorate(decorated), {
      store: await openStore("memory"),
      sender: createHttpSender(chosen, log, { admitLoopback }),
      world: machine,
    });
  const server = createServer({
    ...{ store: ports.store, world: ports.world, choices: chosen, sandboxToken, log },
    // Checks no answer of its own: another one judges.
    production: true,
    deliveries: { admitLoopback, sender: ports.sender },
  });
  const { url } = await server.listen(anyPort);
  const wires = edits.flatMap(({ changes }) => changes.flatMap((change) => ("wire" in change ? change.wire : [])));
  if (wires.length === 0) return { url, sandboxToken, failures, traces: [], close: () => server.close(0) };
  const traces: WireTrace[] = [];
  const front = createFront(
    server.handle,
    wires,
    (problem) => failures.push(`a wire failed: ${problem}`),
    traced ? (trace) => traces.push(trace) : null,
  );
  return {
    ...{ url: (await front.listen(anyPort)).url, sandboxToken, failures, traces },
    async close() {
      await front.close(0);
      await server.close(0);
    },
  };
}

const anyPort: Address = { host: "127.0.0.1", port: 0 };

const noteIn = (failures: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      const { msg, err } = JSON.parse(String(chunk)) as { msg: string; err?: { type: string; message: string } };
      if (err?.type !== Outage.name) failures.push(err === undefined ? msg : `${msg}: ${err.message}`);
      done();
    },
  });
