import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components } from "../../../generated/schemas/api-keys.ts";
import { hashSecret, newSecret, sameHash, secretKind } from "./api-key-secret.ts";

/** Anything but random: counts upwards. */
function counting(): (size: number) => Uint8Array {
  let next = 0;
  return (size) => Uint8Array.from({ length: size }, () => next++ % 256);
}

describe("a secret", () => {
  it("is a mark, thirty digits and a checksum", () => {
    expect(newSecret("key", randomBytes)).toMatch(/^svc_live_[0-9A-Za-z]{36}$/);
    expect(newSecret("session", randomBytes)).toMatch(/^svc_sess_[0-9A-Za-z]{36}$/);
  });

  it("of a key begins as the contract says", () => {
    const { properties } = components.ApiKeyWithSecret as { properties: { plaintext: { pattern: string } } };
    expect(newSecret("key", randomBytes)).toMatch(new RegExp(properties.plaintext.pattern, "u"));
  });

  it("follows from the random bytes alone", () => {
    expect(newSecret("key", counting())).toBe(newSecret("key", counting()));
  });

  it("has every digit about equally often", () => {
    const counts = new Map<string, number>();
    for (let count = 0; count < 4000; count++)
      for (const digit of newSecret("key", randomBytes).slice(9, 39)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const expected = (4000 * 30) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.15);
  });

  it("tells its kind", () => {
    expect(secretKind(newSecret("key", randomBytes))).toBe("key");
    expect(secretKind(newSecret("session", randomBytes))).toBe("session");
  });

  it("with one other character is none", () => {
    const secret = newSecret("key", randomBytes);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: secret.length - 1 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, other) => {
          fc.pre(secret[at] !== other);
          expect(secretKind(secret.slice(0, at) + other + secret.slice(at + 1))).toBeNull();
        },
      ),
    );
  });

  it("is no other text", () => {
    fc.assert(fc.property(fc.string(), (text) => secretKind(text) === null));
    const secret = newSecret("key", randomBytes);
    for (const text of [`${secret}0`, secret.slice(0, -1), ` ${secret}`, `${secret}\n`, secret.replace("live", "sess")])
      expect([text, secretKind(text)]).toEqual([text, text.startsWith("svc_sess_") ? "session" : null]);
  });
});

describe("hashes", () => {
  it("are SHA-256 in hexadecimal", () => {
    expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("are equal or not, whatever their lengths", () => {
    expect(sameHash(hashSecret("a"), hashSecret("a"))).toBe(true);
    expect(sameHash(hashSecret("a"), hashSecret("b"))).toBe(false);
    expect(sameHash(hashSecret("a"), "")).toBe(false);
  });
});
