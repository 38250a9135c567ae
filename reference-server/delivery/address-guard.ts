import { isIP } from "node:net";
import { isLoopback, isPublic } from "./public-address.ts";

/** Which receivers the server may call. */
export interface AddressPolicy {
  /** Admits this machine, and http: for development and for the sandbox, whose receivers are at hand. */
  readonly loopback: boolean;
}

/** In UTF-16 code units; more than any receiver needs. */
const longestUrl = 2_048;

/** The port of https; below 1024 all others belong to other protocols. */
const httpsPort = 443;
const firstFreePort = 1_024;

/** Names that mean something inside a network, and nothing or something else outside it. */
const insideNames = [
  ...["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa"],
];

/** What the URL standard would pass over in silence: it trims, drops line breaks and turns backslashes around. */
const silentlyChanged = /[\p{Cc}\s\\]/u;

/** A label of a host name as DNS has it. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const longestName = 253;

/**
 * Why the server would not deliver to this address, as an explanation of the field; null when nothing about the text
 * speaks against it. Names are not looked up: what they lead to is checked at every connection.
 */
export function refuseUrl(text: string, policy: AddressPolicy): string | null {
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`;
  if (silentlyChanged.test(text)) return "must have neither white space nor control characters nor backslashes";
  if (!/^https?:\/\/[^/]/i.test(text)) return needsScheme(policy);
  const url = URL.parse(text);
  if (url === null) return "must be a URL with a host name or address that exists";
  if (url.protocol !== "https:" && !policy.loopback) return needsScheme(policy);
  if (authorityOf(text).includes("@")) return "must have no user and no password: deliveries are signed instead";
  if (text.includes("#")) return "must have no fragment: it would not be sent";
  return refusePort(url, policy) ?? refuseHost(url, policy);
}

/** Whether the server may connect to this address: a literal one, as a resolver or a URL gives it. */
export const admitsAddress = (address: string, policy: AddressPolicy): boolean =>
  isPublic(address) || (policy.loopback && isLoopback(address));

/** The host as connections are made to it: without the brackets around IPv6. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

const needsScheme = ({ loopback }: AddressPolicy): string =>
  loopback ? "must begin with https:// or http://" : "must begin with https://";

/** Read from the text: a parsed URL no longer shows an empty user. */
const authorityOf = (text: string): string => text.split(/[/?#]/, 3)[2] ?? "";

function refusePort(url: URL, { loopback }: AddressPolicy): string | null {
  const port = url.port === "" ? httpsPort : Number(url.port);
  return loopback || port === httpsPort || port >= firstFreePort
    ? null
    : `must use port ${httpsPort}, or one from ${firstFreePort} on`;
}

function refuseHost(url: URL, policy: AddressPolicy): string | null {
  const host = bareHost(url);
  if (isIP(host) !== 0) return admitsAddress(host, policy) ? null : "must be a public address";
  const name = host.replace(/\.$/, "");
  if (policy.loopback && name === "localhost") return null;
  const labels = name.split(".");
  if (name.length > longestName || !labels.every((part) => label.test(part))) return "must have a valid host name";
  if (labels.length < 2 || insideNames.some((inside) => name.endsWith(`.${inside}`)))
    return "must have a public host name, not one of an internal network";
  return null;
}
