import { operationList } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";

export type Address =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly message: string; readonly fix: string };

/** An address as messages show it. */
export const exampleUrl = "http://127.0.0.1:8080";

/** Reads an address: http or https, no credentials, no query; without its trailing slash. */
export function addressOf(text: string, service: Operation["service"] | "hook" | "receiver"): Address {
  const trimmed = text.trim();
  const refused = (message: string, fix: string): Address => ({ ok: false, message, fix });
  const shown = JSON.stringify(trimmed.slice(0, 200));
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    const guess = trimmed === "" || /\s|@/.test(trimmed) ? exampleUrl : `http://${trimmed.replace(/^\/+/, "")}`;
    const what = trimmed === "" ? "The address is empty." : "The address does not begin with http:// or https://.";
    return refused(what, `Write it in full, such as ${guess}.`);
  }
  if (!URL.canParse(trimmed))
    return refused(`${withoutCredentials(shown)} is no address.`, `Write one such as ${exampleUrl}.`);
  const url = new URL(trimmed);
  if (url.username !== "" || url.password !== "") {
    const key = "; the key comes from the environment variable BYLAW_API_KEY";
    return refused("The address holds credentials.", `Leave them out${service === "api" ? key : ""}.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refused(`The kit does not speak ${url.protocol.slice(0, -1)}.`, "Give it an http:// or https:// address.");
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(trimmed)) {
    return refused(
      "The address has a query or a fragment.",
      "Leave out what stands from ? or # on; paths are appended to the address.",
    );
  }
  const address = url.origin + url.pathname.replace(/\/+$/, "");
  const prefix = service === "hook" || service === "receiver" ? "" : prefixOf(service);
  if (prefix !== "" && address.endsWith(prefix)) {
    return refused(
      `${shown} ends in ${prefix}, which the contract's paths already begin with.`,
      `Write ${address.slice(0, -prefix.length)}.`,
    );
  }
  return { ok: true, address };
}

const withoutCredentials = (text: string): string => text.replace(/\/\/.*@/, "//…@");

/** The segments with which every path of a service begins. */
export function prefixOf(service: Operation["service"]): string {
  const paths = operationList.filter((o) => o.service === service).map((o) => o.path.split("/").slice(0, -1));
  const [first = [], ...others] = paths;
  const length = first.findIndex(
    (segment, index) => segment.startsWith("{") || others.some((o) => o[index] !== segment),
  );
  return (length === -1 ? first : first.slice(0, length)).join("/");
}
