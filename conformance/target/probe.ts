import { Agent, errors, request } from "undici";

/** What one bounded, unredirected request gave. */
export type Probe = Reached | Unreached;

export interface Reached {
  readonly kind: "reached";
  readonly status: number;
  /** Media type without parameters, lower case; empty when there was none. */
  readonly mediaType: string;
  readonly location: string | null;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface Unreached {
  readonly kind: "unreached";
  readonly reason:
    | "unresolved"
    | "refused"
    | "unreachable"
    | "closed"
    | "tls"
    | "not-http"
    | "slow-connect"
    | "slow-head"
    | "slow-body"
    | "endless-body"
    | "other";
  /** The cause as the platform words it. */
  readonly detail: string;
}

/** Bytes of an answer that are read before it counts as endless. */
export const probeLimit = 1024 * 1024;

/**
 * Asks an address once: reads it, or posts `body` to it where there is one. `timeout` bounds, in milliseconds, the head and the body each; nothing is followed or retried,
 * and proxy variables of the environment are not used.
 */
export async function probe(url: string, token: string | null, timeout: number, body?: string): Promise<Probe> {
  const agent = new Agent({ connect: { timeout }, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
  const stop = new AbortController();
  let phase: "slow-head" | "slow-body" = "slow-head";
  let timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal: stop.signal,
      ...(body === undefined ? {} : { method: "POST", body }),
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    phase = "slow-body";
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), timeout);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > probeLimit) return unreached("endless-body", `more than ${probeLimit} bytes`);
      chunks.push(bytes);
    }
    const { headers, statusCode: status } = response;
    return {
      kind: "reached",
      status,
      mediaType: single(headers["content-type"])?.split(";")[0]?.trim().toLowerCase() ?? "",
      location: single(headers.location),
      json: jsonOf(Buffer.concat(chunks).toString("utf8")),
    };
  } catch (error) {
    if (stop.signal.aborted) return unreached(phase, `nothing more within ${timeout} ms`);
    return unreachedBecause(error);
  } finally {
    clearTimeout(timer);
    await agent.destroy();
  }
}

const unreached = (reason: Unreached["reason"], detail: string): Unreached => ({ kind: "unreached", reason, detail });

const single = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : Array.isArray(value) ? (value[0] ?? null) : value;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reasons: Readonly<Record<string, Unreached["reason"]>> = {
  ENOTFOUND: "unresolved",
  EAI_AGAIN: "unresolved",
  EAI_FAIL: "unresolved",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ECONNRESET: "closed",
  EPIPE: "closed",
  UND_ERR_SOCKET: "closed",
  ETIMEDOUT: "slow-connect",
  UND_ERR_CONNECT_TIMEOUT: "slow-connect",
  UND_ERR_HEADERS_OVERFLOW: "not-http",
};

function unreachedBecause(error: unknown): Unreached {
  if (!(error instanceof Error)) return unreached("other", String(error));
  const cause = error instanceof AggregateError ? (error.errors.find((e) => e instanceof Error) ?? error) : error;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const detail = code === "" || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`;
  if (error instanceof errors.HTTPParserError || code.startsWith("HPE_")) return unreached("not-http", detail);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(code)) {
    return unreached("tls", detail);
  }
  return unreached(reasons[code] ?? "other", detail);
}
