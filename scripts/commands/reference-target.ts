import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { readTarget } from "../../conformance/configuration/read-target.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { referenceChoices } from "../../generated/choices.ts";
import { createLog } from "../../reference-server/log.ts";
import { createServer } from "../../reference-server/server.ts";
import { openStore } from "../../reference-server/store/open-store.ts";
import { CannotRun } from "./cannot-run.ts";

/** A reference server of this process, with its sandbox on. */
export interface Reference {
  readonly target: Target;
  close(): Promise<void>;
}

/** Flag that takes such a server as the target. */
export const referenceFlag = "--reference";

/** Starts the reference server on an embedded database and any free port. */
export async function startReference(timing: {
  readonly requestTimeout?: string;
  readonly maxWait?: string;
}): Promise<Reference> {
  const sandboxToken = randomBytes(24).toString("base64url");
  const server = createServer({
    store: await openStore("memory"),
    choices: referenceChoices,
    sandboxToken,
    log: createLog("silent", pino.destination(2)),
    production: false,
    // The kit's receiver runs beside it.
    deliveries: { admitLoopback: true },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const read = readTarget({
    file: null,
    environment: { BYLAW_SANDBOX_TOKEN: sandboxToken },
    flags: {
      ...{ "--url": url, "--request-timeout": timing.requestTimeout, "--max-wait": timing.maxWait },
      "--receiver-listen": "127.0.0.1:0",
    },
  });
  if (read.ok) return { target: read.target, close: () => server.close() };
  await server.close();
  throw new CannotRun(read.problems.map(problemText).join("\n"));
}
