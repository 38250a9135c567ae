import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import { signedIn, withHeaders } from "./made-up-signature.ts";
import { dialects, dialectsOf, dialectText, parseSignature, type Signed } from "./signature.ts";

const secret = randomBytes(32).toString("base64");
const other = randomBytes(32).toString("base64");

const header = (value: string): Signed => withHeaders([constants.signatureHeader, value]);

describe("the signature header", () => {
  test("is read as the time and every signature", () => {
    expect(parseSignature(header("t=1767225600,v1=abc=,v1=d/e+"))).toEqual({
      ...{ ok: true, t: "1767225600", signedAt: 1_767_225_600_000, values: ["abc=", "d/e+"] },
    });
  });

  test.each([
    "",
    "t=1",
    "v1=a",
    "v1=a,t=1",
    "t=1,v1=",
    "t=1, v1=a",
    "t=x,v1=a",
    "t=1,v0=a",
    "t=1,v1=a,v2=b",
    " t=1,v1=a",
  ])("is refused as %j", (value) => {
    expect(parseSignature(header(value)).ok).toBe(false);
  });

  test("is refused when it is missing, or there twice", () => {
    const pair = [constants.signatureHeader, "t=1,v1=a"] as const;
    expect(parseSignature(withHeaders())).toMatchObject({ ok: false, why: expect.stringContaining("there is no") });
    expect(parseSignature(withHeaders(pair, pair))).toMatchObject({
      ok: false,
      why: expect.stringContaining("2 times"),
    });
  });

  test("never makes the kit fail, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (value, by) => {
        expect(dialectsOf(header(value), by)).toEqual([]);
        expect(dialectsOf(header(`t=1,v1=${value}`), by)).toEqual([]);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe("each dialect", () => {
  test.each(dialects.map((d) => [dialectText(d), d] as const))("%s is told from all others", (_, dialect) => {
    const delivery = signedIn(dialect, [secret]);
    expect(dialectsOf(delivery, secret)).toEqual([dialect]);
    expect(dialectsOf(delivery, other)).toEqual([]);
    expect(dialectsOf({ ...delivery, body: Buffer.from('{"a":"e"}') }, secret)).toEqual([]);
  });

  test.each(dialects.map((d) => [dialectText(d), d] as const))("%s verifies by any of several values", (_, dialect) => {
    const delivery = signedIn(dialect, [other, secret]);
    expect(dialectsOf(delivery, secret)).toEqual([dialect]);
    expect(dialectsOf(delivery, other)).toEqual([dialect]);
  });

  test("there are eight, the reference's first", () => {
    expect(new Set(dialects.map(dialectText)).size).toBe(8);
    expect(dialects[0]).toEqual({ key: "decoded", content: "t.body", encoding: "hex" });
  });

  test("a body that the kit has in part verifies in none", () => {
    const [dialect] = dialects;
    if (dialect === undefined) throw new Error("There are no dialects.");
    expect(dialectsOf({ ...signedIn(dialect, [secret]), truncated: true }, secret)).toEqual([]);
  });
});
