import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import { newSecrets } from "../exchange/redaction.ts";
import { signedIn, withHeaders } from "./made-up-signature.ts";
import { dialects, type Signed } from "./signature.ts";
import { newSigners } from "./signer.ts";

const secret = randomBytes(32).toString("base64");
const other = randomBytes(32).toString("base64");
const [first, second] = dialects;
if (first === undefined || second === undefined) throw new Error("There are too few dialects.");

/** A delivery with the signatures of several, as one header. */
function signedBy(...each: readonly Signed[]): Signed {
  const values = each.map(({ headers }) => headers[1]?.[1].split(",")[1]);
  const [one] = each;
  if (one === undefined) throw new Error("There is nothing to join.");
  return {
    ...one,
    headers: [...one.headers.slice(0, 1), [constants.signatureHeader, ["t=1767225600", ...values].join(",")]],
  };
}

describe("a signer", () => {
  test("is held to the dialect of the first delivery that verifies", async () => {
    const signer = newSigners(newSecrets(), null)();
    expect(await signer.judge(signedIn(second, [other]), secret)).toMatchObject({ kind: "unknown" });
    expect(await signer.judge(signedIn(second, [secret]), secret)).toEqual({ kind: "valid" });
    expect(await signer.judge(signedIn(second, [other]), other)).toEqual({ kind: "valid" });
    expect(await signer.judge(signedIn(first, [secret]), secret)).toMatchObject({ kind: "changed" });
    expect(await signer.judge(signedIn(second, [other]), secret)).toMatchObject({ kind: "invalid" });
    expect(await signer.judge(signedIn(second, [secret]), secret)).toEqual({ kind: "valid" });
  });

  test("may sign in another dialect than another one, whichever comes first", async () => {
    for (const ways of [[first, second] as const, [second, first] as const]) {
      const open = newSigners(newSecrets(), null);
      for (const dialect of ways) {
        const signer = open();
        for (const by of [secret, other]) {
          expect(await signer.judge(signedIn(dialect, [by]), by)).toEqual({ kind: "valid" });
        }
      }
    }
  });

  test("may sign in two dialects at once, as long as one of them stays", async () => {
    const both = signedBy(signedIn(first, [secret]), signedIn(second, [secret]));
    for (const dialect of [first, second]) {
      const signer = newSigners(newSecrets(), null)();
      expect(await signer.judge(both, secret)).toEqual({ kind: "valid" });
      expect(await signer.judge(signedIn(dialect, [secret]), secret)).toEqual({ kind: "valid" });
      const gone = dialect === first ? second : first;
      expect(await signer.judge(signedIn(gone, [secret]), secret)).toMatchObject({ kind: "changed" });
    }
  });

  test("is not judged by what cannot be read", async () => {
    const signer = newSigners(newSecrets(), null)();
    expect(await signer.judge(withHeaders(), secret)).toMatchObject({ kind: "unreadable" });
    expect(await signer.judge({ ...signedIn(first, [secret]), broken: true }, secret)).toMatchObject({
      kind: "unreadable",
    });
  });

  test("is judged by a hook where there is one", async () => {
    const signer = newSigners(newSecrets(), async (_, by) => by === secret)();
    const ofAnotherForm = withHeaders([constants.signatureHeader, "of another form"]);
    expect(await signer.judge(ofAnotherForm, secret)).toEqual({ kind: "valid" });
    expect(await signer.judge(signedIn(first, [other]), other)).toMatchObject({ kind: "invalid" });
  });

  test("has secrets and whole signatures kept out of what is shown", async () => {
    const secrets = newSecrets();
    const open = newSigners(secrets, null);
    for (const dialect of dialects) {
      const delivery = signedIn(dialect, [secret]);
      const verdict = await open().judge(delivery, secret);
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
