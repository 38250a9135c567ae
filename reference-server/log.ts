import { type DestinationStream, type Logger, pino } from "pino";

/** Members that hold secrets wherever they turn up. */
const secretMembers = ["authorization", "plaintext", "token", "secret", "password"];

const anySecret = /svc_(live|sess)_[0-9A-Za-z]+/g;

/** Bytes of lines that are written together, and how long a line waits for others, in milliseconds. */
const together = { minLength: 16_000, periodicFlush: 50 };

/**
 * Standard error, where a log's lines go. A line by itself would take a fifth of the time of the request that it is
 * about; what is left when the process ends is written then. Lines wait as bytes: as text, what waits would be counted
 * anew with each line.
 */
export function logDestination(): DestinationStream {
  const file = pino.destination({ dest: 2, sync: false, contentMode: "buffer", ...together });
  // In this mode it wants bytes, of which its types do not know.
  return { write: (line) => void file.write(Buffer.from(line) as Buffer & string) };
}

/** A structured log in which no secret stands: not in members that are named for one, not in the text of errors. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "[redacted]",
      },
      serializers: { err: (problem: unknown) => withoutSecrets(pino.stdSerializers.err(asError(problem))) },
    },
    destination,
  );
}

const asError = (problem: unknown): Error => (problem instanceof Error ? problem : new Error(String(problem)));

function withoutSecrets({ type, message, stack }: { type: string; message: string; stack: string }) {
  return { type, message: message.replace(anySecret, "[redacted]"), stack: stack.replace(anySecret, "[redacted]") };
}
