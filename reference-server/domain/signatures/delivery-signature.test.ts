import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSigningSecret, type SignatureDialect, signatureHeader, usualDialect } from "./delivery-signature.ts";

const secret = Buffer.from("0123456789abcdef0123456789abcdef").toString("base64");
const signed = { eventId: "evt_1", seconds: 1_893_553_445, body: Buffer.from('{"name":"Zoë"}') };

describe("the signature of a delivery", () => {
  it("is the one that OpenSSL makes", () => {
    // printf '%s' '1893553445.{"name":"Zoë"}' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
    expect(signatureHeader(signed, [secret])).toBe(
      "t=1893553445,v1=6a77ae4c79ab80f272b6262974d40206238e1f0e079d3251a7468452c47ba1bf",
    );
  });

  it.each<[SignatureDialect, string | Buffer, string]>([
    [{ key: "decoded", content: "time-body", encoding: "base64" }, Buffer.from(secret, "base64"), "1893553445."],
    [{ key: "raw", content: "time-body", encoding: "hex" }, secret, "1893553445."],
    [
      { key: "decoded", content: "id-time-body", encoding: "base64" },
      Buffer.from(secret, "base64"),
      "evt_1.1893553445.",
    ],
    [{ key: "raw", content: "id-time-body", encoding: "hex" }, secret, "evt_1.1893553445."],
  ])("follows the dialect %j", (dialect, key, prefix) => {
    const expected = createHmac("sha256", key).update(`${prefix}${signed.body}`).digest(dialect.encoding);
    expect(signatureHeader(signed, [secret], dialect)).toBe(`t=1893553445,v1=${expected}`);
  });

  it("stands there once for each secret, in their order", () => {
    const other = newSigningSecret(randomBytes);
    const [, first] = signatureHeader(signed, [secret]).split(",");
    const [, second] = signatureHeader(signed, [other]).split(",");
    expect(signatureHeader(signed, [secret, other])).toBe(`t=1893553445,${first},${second}`);
  });

  it.each([
    ["body", { ...signed, body: Buffer.from('{"name":"Zoe"}') }],
    ["time", { ...signed, seconds: signed.seconds + 1 }],
  ])("is another one for another %s", (_what, other) => {
    expect(signatureHeader(other, [secret]).split(",")[1]).not.toBe(signatureHeader(signed, [secret]).split(",")[1]);
  });

  it("covers bytes, whether they are text or not", () => {
    const body = Buffer.from([0, 255, 13, 10]);
    const key = Buffer.from(secret, "base64");
    const expected = createHmac("sha256", key)
      .update(Buffer.concat([Buffer.from("1893553445."), body]))
      .digest("hex");
    expect(signatureHeader({ ...signed, body }, [secret], usualDialect)).toBe(`t=1893553445,v1=${expected}`);
  });
});

describe("a signing secret", () => {
  it("is 32 random bytes in base64", () => {
    expect(newSigningSecret((size) => Buffer.alloc(size, 1))).toBe(Buffer.alloc(32, 1).toString("base64"));
    expect(newSigningSecret(randomBytes)).not.toBe(newSigningSecret(randomBytes));
  });
});
