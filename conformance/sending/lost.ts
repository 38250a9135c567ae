import { errors } from "undici";
import type { Lost } from "../exchange/exchange.ts";

const reasons: Readonly<Record<string, Lost["reason"]>> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  ENOTFOUND: "unresolved",
  EAI_AGAIN: "unresolved",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
};

/** What became of a request that threw instead of being answered. */
export function lostBecause(error: unknown): Lost {
  if (!(error instanceof Error)) return { kind: "lost", reason: "other", message: String(error) };
  if (error.name === "TimeoutError" || error.name === "AbortError") {
    return { kind: "lost", reason: "timeout", message: "no complete answer in time" };
  }
  if (error instanceof errors.HTTPParserError) return { kind: "lost", reason: "not-http", message: error.message };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  return { kind: "lost", reason: tls ? "tls" : (reasons[code] ?? "other"), message: error.message };
}

/** Whether nobody was there, or said anything whole in time: it may be so for good. */
export const isSilence = ({ reason }: Lost): boolean =>
  reason === "timeout" || reason === "refused" || reason === "unresolved" || reason === "tls";
