import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type FeedScope, readCursor, writeCursor } from "./feed-cursor.ts";

const key = randomBytes(32);
const position = { occurredAt: 1_900_000_000_123, id: "018f4e9a-3333-7000-8000-00000000000c", offset: 50 };
const scope: FeedScope = { organizationId: "ours", filters: { endpointId: null, statusMin: 200 } };

describe("a cursor", () => {
  it("gives back the position that it was made of", () => {
    expect(readCursor(writeCursor(position, scope, key), scope, key)).toEqual(position);
  });

  it("is bound to organization, filters and key", () => {
    const cursor = writeCursor(position, scope, key);
    expect(readCursor(cursor, { ...scope, organizationId: "theirs" }, key)).toBeNull();
    expect(readCursor(cursor, { ...scope, filters: { endpointId: null, statusMin: 201 } }, key)).toBeNull();
    expect(readCursor(cursor, { ...scope, filters: { endpointId: null, statusMin: "200" } }, key)).toBeNull();
    expect(readCursor(cursor, scope, randomBytes(32))).toBeNull();
    const reordered = { ...scope, filters: { statusMin: 200, endpointId: null } };
    expect(readCursor(cursor, reordered, key)).toEqual(position);
  });

  it("does not survive the change of any character, nor one more or less", () => {
    const cursor = writeCursor(position, scope, key);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ";
    for (let place = 0; place < cursor.length; place++)
      for (const other of alphabet)
        if (other !== cursor[place])
          expect(readCursor(cursor.slice(0, place) + other + cursor.slice(place + 1), scope, key)).toBeNull();
    for (const changed of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(1), cursor.slice(0, -1), ""])
      expect(readCursor(changed, scope, key)).toBeNull();
  });
});
