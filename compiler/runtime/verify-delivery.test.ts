import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type SignatureScheme, verifySigned } from "./verify-delivery.ts";

const scheme: SignatureScheme = {
  header: "X-Mark",
  time: "t",
  signature: "v1",
  hash: "sha256",
  key: "base64",
  content: ["time", "body"],
  encoding: "hex",
  toleranceSeconds: 300,
};

const [secret, previous] = [Buffer.from("one key").toString("base64"), Buffer.from("another").toString("base64")];
const body = '{"id":"1","text":"ä"}';
const now = 1_767_225_600_000;
const time = String(now / 1000);

const digest = (key: string, text = `${time}.${body}`): string =>
  createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("hex");

const verify = (header: string | readonly string[] | undefined, secrets: string | string[] = secret, later = 0) =>
  verifySigned(scheme, { headers: { "x-mark": header }, body }, secrets, { now: now + later });

const genuine = { ok: true, event: { id: "1", text: "ä" }, signedAt: new Date(now) };
const refused = (reason: string) => ({ ok: false, reason });

describe("a signed delivery", () => {
  it("is genuine where one of the secrets made one of its signatures", () => {
    expect(verify(`t=${time},v1=${digest(secret)}`)).toEqual(genuine);
    expect(verify(`t=${time},v1=${digest(previous)},v1=${digest(secret)}`)).toEqual(genuine);
    expect(verify(`t=${time},v1=${digest(previous)}`, [secret, previous])).toEqual(genuine);
  });

  it("may have a header for each signature, as an array or joined", () => {
    const each = [previous, secret].map((one) => `t=${time},v1=${digest(one)}`);
    expect(verify(each)).toEqual(genuine);
    expect(verify(each.join(", "))).toEqual(genuine);
  });

  it("is judged by its very bytes", () => {
    const signed = { "x-mark": `t=${time},v1=${digest(secret)}` };
    const bytes = new TextEncoder().encode(body);
    expect(verifySigned(scheme, { headers: signed, body: bytes }, secret, { now })).toEqual(genuine);
    expect(verifySigned(scheme, { headers: signed, body: `${body} ` }, secret, { now })).toEqual(refused("forged"));
  });

  it("is forged where another secret, time or content made it, and where nothing did", () => {
    expect(verify(`t=${time},v1=${digest(previous)}`)).toEqual(refused("forged"));
    expect(verify(`t=${Number(time) + 1},v1=${digest(secret)}`)).toEqual(refused("forged"));
    expect(verify(`t=${time},v1=${digest(secret).slice(1)}`)).toEqual(refused("forged"));
    expect(verify(`t=${time},v1=${digest(secret)}`, [])).toEqual(refused("forged"));
  });

  it("is forged where the secret holds nothing, with which anybody could sign", () => {
    expect(verify(`t=${time},v1=${digest("")}`, "")).toEqual(refused("forged"));
    expect(verify(`t=${time},v1=${digest("")}`, ["", secret])).toEqual(refused("forged"));
    expect(verify(`t=${time},v1=${digest(secret)}`, ["", secret])).toEqual(genuine);
  });

  it("expires before and after its time", () => {
    const header = `t=${time},v1=${digest(secret)}`;
    expect([300_000, -300_000].map((later) => verify(header, secret, later).ok)).toEqual([true, true]);
    expect(verify(header, secret, 301_000)).toEqual(refused("expired"));
    expect(verify(header, secret, -301_000)).toEqual(refused("expired"));
  });

  it("is told from one without a signature, with one of another form, and with a body that is no JSON", () => {
    expect(verify(undefined)).toEqual(refused("unsigned"));
    for (const header of ["v1=ab", "t=soon,v1=ab", `t=${time}`, "nonsense"]) {
      expect(verify(header)).toEqual(refused("malformed"));
    }
    const header = { "X-MARK": `t=${time},v1=${digest(secret, `${time}.{`)}` };
    expect(verifySigned(scheme, { headers: header, body: "{" }, secret, { now })).toEqual(refused("not-json"));
  });

  it("may be signed otherwise where the contract leaves that open", () => {
    const other = createHmac("sha256", secret).update(`e1.${time}.${body}`).digest("base64");
    const headers = { "x-mark": `t=${time},v1=${other}`, "x-event": "e1" };
    const otherwise = { key: "text", content: ["X-Event", "time", "body"], encoding: "base64" } as const;
    expect(verifySigned(scheme, { headers, body }, secret, { now, scheme: otherwise })).toEqual(genuine);
    expect(verifySigned(scheme, { headers, body }, secret, { now })).toEqual(refused("forged"));
  });
});
