import { createHash } from "node:crypto";
import { deliveryHeaders } from "../../../generated/events.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Delivery, headerValues } from "../../exchange/delivery.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { isSameUrl } from "../../steps/endpoint.ts";
import type { AttemptRecord, Feed } from "../../steps/feed.ts";

/** Rules on what the record of an attempt tells of its request. */
export const receivedRules = ["WHL-11", "WHL-12", "WHL-14", "WHL-15"] as const;

/** Whether a record is of this one of several deliveries of an event, as far as its headers tell. */
export const isOf = (record: AttemptRecord, delivery: Delivery): boolean =>
  deliveryHeaders.every(({ name }) => recordedHeader(record, name) === headerValues(delivery, name).join(", "));

const headersOf = ({ request_headers: headers }: AttemptRecord): readonly (readonly [string, unknown])[] =>
  Object.entries(typeof headers === "object" && headers !== null ? headers : {});

/** The names of headers have no case (RFC 9110, 5.1). */
const recordedHeader = (record: AttemptRecord, name: string): unknown =>
  headersOf(record).find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];

/** Decides whether a record tells of the request what the receiver got. Blocks where that was not whole. */
export function judgeReceived(
  t: CheckContext,
  record: AttemptRecord,
  delivery: Delivery,
  { pages }: Pick<Feed, "pages">,
): void {
  if (delivery.truncated || delivery.broken)
    throw new Blocked("the receiver did not get a delivery whole", "see why the connection breaks", "environment");
  const shown = { exchanges: pages, deliveries: [delivery] };
  const { request_body_sha256: digest, request_body_bytes: bytes, url } = record;
  const sha256 = createHash("sha256").update(delivery.body).digest();
  t.verify("WHL-11", isDigest(digest, sha256), {
    ...shown,
    expected: `request_body_sha256 ${sha256.toString("hex")}, or the same in base64`,
    actual: JSON.stringify(digest) ?? "none",
  });
  t.equal("WHL-12", "request_body_bytes", bytes, delivery.size, delivery, ...pages);
  t.verify("WHL-15", url === delivery.url || isSameUrl(url, delivery.url), {
    ...shown,
    expected: `url ${delivery.url}`,
    actual: JSON.stringify(url) ?? "none",
  });
  for (const { name } of deliveryHeaders) {
    const value = recordedHeader(record, name);
    const received = headerValues(delivery, name).join(", ");
    t.equal("WHL-14", `request_headers, ${name}`, value, received, delivery, ...pages);
  }
  const others = headersOf(record)
    .filter(([, value]) => typeof value !== "string")
    .map(([name]) => name);
  t.equal("WHL-14", "request_headers that are no text", others, [], delivery, ...pages);
}

/** The digest in hex of either case, or in base64 of either alphabet; its algorithm may be named before it. */
function isDigest(shown: unknown, sha256: Buffer): boolean {
  const digest = typeof shown === "string" ? shown.replace(/^sha-?256[=:]/i, "") : "";
  return (
    digest.toLowerCase() === sha256.toString("hex") ||
    [sha256.toString("base64"), sha256.toString("base64url")].some(
      (text) => text.replace("=", "") === digest.replace("=", ""),
    )
  );
}
