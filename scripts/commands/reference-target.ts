import { readTarget } from "../../conformance/configuration/read-target.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { type BegunReference, beginReference } from "./begin-reference.ts";
import { CannotRun } from "./cannot-run.ts";

/** A reference server that listens. */
export interface Reference {
  readonly target: Target;
  close(): Promise<void>;
}

interface Timing {
  readonly requestTimeout?: string;
  readonly maxWait?: string;
}

/** Starts a reference server as a target. */
export async function startReference(timing: Timing): Promise<Reference> {
  const begun = beginReference();
  try {
    return { target: await referenceTarget(begun, timing), close: begun.close };
  } catch (problem) {
    await begun.close();
    throw problem;
  }
}

/** The target that a reference server is, once it listens; it ends with whoever began it. */
export async function referenceTarget({ url, sandboxToken }: BegunReference, timing: Timing): Promise<Target> {
  const read = readTarget({
    file: null,
    environment: { BYLAW_SANDBOX_TOKEN: sandboxToken },
    flags: {
      ...{ "--url": await url, "--request-timeout": timing.requestTimeout, "--max-wait": timing.maxWait },
      "--receiver-listen": "127.0.0.1:0",
    },
  });
  if (read.ok) return { ...read.target, sandbox: read.target.sandbox && { ...read.target.sandbox, endsWithRun: true } };
  throw new CannotRun(read.problems.map(problemText).join("\n"));
}
