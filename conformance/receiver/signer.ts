import type { Secrets } from "../exchange/redaction.ts";
import { type Dialect, dialectsOf, dialectText, parseSignature, type Signed } from "./signature.ts";

/** What is to be thought of a signature. */
export type SignatureVerdict =
  /** It verifies, in a dialect in which all before it did, or as a hook says. */
  | { readonly kind: "valid" }
  /** It does not verify in the signer's dialect, or a hook says that it is false. */
  | { readonly kind: "invalid"; readonly why: string }
  /** It verifies, but in another dialect than the signer's deliveries before. */
  | { readonly kind: "changed"; readonly why: string }
  /** It verifies in no dialect that the kit knows, as every other so far: nothing to hold against anybody. */
  | { readonly kind: "unknown"; readonly why: string }
  /** There is nothing to verify: the header is not of the contract's form, or the kit lacks a part of the body. */
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Somebody who signs, as far as the kit knows the way: how is open (Q59), and nothing says that an organization's
 * callbacks are signed as deliveries are (Q57). What verifies first tells how; from then on all has to.
 */
export interface Signer {
  judge(delivery: Signed, secret: string): Promise<SignatureVerdict>;
}

/** A target's own judgement, in place of the kit's. */
export type VerifyHook = (delivery: Signed, secret: string) => Promise<boolean>;

/** Gives signers of whom nothing is known yet. Their secrets are kept out of what the run shows. */
export function newSigners(secrets: Secrets, hook: VerifyHook | null): () => Signer {
  const learned = new Set<string>();
  return () => {
    /** Dialects in which all that verified so far does; null before anything did. */
    let common: readonly Dialect[] | null = null;

    const judge: Signer["judge"] = async (delivery, secret) => {
      learned.add(secret);
      secrets.learn(secret, `SIGNING_SECRET_${learned.size}`, null);
      if (delivery.truncated || delivery.broken) {
        return { kind: "unreadable", why: "the kit does not have the whole body" };
      }
      if (hook !== null) {
        return (await hook(delivery, secret))
          ? { kind: "valid" }
          : { kind: "invalid", why: "the hook verify_signature says that the signature is false" };
      }
      const parsed = parseSignature(delivery);
      if (!parsed.ok) return { kind: "unreadable", why: parsed.why };
      const now = dialectsOf(delivery, secret);
      if (common === null) {
        if (now.length === 0)
          return { kind: "unknown", why: "the signature verifies in none of the dialects that the kit knows" };
        common = now;
        return { kind: "valid" };
      }
      const before = common.map(dialectText).join(" or ");
      if (now.length === 0) return { kind: "invalid", why: `the signature is not that of ${before}` };
      const still = common.filter((dialect) => now.includes(dialect));
      if (still.length === 0) {
        return {
          kind: "changed",
          why: `the signature is that of ${now.map(dialectText).join(" or ")}; before it was ${before}`,
        };
      }
      common = still;
      return { kind: "valid" };
    };

    return { judge };
  };
}
