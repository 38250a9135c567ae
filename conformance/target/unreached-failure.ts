import { durationText } from "./duration.ts";
import { onOneLine } from "./on-one-line.ts";
import type { PreflightFailure } from "./preflight-failure.ts";
import { probeLimit, type Unreached } from "./probe.ts";

/** What it means that an address gave no answer, and what to do; `timeout` in milliseconds. */
export function unreachedFailure({ reason, detail }: Unreached, url: string, timeout: number): PreflightFailure {
  const { hostname, host, protocol } = new URL(url);
  const failed = (message: string, fix: string): PreflightFailure => ({ kind: reason, where: url, message, fix });
  const patience = durationText(timeout);
  switch (reason) {
    case "unresolved":
      return failed(
        `The name ${hostname} has no address (${onOneLine(detail)}).`,
        "Correct the host name, or check DNS and network.",
      );
    case "refused":
      return failed(`Nothing listens at ${host} (connection refused).`, "Start the target, or correct host and port.");
    case "unreachable":
      return failed(`There is no way to ${host} (${onOneLine(detail)}).`, "Check the network, VPN and firewall.");
    case "slow-connect":
      return failed(`${host} took no connection within ${patience}.`, "Check host, port and firewall.");
    case "closed":
      return failed(
        `${host} closed the connection without an answer.`,
        protocol === "http:"
          ? "If the target speaks TLS, write https://; else look into its log."
          : "Look into the target's log.",
      );
    case "tls":
      return failed(`No secure connection with ${host}: ${onOneLine(detail)}.`, tlsFix(detail, url));
    case "not-http":
      return failed(
        `What answers at ${host} is not HTTP (${onOneLine(detail)}).`,
        protocol === "http:" ? "Check the port; if the target speaks TLS, write https://." : "Check the port.",
      );
    case "slow-head":
      return failed(
        `${host} accepted the request but did not answer within ${patience}.`,
        "Look into the target's log, or allow more time with --request-timeout.",
      );
    case "slow-body":
      return failed(
        `${host} began an answer but did not end it within ${patience}.`,
        "Look into the target's log, or allow more time with --request-timeout.",
      );
    case "endless-body":
      return failed(
        `The answer is longer than ${probeLimit / 1024 / 1024} MiB; an error envelope was expected.`,
        "Check the address; this looks like another service.",
      );
    case "other":
      return failed(`The request failed: ${onOneLine(detail)}.`, "Check the address and the network.");
  }
}

function tlsFix(detail: string, url: string): string {
  if (/SELF_SIGNED|DEPTH_ZERO|UNABLE_TO/.test(detail)) {
    return "Let Node trust the certificate's issuer: NODE_EXTRA_CA_CERTS=issuer.pem npx bylaw …";
  }
  if (/ALTNAME|HOSTNAME/.test(detail)) return "Use the host name for which the certificate was issued.";
  if (/EXPIRED/.test(detail)) return "Renew the target's certificate.";
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|EPROTO/.test(detail)) {
    return `If the target speaks plain HTTP, write ${new URL(url).origin.replace("https:", "http:")}.`;
  }
  return "Check the target's certificate and TLS versions.";
}
