import { errors } from "undici";

/**
 * Why nobody answered, by the code of the error. The texts stand in records that customers read: none shows what the
 * server found inside its network.
 */
const texts: Readonly<Record<string, string>> = {
  ADDRESS_BLOCKED: "the host does not lead to a public address",
  NAME_UNRESOLVED: "the host name could not be resolved",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  UND_ERR_SOCKET: "the connection was closed before an answer came",
  ETIMEDOUT: "no connection came about in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
  EHOSTUNREACH: "the host cannot be reached",
  EHOSTDOWN: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ENETDOWN: "the host cannot be reached",
  EADDRNOTAVAIL: "the host cannot be reached",
  EPROTO: "no TLS connection came about",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are too large",
  HPE_HEADER_OVERFLOW: "the headers of the answer are too large",
};

/** Codes that come in families; the first that matches counts. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, "the answer is not HTTP"],
  [/CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/, "the certificate of the host was not accepted"],
  [/^ERR_(TLS|SSL)_/, "no TLS connection came about"],
];

/** Null for an error that no receiver causes. */
export function failureText(problem: unknown): string | null {
  const code = codeOf(problem);
  return texts[code] ?? families.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** The code of an error. Of several addresses each has failed; the first stands for all. */
function codeOf(problem: unknown): string {
  if (!(problem instanceof Error)) return "";
  if ("code" in problem && typeof problem.code === "string") return problem.code;
  // The parser names no code when not even the first word fits.
  if (problem instanceof errors.HTTPParserError) return "HPE_UNKNOWN";
  return problem instanceof AggregateError ? codeOf(problem.errors[0]) : "";
}
