import { createHmac, timingSafeEqual } from "node:crypto";

/** Where a page of a feed begins: behind this record, which is so many records from the first one. */
export interface FeedPosition {
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  /** Decides between records of one instant. */
  readonly id: string;
  /** Zero-based position of the page's first record. */
  readonly offset: number;
}

/** What a cursor is good for: it continues one organization's list under the filters that it was made with. */
export interface FeedScope {
  readonly organizationId: string;
  readonly filters: Readonly<Record<string, string | number | null>>;
}

/** Bytes of HMAC-SHA-256. */
const macBytes = 32;

/** What the cursors of a list hold, as JSON. */
export interface CursorForm<Position> {
  write(position: Position): unknown;
  /** Null for what an earlier form of cursors held. */
  read(held: unknown): Position | null;
}

/** The cursors of feeds. */
export const feedCursor: CursorForm<FeedPosition> = {
  write: ({ occurredAt, id, offset }) => [occurredAt, id, offset],
  read(held) {
    if (!Array.isArray(held)) return null;
    const [occurredAt, id, offset]: readonly unknown[] = held;
    if (typeof occurredAt !== "number" || typeof id !== "string" || typeof offset !== "number") return null;
    return { occurredAt, id, offset };
  },
};

/** Opaque text for the next page, which holds this. Nobody without the key can make or change one. */
export function writeCursor(held: unknown, scope: FeedScope, key: Uint8Array): string {
  const position = Buffer.from(JSON.stringify(held));
  return Buffer.concat([macOf(position, scope, key), position]).toString("base64url");
}

/** What a cursor holds; null for a text that was not made here, or for another organization or other filters. */
export function readCursor(text: string, scope: FeedScope, key: Uint8Array): unknown {
  const bytes = Buffer.from(text, "base64url");
  // Several texts stand for the same bytes; only one of them was made.
  if (bytes.length <= macBytes || bytes.toString("base64url") !== text) return null;
  const position = bytes.subarray(macBytes);
  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(position, scope, key))) return null;
  return JSON.parse(position.toString());
}

function macOf(position: Uint8Array, { organizationId, filters }: FeedScope, key: Uint8Array): Buffer {
  const chosen = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const scope = JSON.stringify([organizationId, chosen]);
  return createHmac("sha256", key).update(`${scope}\n`).update(position).digest();
}
