import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { withCompileCache } from "../compile-cache.ts";

/** A reference server that starts in a thread of its own, with its sandbox on. */
export interface BegunReference {
  readonly sandboxToken: string;
  /** Where it listens, once it does. */
  readonly url: Promise<string>;
  close(): Promise<void>;
}

/** Flag that takes such a server as the target. */
export const referenceFlag = "--reference";

/**
 * Begins a reference server on an embedded database and any free port. The kit meets it as any other target, over HTTP
 * alone; a thread of its own lets both compute at once, and ends with the process however that does.
 */
export function beginReference(): BegunReference {
  const sandboxToken = randomBytes(24).toString("base64url");
  // What Node was told of the process, such as how to read its standard input, is not meant for the thread; that compiled
  // modules are kept, it is not told unless by the environment.
  const options = { execArgv: [], env: withCompileCache };
  const thread = new Worker(new URL("reference-thread.ts", import.meta.url), options);
  thread.postMessage(sandboxToken);
  const url = once(thread, "message").then(([text]) => String(text));
  // Who waits for it is told; nobody may, where the command ends before.
  url.catch(() => undefined);
  return { sandboxToken, url, close: async () => void (await thread.terminate()) };
}
