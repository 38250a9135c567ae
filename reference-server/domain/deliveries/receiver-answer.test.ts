import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, excerptOf } from "./receiver-answer.ts";

describe("an excerpt", () => {
  it("is the whole of a short body and the beginning of a longer one", () => {
    expect(excerptOf(Buffer.from("short"), 1_024)).toBe("short");
    expect(excerptOf(Buffer.from("a".repeat(2_000)), 1_024)).toBe("a".repeat(1_024));
  });

  it("begins as the body does, holds whole characters, and misses less than one of the bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (text, bytes) => {
        const body = Buffer.from(text);
        const excerpt = excerptOf(body, bytes);
        expect(text.startsWith(excerpt)).toBe(true);
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(bytes);
        expect(Buffer.byteLength(excerpt)).toBeGreaterThan(Math.min(bytes, body.length) - 4);
      }),
    );
  });

  it("keeps a byte order mark and U+0000, and shows what is no text as such", () => {
    expect(excerptOf(Buffer.from("\uFEFFa\u0000"), 10)).toBe("\uFEFFa\u0000");
    expect(excerptOf(Buffer.from([0x61, 0xff, 0x62]), 10)).toBe("a\uFFFDb");
    expect(excerptOf(Buffer.from([0x61, 0xe2, 0x82]), 10)).toBe("a\uFFFD");
  });
});

describe("a forced answer", () => {
  it("is an answer with a cut body, or none", () => {
    expect(answerOf({ status: 503, body: "busy" }, 2)).toEqual({
      ...{ kind: "answered", status: 503, excerpt: "bu", milliseconds: 0 },
    });
    expect(answerOf({ status: 204 }, 2)).toMatchObject({ status: 204, excerpt: "" });
    expect(answerOf({ failure: "refused" }, 2)).toEqual({ kind: "unanswered", error: "refused", milliseconds: 0 });
  });
});
