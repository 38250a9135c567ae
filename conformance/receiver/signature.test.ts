import { createHmac, randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import { newDialectMemory } from "./dialect-memory.ts";
import {
  type Dialect,
  detectDialect,
  dialects,
  dialectText,
  eventIdHeader,
  parseSignature,
  type Signed,
  signatureHeader,
  verifiesIn,
} from "./signature.ts";

const secret = randomBytes(32).toString("base64");
const other = randomBytes(32).toString("base64");
const body = Buffer.from('{"a":"\u00e9"}');

/** Signs as any dialect does. */
function signatureOf({ key, content, encoding }: Dialect, by: string, t: string, id: string, bytes: Buffer): string {
  const hmac = createHmac("sha256", key === "raw" ? by : Buffer.from(by, "base64"));
  return hmac
    .update(content === "t.body" ? `${t}.` : `${id}.${t}.`)
    .update(bytes)
    .digest(encoding);
}

const withHeaders = (...headers: Signed["headers"]): Signed => ({ headers, body, truncated: false, broken: false });

function signed(dialect: Dialect, by: readonly string[] = [secret], t = "1767225600"): Signed {
  const id = `evt_${randomUUID()}`;
  const values = by.map((one) => `v1=${signatureOf(dialect, one, t, id, body)}`);
  return withHeaders([eventIdHeader, id], [signatureHeader.toLowerCase(), [`t=${t}`, ...values].join(",")]);
}

const header = (value: string): Signed => withHeaders([signatureHeader, value]);

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
    const pair = [signatureHeader, "t=1,v1=a"] as const;
    expect(parseSignature(withHeaders())).toMatchObject({ ok: false, why: expect.stringContaining("there is no") });
    expect(parseSignature(withHeaders(pair, pair))).toMatchObject({
      ok: false,
      why: expect.stringContaining("2 times"),
    });
  });

  test("never makes the kit fail, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (value, by) => {
        expect(detectDialect(header(value), by)).toBeNull();
        expect(detectDialect(header(`t=1,v1=${value}`), by)).toBeNull();
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe("each dialect", () => {
  test.each(dialects.map((d) => [dialectText(d), d] as const))("%s is told from all others", (_, dialect) => {
    const delivery = signed(dialect);
    expect(dialects.filter((d) => verifiesIn(d, delivery, secret))).toEqual([dialect]);
    expect(detectDialect(delivery, secret)).toEqual(dialect);
    expect(detectDialect(delivery, other)).toBeNull();
    expect(detectDialect({ ...delivery, body: Buffer.from('{"a":"e"}') }, secret)).toBeNull();
  });

  test.each(dialects.map((d) => [dialectText(d), d] as const))("%s verifies by any of several values", (_, dialect) => {
    const delivery = signed(dialect, [other, secret]);
    expect(detectDialect(delivery, secret)).toEqual(dialect);
    expect(detectDialect(delivery, other)).toEqual(dialect);
  });

  test("there are eight, the reference's first", () => {
    expect(new Set(dialects.map(dialectText)).size).toBe(8);
    expect(dialects[0]).toEqual({ key: "decoded", content: "t.body", encoding: "hex" });
  });

  test("a body that the kit has in part verifies in none", () => {
    const [dialect] = dialects;
    if (dialect === undefined) throw new Error("There are no dialects.");
    expect(detectDialect({ ...signed(dialect), truncated: true }, secret)).toBeNull();
  });
});

describe("the memory of a run", () => {
  const [first, second] = dialects;
  if (first === undefined || second === undefined) throw new Error("There are too few dialects.");

  test("takes the dialect of the first delivery that verifies, and demands it of all others", async () => {
    const memory = newDialectMemory(newSecrets(), null);
    expect(memory.dialect()).toBeNull();
    expect(await memory.judge(signed(second, [other]), secret)).toMatchObject({ kind: "unknown" });
    expect(await memory.judge(signed(second), secret)).toEqual({ kind: "valid", dialect: second });
    expect(memory.dialect()).toEqual(second);
    expect(await memory.judge(signed(second, [other]), other)).toMatchObject({ kind: "valid" });
    expect(await memory.judge(signed(first), secret)).toMatchObject({ kind: "changed", first: second, now: first });
    expect(await memory.judge(signed(second, [other]), secret)).toMatchObject({ kind: "invalid" });
    expect(memory.dialect()).toEqual(second);
  });

  test("says what it cannot judge", async () => {
    const memory = newDialectMemory(newSecrets(), null);
    expect(await memory.judge(withHeaders(), secret)).toMatchObject({ kind: "unreadable" });
    expect(await memory.judge({ ...signed(first), broken: true }, secret)).toMatchObject({ kind: "unreadable" });
  });

  test("leaves the judgement to a hook where there is one", async () => {
    const memory = newDialectMemory(newSecrets(), async (_, by) => by === secret);
    expect(await memory.judge(header("of another form"), secret)).toEqual({ kind: "valid", dialect: null });
    expect(await memory.judge(signed(first, [other]), other)).toMatchObject({ kind: "invalid" });
  });

  test("keeps secrets and whole signatures out of what is shown", async () => {
    const secrets = newSecrets();
    const memory = newDialectMemory(secrets, null);
    for (const dialect of dialects) {
      const delivery = signed(dialect);
      const verdict = await memory.judge(delivery, secret);
      expect(JSON.stringify(verdict)).not.toContain(secret);
      const [, value = ""] = delivery.headers[1] ?? [];
      const [, signature = ""] = value.split("v1=");
      // As two writers of JSON have it.
      const shown = secrets.redact(`["${secret}","${secret.replaceAll("/", "\\/")}","${value}"]`);
      expect(shown).toContain(`v1=${signature.slice(0, 8)}…`);
      expect(shown).not.toContain(signature.slice(0, 9));
      expect(shown.replaceAll("\\", "")).not.toContain(secret);
    }
  });
});
