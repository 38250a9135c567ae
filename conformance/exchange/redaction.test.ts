import { describe, expect, it } from "vitest";
import { newSecrets } from "./redaction.ts";

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
