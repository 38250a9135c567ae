import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formsOf, newSecrets } from "./redaction.ts";
import { shortestString } from "./string-finder.ts";

const secret = "ab/cd+ef/0123456789==";
const forms = [
  ["as it is", secret],
  ["with escaped slashes", "ab\\/cd+ef\\/0123456789=="],
  ["in an address", "ab%2Fcd%2Bef%2F0123456789%3D%3D"],
  ["in the alphabet for addresses", "ab_cd-ef_0123456789"],
] as const;

describe("a secret that was seen", () => {
  const secrets = newSecrets();
  secrets.learn(secret, "SECRET_7", 7);

  it.each(forms)("is replaced by its name %s", (_how, form) => {
    expect(secrets.redact(`before ${form} after`)).toMatch(/^before \$\{SECRET_7\}(==)? after$/);
  });

  it.each(forms)("is found in another answer %s, and named once", (_how, form) => {
    expect(secrets.leakedIn(`before ${form} after`, 8)).toEqual(["SECRET_7"]);
  });

  it("may stand in the answer that showed it first", () => {
    expect(secrets.leakedIn(secret, 7)).toEqual([]);
  });

  it("is none when it is so short that it would be met by accident", () => {
    secrets.learn("ab/cd==", "SHORT", 7);
    expect(secrets.leakedIn("ab/cd==", 8)).toEqual([]);
  });
});

describe("any secrets in any text", () => {
  const pieces = (minLength: number, maxLength: number) =>
    fc
      .array(fc.constantFrom("ab", "Z", "/", "+", "=", "\\/", "%2F", "-", "_", "9", "\ud800"), { minLength, maxLength })
      .map((parts) => parts.join(""));
  const secretsOf = fc.uniqueArray(pieces(4, 16), { minLength: 1, maxLength: 6 });
  const cases = secretsOf.chain((secrets) => {
    const forms = secrets.flatMap(formsOf);
    const known = forms.length === 0 ? [] : [fc.constantFrom(...forms)];
    const text = fc.array(fc.oneof(pieces(0, 6), ...known), { maxLength: 8 }).map((parts) => parts.join(""));
    return fc.tuple(fc.constant(secrets), text);
  });

  it("are found and replaced as by a search for each form of each of them", () => {
    fc.assert(
      fc.property(cases, ([all, text]) => {
        const secrets = newSecrets();
        const naive = new Map<string, { readonly name: string; readonly shownIn: number }>();
        for (const [number, secret] of all.entries()) {
          secrets.learn(secret, `SECRET_${number}`, number);
          if (secret.length < shortestString || naive.has(secret)) continue;
          for (const form of formsOf(secret)) naive.set(form, { name: `SECRET_${number}`, shownIn: number });
        }
        const leaked = [...naive].filter(([form, { shownIn }]) => shownIn !== 0 && text.includes(form));
        expect(secrets.leakedIn(text, 0)).toEqual([...new Set(leaked.map(([, { name }]) => name))]);
        let redacted = text;
        for (const [form, { name }] of naive) redacted = redacted.replaceAll(form, `\${${name}}`);
        expect(secrets.redact(text)).toBe(redacted);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are no empty ones, whatever is left of them in one of their forms", () => {
    const secrets = newSecrets();
    secrets.learn("========", "PADDING", 1);
    expect([secrets.leakedIn("any text", 2), secrets.redact("any text")]).toEqual([[], "any text"]);
  });
});
