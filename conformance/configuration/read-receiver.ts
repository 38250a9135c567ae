import { dirname, resolve } from "node:path";
import type { ReceiverSettings } from "../target/target.ts";
import { listenAddressOf } from "./listen-address.ts";
import { addressIn, pick, type Reading } from "./target-sources.ts";

const listenNames = {
  flag: "--receiver-listen",
  variable: "BYLAW_RECEIVER_LISTEN",
  path: ["receiver", "listen"],
} as const;
const urlNames = {
  flag: "--receiver-url",
  variable: "BYLAW_RECEIVER_URL",
  path: ["receiver", "public_url"],
} as const;

/** Where the kit is to take deliveries; null when nothing speaks of it. Relative paths start from the file's folder. */
export function readReceiver(reading: Reading): ReceiverSettings | null {
  const { receiver: inFile } = reading.file.settings;
  const before = reading.problems.length;
  const listen = pick(reading, listenNames, inFile?.listen);
  const url = pick(reading, urlNames, inFile?.public_url);
  const publicUrl = url === null ? null : addressIn(reading, url, "receiver");
  if (listen === null) {
    if (reading.problems.length === before && (url !== null || inFile !== undefined)) {
      reading.problems.push({
        where: url?.where ?? reading.file.placeOf(["receiver"]),
        message: "There is a receiver, but nothing for it to listen on.",
        fix: "Give host and port with --receiver-listen, such as 127.0.0.1:9100, with BYLAW_RECEIVER_LISTEN, or as receiver.listen.",
      });
    }
    return null;
  }
  const read = listenAddressOf(listen.value);
  if (!read.ok) {
    reading.problems.push({ where: listen.where, message: read.message, fix: read.fix });
    return null;
  }
  if (read.port === 0 && url !== null) {
    reading.problems.push({
      where: listen.where,
      message: "The receiver would listen on any free port, so that nothing can forward to it from its public address.",
      fix: `Give the port to which ${url.where} leads, or leave that out.`,
    });
  }
  const folder = dirname(reading.sources.file?.name ?? ".");
  const { cert, key } = inFile?.tls ?? {};
  const tls =
    cert === undefined || key === undefined ? null : { cert: resolve(folder, cert), key: resolve(folder, key) };
  return { listen: { host: read.host, port: read.port }, publicUrl, tls };
}
