import { onOneLine } from "../target/on-one-line.ts";
import type { PreflightFailure } from "../target/preflight-failure.ts";
import type { ReceiverSettings } from "../target/target.ts";

/** Why the receiver cannot listen, and what to do. */
export function listenFailure(error: unknown, { host, port }: ReceiverSettings["listen"]): PreflightFailure {
  const where = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const failed = (message: string, fix: string): PreflightFailure => ({ kind: "receiver", where, message, fix });
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return failed(
        "Something listens there already, so that the kit's receiver cannot.",
        "End it, or give another port with --receiver-listen; port 0 takes any that is free.",
      );
    case "EACCES":
      return failed(
        "This user may not listen there.",
        "Give a port from 1024 on with --receiver-listen, and forward to it where the target needs another.",
      );
    case "EADDRNOTAVAIL":
      return failed(
        `${host} is no address of this machine.`,
        "Listen on 127.0.0.1 or 0.0.0.0, and say with --receiver-url how the target gets there.",
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return failed(
        `The name ${host} has no address.`,
        "Listen on 127.0.0.1 or 0.0.0.0, and say with --receiver-url how the target gets there.",
      );
    default:
      return failed(
        `The kit's receiver cannot listen (${onOneLine(error instanceof Error ? error.message : String(error))}).`,
        "Give another host and port with --receiver-listen, such as 127.0.0.1:0.",
      );
  }
}
