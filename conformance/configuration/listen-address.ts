import type { ReceiverSettings } from "../target/target.ts";

export type ListenAddress =
  | ({ readonly ok: true } & ReceiverSettings["listen"])
  | { readonly ok: false; readonly message: string; readonly fix: string };

const usualHost = "127.0.0.1";

/** Reads host and port, such as 127.0.0.1:9100, [::1]:9100 or 9100 alone. */
export function listenAddressOf(text: string): ListenAddress {
  const trimmed = text.trim();
  const shown = JSON.stringify(trimmed.slice(0, 100));
  const refused = (message: string, fix: string): ListenAddress => ({ ok: false, message, fix });
  if (trimmed === "")
    return refused("There is nothing to listen on.", `Write host and port, such as ${usualHost}:9100.`);
  if (trimmed.includes("/")) {
    return refused(
      `${shown} is no host and port.`,
      `Write these alone, such as ${usualHost}:9100; the address as the target sees it is public_url, or --receiver-url.`,
    );
  }
  const match = /^(?:(?:\[([\da-f:.]+)\]|([^\s:[\]@]+))?:)?(\d{1,5})$/i.exec(trimmed);
  if (match === null) {
    const fix = /^[\da-f]*:[\da-f:.]+$/i.test(trimmed)
      ? `Write an IPv6 address in brackets, such as [::1]:9100.`
      : `Write host and port, such as ${usualHost}:9100; port 0 takes any that is free.`;
    return refused(`${shown} is no host and port.`, fix);
  }
  const [, v6, name, digits] = match;
  const port = Number(digits);
  if (port > 65_535) return refused(`${port} is no port.`, "Write one from 0 to 65535; 0 takes any that is free.");
  return { ok: true, host: v6 ?? name ?? usualHost, port };
}
