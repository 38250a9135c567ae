import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { readTarget } from "../../conformance/configuration/read-target.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { CannotRun } from "./cannot-run.ts";

/** A reference server in a thread of its own, with its sandbox on. */
export interface Reference {
  readonly target: Target;
  close(): Promise<void>;
}

/** Flag that takes such a server as the target. */
export const referenceFlag = "--reference";

/**
 * Starts the reference server on an embedded database and any free port. The kit meets it as any other target, over HTTP
 * alone; a thread of its own lets both compute at once, and ends with the process however that does.
 */
export async function startReference(timing: {
  readonly requestTimeout?: string;
  readonly maxWait?: string;
}): Promise<Reference> {
  const sandboxToken = randomBytes(24).toString("base64url");
  // What Node was told of the process, such as how to read its standard input, is not meant for the thread.
  const thread = new Worker(new URL("reference-thread.ts", import.meta.url), { execArgv: [] });
  const close = async (): Promise<void> => void (await thread.terminate());
  thread.postMessage(sandboxToken);
  const [url] = await once(thread, "message");
  const read = readTarget({
    file: null,
    environment: { BYLAW_SANDBOX_TOKEN: sandboxToken },
    flags: {
      ...{ "--url": String(url), "--request-timeout": timing.requestTimeout, "--max-wait": timing.maxWait },
      "--receiver-listen": "127.0.0.1:0",
    },
  });
  if (read.ok) return { target: read.target, close };
  await close();
  throw new CannotRun(read.problems.map(problemText).join("\n"));
}
